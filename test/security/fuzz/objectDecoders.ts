// What reads objects that others wrote? The decoder of every kind that anything is decided from, those
// of other projects among them, and the World, which has to be the same once the object is gone.
import { keyOf } from '../../../src/core/model/view.ts'
import { World } from '../../../src/core/model/world.ts'
import { check } from '../../../src/core/policy/check/check.ts'
import { ledgerProblems } from '../../../src/core/policy/wires/ledgerProblems.ts'
import { settings } from '../../../src/core/sim/runScenario.ts'
import { decode } from '../../../src/edge/kube/decode/decode.ts'
import { ValidatedSink } from '../../../src/edge/kube/feed/validatedSink.ts'
import { type Decoder, octetsOf } from './damage.ts'

const [metallb, berth] = ['metallb.io/v1beta1', 'berth.dev/v1alpha1']
const named = (apiVersion: string, kind: string, spec: object) => ({
  ...{ apiVersion, kind, metadata: { name: 'a', namespace: 'n', uid: 'u', labels: { a: 'b' } } },
  spec,
})

const addressing: readonly object[] = [
  named(metallb, 'IPAddressPool', {
    addresses: ['192.0.2.0/28', '2001:db8::1-2001:db8::9'],
    serviceAllocation: { priority: 1, namespaces: ['n'], serviceSelectors: [{}] },
  }),
  named(berth, 'Tenant', {
    namespaces: { names: ['n'], selector: { matchLabels: { a: 'b' } } },
    networks: [
      { name: 'x', cidrs: ['10.1.0.0/24'], loadBalancer: ['10.1.0.8/29'], gateway: '10.1.0.1' },
    ],
    quota: { addresses: 3 },
  }),
  {
    ...named(berth, 'Address', {
      ...{ address: '192.0.2.3', reservedFor: { namespace: 'n', name: 'a' }, pool: 'a' },
      holders: [{ kind: 'Service', namespace: 'n', name: 'a', uid: 'u', ports: ['TCP/80'] }],
    }),
    metadata: { name: '192.0.2.3' },
  },
  {
    ...named('v1', 'Service', { type: 'LoadBalancer', ports: [{ port: 80, protocol: 'TCP' }] }),
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.3' }] } },
  },
]

const nodes: readonly object[] = [
  { ...named('v1', 'Namespace', {}), metadata: { name: 'n', labels: { a: 'b' } } },
  {
    ...named('v1', 'Node', {}),
    status: {
      addresses: [{ type: 'InternalIP', address: '192.0.2.9' }],
      conditions: [{ type: 'NetworkUnavailable', status: 'False' }],
    },
  },
  {
    ...named(berth, 'NodeInterfaces', {}),
    status: {
      interfaces: [{ name: 'eth0', mac: '02:00:00:00:00:01', addresses: ['192.0.2.9/24'] }],
    },
  },
  {
    ...named('discovery.k8s.io/v1', 'EndpointSlice', {}),
    metadata: { name: 'a', namespace: 'n', labels: { 'kubernetes.io/service-name': 'a' } },
    endpoints: [{ addresses: ['10.0.0.1'], nodeName: 'a', conditions: { ready: true } }],
  },
]

const announcing: readonly object[] = [
  named(metallb, 'Community', { communities: [{ name: 'c', value: '64512:1' }] }),
  named(metallb, 'BFDProfile', { receiveInterval: 300, echoMode: true }),
  named('metallb.io/v1beta2', 'BGPPeer', {
    ...{ myASN: 64_512, peerASN: 64_513, peerAddress: '10.0.0.1', holdTime: '90s' },
    nodeSelectors: [{ matchLabels: { a: 'b' } }],
  }),
  named(metallb, 'L2Advertisement', { ipAddressPools: ['a'], interfaces: ['eth0'] }),
  named(metallb, 'BGPAdvertisement', {
    ...{ aggregationLength: 28, localPref: 100, communities: ['64512:1', 'c'], peers: ['a'] },
    ipAddressPoolSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
  }),
  named(berth, 'BGPSession', {}),
  { ...named('v1', 'Secret', {}), type: 'kubernetes.io/basic-auth', data: { password: 'eA==' } },
]

const plugins = [
  {
    ...{ type: 'macvlan', master: 'eth0', vlanId: 20 },
    ipam: { type: 'whereabouts', range: '10.1.0.0/24', range_start: '10.1.0.30', exclude: [] },
  },
]
const subnet = {
  ...{ name: 's', cidr: '10.1.0.0/24', gateway: '10.1.0.1', vlan: 20 },
  allocationRanges: [{ start: '10.1.0.100', end: '10.1.0.250' }],
  ...{ excludeAddresses: ['10.1.0.120'], routes: [{ nexthop: '10.1.0.2' }] },
}

const ofOthers: readonly object[] = [
  named('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', {
    config: JSON.stringify({ cniVersion: '0.3.1', plugins }),
  }),
  named('network.openstack.org/v1beta1', 'NetConfig', {
    networks: [{ name: 'x', subnets: [subnet] }],
  }),
  named('network.openstack.org/v1beta1', 'Reservation', {
    reservation: { x: { address: '10.1.0.101' } },
  }),
  named('nmstate.io/v1', 'NodeNetworkConfigurationPolicy', {
    desiredState: {
      interfaces: [
        {
          ...{ name: 'eth0.20', type: 'vlan', vlan: { 'base-iface': 'eth0', id: 20 } },
          ipv4: { address: [{ ip: '10.1.0.5', 'prefix-length': 24 }] },
        },
      ],
      routes: { config: [{ 'next-hop-address': '10.1.0.1' }] },
    },
  }),
]

/** To look at all that overlaps costs more than to read an object. */
const betweenLooks = 200

function read(): (bytes: Uint8Array) => boolean {
  const world = new World(settings)
  const sink = new ValidatedSink(world, check)
  sink.open()
  let count = 0
  return (bytes) => {
    const decoded = decode(parsed(Buffer.from(bytes).toString()))
    if (decoded.kind !== 'view') return false
    const { view } = decoded
    sink.put(view)
    count += 1
    if (count % betweenLooks === 0) ledgerProblems(world)
    sink.drop(view.kind, keyOf(view))
    if (world.all(view.kind).size > 0) throw new Error('it is still there')
    return true
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const templates = [...addressing, ...nodes, ...announcing, ...ofOthers]

export const objectDecoders: readonly Decoder[] = [
  {
    name: 'an object of any kind',
    templates: templates.map((json) => octetsOf(JSON.stringify(json))),
    words: ['null', '[]', '{}', '"', '-1', '1e99', '0.0.0.0/0', '::/0', '-', '/', '"__proto__":'],
    read: read(),
  },
]
