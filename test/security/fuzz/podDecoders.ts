// What reads a pod that is about to be made, asked about by anybody who reaches the webhook, and what
// FRR shows of its sessions, in which routers have a say?
import { reviewNew } from '../../../src/app/controller/webhookComplete.ts'
import { StickyPods } from '../../../src/app/openstack/stickyPods.ts'
import { frrShown } from '../../../src/app/speaker/frr/frrShown.ts'
import { World } from '../../../src/core/model/world.ts'
import { settings } from '../../../src/core/sim/runScenario.ts'
import { ApiError } from '../../../src/edge/kube/api/fault.ts'
import { decode } from '../../../src/edge/kube/decode/decode.ts'
import { type Decoder, octetsOf } from './damage.ts'

const namespace = 'n'
const network = 'net'
const attachment = JSON.stringify({
  ...{ type: 'macvlan', capabilities: { ips: true }, ipam: { type: 'static' } },
})
const objects: readonly object[] = [
  {
    ...{ apiVersion: 'v1', kind: 'Namespace' },
    metadata: { name: namespace, labels: { 'berth.dev/sticky-pods': 'true' } },
  },
  {
    ...{ apiVersion: 'network.openstack.org/v1beta1', kind: 'NetConfig' },
    metadata: {
      ...{ name: 'c', namespace, uid: 'c' },
      annotations: { 'berth.dev/sticky': 'net=10.1.0.200-10.1.0.209' },
    },
    spec: { networks: [{ name: network, subnets: [{ name: 's', cidr: '10.1.0.0/24' }] }] },
  },
  {
    ...{ apiVersion: 'k8s.cni.cncf.io/v1', kind: 'NetworkAttachmentDefinition' },
    ...{ metadata: { name: network, namespace, uid: 'a' }, spec: { config: attachment } },
  },
  {
    ...{ apiVersion: 'network.openstack.org/v1beta1', kind: 'IPSet' },
    metadata: {
      ...{ name: 'web-0', namespace, uid: 'i', annotations: { 'berth.dev/for': 'pod' } },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u' }],
    },
    spec: { networks: [{ name: network, subnetName: 's' }] },
  },
  {
    ...{ apiVersion: 'network.openstack.org/v1beta1', kind: 'Reservation' },
    metadata: {
      ...{ name: 'web-0', namespace, uid: 'r' },
      ownerReferences: [{ kind: 'IPSet', name: 'web-0', uid: 'i' }],
    },
    spec: { reservation: { net: { network, subnet: 's', address: '10.1.0.200' } } },
  },
]

function reader(): (bytes: Uint8Array) => Promise<boolean> {
  const world = new World(settings)
  for (const json of objects) {
    const read = decode(json)
    if (read.kind !== 'view') throw new Error('a template is no view')
    world.apply({ type: 'upsert', view: read.view })
  }
  const nothing = { request: 'GET', code: 404, reason: 'NotFound', message: '', status: {} }
  const api = {
    call: () => Promise.reject(new ApiError({ ...nothing, retryAfterMs: undefined })),
    stream: () => {
      throw new Error('it is not watched')
    },
    close: () => undefined,
  }
  const clock = { nowMs: () => 0, sleep: async () => undefined }
  const pods = new StickyPods({ api, world, clock, mayAsk: () => true, isIn: () => true })
  return async (bytes) => {
    const asked = await reviewNew(Buffer.from(bytes), '/Pod', (_, one) => pods.complete(one))
    return Object(asked)['response']?.['allowed'] === true
  }
}

const pod = (networks: string) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    ...{
      uid: 'u',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      operation: 'CREATE',
      namespace,
    },
    object: {
      metadata: {
        name: 'web-0',
        annotations: { 'k8s.v1.cni.cncf.io/networks': networks },
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u', controller: true },
        ],
      },
    },
  },
})
const asked = [
  'net',
  'n/net@eth1, other',
  JSON.stringify([{ name: network, namespace, interface: 'net', 'default-route': ['10.1.0.1'] }]),
]

const neighbour = {
  ...{ bgpState: 'Established', hostLocal: '10.0.0.9', localAs: 64_512, remoteAs: 64_513 },
  ...{ remoteRouterId: '10.0.0.1', hostname: 'tor', bgpTimerUpEstablishedEpoch: 1_790_000_000 },
  bgpTimerHoldTimeMsecs: 90_000,
  addressFamilyInfo: { ipv4Unicast: { sentPrefixCounter: 1 } },
  neighborCapabilities: {
    '4byteAs': 'advertisedAndReceived',
    multiprotocolExtensions: { ipv4Unicast: { advertisedAndReceived: true } },
  },
  messageStats: { opensSent: 1, updatesRecv: 2 },
  ...{ peerBfdInfo: { status: 'Up' }, connectionsDropped: 1 },
  ...{ lastResetDueTo: 'BGP Notification received', lastNotificationReason: 'Cease' },
}
const shown = [
  { default: { '10.0.0.1': neighbour }, red: { routerId: '10.0.0.9', eth0: neighbour } },
  [{ peer: '10.0.0.1', vrf: 'default', status: 'up' }],
  [{ peer: '10.0.0.1', vrf: 'default', 'session-up': 1, 'control-packet-input': 2 }],
].map((part) => JSON.stringify(part))

export const podDecoders: readonly Decoder[] = [
  {
    name: 'a pod that is about to be made',
    templates: asked.map((networks) => octetsOf(JSON.stringify(pod(networks)))),
    words: ['\\"', '@', '/', ',', '[', ']', '{', '}', '"ips":', '"name":', 'null', '"__proto__":'],
    read: reader(),
  },
  {
    name: 'what FRR shows',
    templates: [octetsOf(shown.join('\n---\n'))],
    words: ['\n---\n', 'null', '[]', '{}', '"', '-1', '1e99', '"__proto__":'],
    read: (bytes) => frrShown(Buffer.from(bytes).toString()).neighbours.length > 0,
  },
]
