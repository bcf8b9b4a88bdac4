// Which networks does a pod that keeps its address get (R12.15)?
import { expect, test } from 'vitest'
import { World } from '../../src/core/model/world.ts'
import { keepsFor } from '../../src/core/policy/ipam/keep.ts'
import { selectionsIn } from '../../src/core/policy/ipam/networkSelections.ts'
import { stickyPod } from '../../src/core/policy/ipam/stickyPod.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'

const openstack = 'network.openstack.org/v1beta1'
const namespace = 'openstack'
const uid = 'u-set'
const attachment = (name: string, config: object, network?: string) => ({
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  metadata: { name, namespace, annotations: network ? { 'berth.dev/network': network } : {} },
  spec: { config: JSON.stringify(config) },
})
const takes = { type: 'macvlan', capabilities: { ips: true }, ipam: { type: 'static' } }
const objects = [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: { 'berth.dev/sticky-pods': 'true' } },
  },
  {
    apiVersion: openstack,
    kind: 'NetConfig',
    metadata: {
      name: 'netconfig',
      namespace,
      annotations: { 'berth.dev/sticky': 'InternalApi=172.17.0.60-172.17.0.69' },
    },
    spec: {
      networks: [
        { name: 'InternalApi', subnets: [{ name: 'subnet1', cidr: '172.17.0.0/24' }] },
        { name: 'Storage', subnets: [{ name: 'subnet1', cidr: '172.18.0.0/24' }] },
      ],
    },
  },
  attachment('internalapi', { type: 'macvlan', ipam: { type: 'whereabouts' } }),
  attachment('internalapi-sticky', takes, 'InternalApi'),
  attachment(
    'internalapi-routed',
    { ...takes, ipam: { type: 'static', gateway: '172.17.0.1' } },
    'internalapi',
  ),
  attachment('storage', takes),
]
const ipSet = (more: object = {}) => ({
  apiVersion: openstack,
  kind: 'IPSet',
  metadata: {
    name: 'ovn-0',
    namespace,
    uid: 'u-0',
    generation: 1,
    annotations: { 'berth.dev/for': 'pod' },
    ownerReferences: [{ kind: 'StatefulSet', name: 'ovn', uid }],
    ...more,
  },
  spec: { networks: [{ name: 'InternalApi', subnetName: 'subnet1' }] },
})
const reservation = {
  apiVersion: openstack,
  kind: 'Reservation',
  metadata: { name: 'ovn-0', namespace, ownerReferences: [{ kind: 'IPSet', uid: 'u-0' }] },
  spec: { reservation: { InternalApi: { address: '172.17.0.60', subnet: 'subnet1' } } },
}

function worldWith(...more: readonly object[]): World {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  for (const json of [...objects, ...more]) {
    const read = decode(json)
    if (read.kind === 'view') world.apply({ type: 'upsert', view: read.view })
  }
  return world
}

function answer(networks: string, ...more: readonly object[]) {
  const world = worldWith(...more)
  const selections = selectionsIn(networks, JSON.parse) ?? []
  const owner = { apiVersion: 'apps/v1', name: 'ovn', uid }
  return stickyPod(world, { namespace, name: 'ovn-0', owner, selections })
}
const reserved = [ipSet(), reservation]
const address = { ips: ['172.17.0.60/24'] }

test.each([
  [
    'internalapi-sticky',
    [{ name: 'internalapi-sticky', interface: 'internalapi-sti', ...address }],
  ],
  [
    'storage, openstack/internalapi-sticky@eth9',
    [{ name: 'storage' }, { name: 'internalapi-sticky', namespace, interface: 'eth9', ...address }],
  ],
  // As operators write it: a gateway in the attachment is the pod's default route.
  [
    '[{"name":"internalapi-routed","cni-args":{}}]',
    [
      {
        name: 'internalapi-routed',
        'cni-args': {},
        interface: 'internalapi-rou',
        ...address,
        'default-route': ['172.17.0.1'],
      },
    ],
  ],
  // Its name cut to 15 characters is somebody else's: the interface is left to multus.
  [
    '[{"name":"storage","interface":"internalapi-sti"},{"name":"internalapi-sticky"}]',
    [
      { name: 'storage', interface: 'internalapi-sti' },
      { name: 'internalapi-sticky', ...address },
    ],
  ],
])('[R12.15] of %s', (networks, selections) => {
  expect(answer(networks, ...reserved)).toEqual({ type: 'networks', selections })
})

test('[R12.15] a pod that is new, of another StatefulSet, or on one network more asks first', () => {
  const networks = [{ name: 'InternalApi', subnetName: 'subnet1' }]
  expect(answer('internalapi-sticky')).toMatchObject({ type: 'ask', ipSet: { networks } })
  const other = ipSet({ ownerReferences: [{ kind: 'StatefulSet', uid: 'u-old' }] })
  expect(answer('internalapi-sticky', other, reservation)).toMatchObject({ type: 'ask' })
  expect(answer('internalapi-sticky', ipSet())).toEqual({ type: 'wait' })
})

/** The NetConfig as it is now. */
const configWith = (annotations: object, subnets: readonly object[]) => ({
  apiVersion: openstack,
  kind: 'NetConfig',
  metadata: { name: 'netconfig', namespace, annotations },
  spec: { networks: [{ name: 'InternalApi', subnets }] },
})

test('[R12.15] the length is that of the subnet that the address was reserved in', () => {
  const config = configWith({ 'berth.dev/sticky': 'InternalApi=172.17.8.60-172.17.8.69' }, [
    { name: 'subnet1', cidr: '172.17.0.0/24' },
    { name: 'subnet2', cidr: '172.17.8.0/22' },
  ])
  expect(answer('internalapi-sticky', ...reserved, config)).toMatchObject({
    selections: [{ ips: ['172.17.0.60/24'] }],
  })
})

test.each([
  ['nothing', {}, '86400s'],
  ['an hour', { 'berth.dev/keep': '1h' }, '3600s'],
])('[R12.15] kept for a pod where the NetConfig says %s by now', (_, said, kept) => {
  const world = worldWith(ipSet(), configWith(said, []))
  const view = world.all('IPSet').get(`${namespace}/ovn-0`)
  expect(view && keepsFor(world, view)).toBe(kept)
})

test('[R12.15] an attachment that cannot take the address is told of', () => {
  expect(answer('internalapi', ...reserved)).toMatchObject({
    type: 'pass',
    warnings: [expect.stringContaining('needs the IPAM plugin static and capabilities')],
  })
  expect(answer('storage', ...reserved)).toEqual({ type: 'pass', warnings: [] })
  const chosen = '[{"name":"internalapi-sticky","ips":["172.17.0.9/24"]}]'
  expect(answer(chosen, ...reserved)).toEqual({ type: 'pass', warnings: [] })
})

test('[R12.16] the IPSet of a host of the same name is not the pod’s', () => {
  const host = ipSet({ annotations: {} })
  expect(answer('internalapi-sticky', host, reservation)).toMatchObject({ type: 'refuse' })
})

test.each([
  ['InternalApi', 'is not NETWORK=FIRST-LAST'],
  ['Nowhere=172.17.0.60-172.17.0.69', 'has no network Nowhere'],
  ['InternalApi=172.19.0.60-172.19.0.69', 'is in no subnet of that network'],
])('[R12.15] the range %s is refused with the reason', (sticky, why) => {
  const [, config] = objects
  const metadata = { name: 'netconfig', namespace, annotations: { 'berth.dev/sticky': sticky } }
  const read = decode({ ...config, metadata })
  const unread = read.kind === 'view' && read.view.kind === 'NetConfig' ? read.view.unread : []
  expect(unread.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    expect.stringContaining(why),
  ])
})

test('[R12.4] a pod does not get what a Reservation names in a range of another tenant', () => {
  const onWire = (name: string) => {
    const labels = { 'berth.dev/sticky-pods': 'true' }
    const metadata = { name, labels, annotations: { 'berth.dev/wire': 'dc1' } }
    return { apiVersion: 'v1', kind: 'Namespace', metadata }
  }
  const red = {
    ...{
      apiVersion: 'berth.dev/v1alpha1',
      kind: 'Tenant',
      metadata: { name: 'red', uid: 'u-red' },
    },
    spec: {
      namespaces: { names: ['red'] },
      networks: [{ name: 'edge', cidrs: ['172.17.0.0/24'], nodes: ['172.17.0.60-172.17.0.61'] }],
    },
  }
  const wires = [onWire(namespace), onWire('red')]
  expect(answer('internalapi-sticky', ...reserved, ...wires)).toMatchObject({ type: 'networks' })
  expect(answer('internalapi-sticky', ...reserved, ...wires, red)).toEqual({ type: 'wait' })
})
