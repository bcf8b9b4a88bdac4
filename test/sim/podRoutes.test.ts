// Who is in the way of a route to a pod, and what has that looked at again (R16.5)?
import { expect, test } from 'vitest'
import { World } from '../../src/core/model/world.ts'
import { podRoutes } from '../../src/core/policy/podRoutes/decidePodRoutes.ts'
import { WorkQueue } from '../../src/core/policy/workQueue.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'

const named = (namespace: string, name: string) => ({
  metadata: { name, namespace, uid: `${namespace}/${name}`, resourceVersion: '1' },
})
const configuration = (namespace: string) => ({
  ...{ apiVersion: 'network.openstack.org/v1beta1', kind: 'BGPConfiguration', spec: {} },
  ...named(namespace, 'bgp'),
})
const pod = (namespace: string, ip: string) => {
  const { metadata } = named(namespace, 'db')
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { ...metadata, labels: { predictableip: ip } },
    ...{ spec: { nodeName: 'w0' }, status: { phase: 'Running' } },
  }
}
/** Of 172.28.1.0/24. */
const ipPool = (name: string, pods: Readonly<Record<number, string>>) => ({
  ...{ apiVersion: 'whereabouts.cni.cncf.io/v1alpha1', kind: 'IPPool' },
  ...named('kube-system', name),
  spec: {
    range: '172.28.1.0/24',
    allocations: Object.fromEntries(
      Object.entries(pods).map(([id, podref]) => [id, { id, podref }]),
    ),
  },
})

function stand(objects: readonly object[]) {
  const world = new World(settings)
  const decider = podRoutes(() => 'known')
  const queue = new WorkQueue(world, decider)
  const put = (json: object): void => {
    const read = decode(json)
    if (read.kind !== 'view') throw new Error(read.kind)
    world.apply({ type: 'upsert', view: read.view })
  }
  for (const kind of ['Pod', 'BGPConfiguration', 'FRRConfiguration'] as const) {
    world.apply({ type: 'served', kind, isServed: true })
  }
  for (const one of objects) put(one)
  const woken = () => [...queue.take()]
  woken()
  const told = () =>
    decider
      .decide(world, 'cloud/bgp')
      .writes.flatMap((write) => (write.type === 'status' ? [JSON.stringify(write.fields)] : []))
      .join()
  return { world, put, woken, told }
}

test('[R16.5] a pod that whereabouts gives an address, or takes it from, wakes who wants it', () => {
  const { world, put, woken, told } = stand([
    ...['cloud', 'beside'].map(configuration),
    ...[pod('cloud', '172.28.1.7'), pod('beside', '172.28.1.9')],
    ipPool('a', { 1: 'other/first' }),
  ])
  put(ipPool('a', { 1: 'other/first', 7: 'other/db' }))
  expect(woken()).toEqual(['cloud/bgp'])
  expect(told()).toContain('172.28.1.7: Pod other/db has it')
  put(ipPool('a', { 2: 'other/second', 7: 'other/db' }))
  expect(woken()).toEqual([])
  put(ipPool('a', {}))
  expect(woken()).toEqual(['cloud/bgp'])
  expect(told()).not.toContain('has it')
  put(ipPool('a', { 9: 'other/db' }))
  expect(woken()).toEqual(['beside/bgp'])
  world.apply({ type: 'delete', kind: 'IPPool', key: 'kube-system/a' })
  expect(woken()).toEqual(['beside/bgp'])
})

const peer = (name: string) => ({
  ...{ apiVersion: 'metallb.io/v1beta2', kind: 'BGPPeer' },
  ...named('metallb-system', name),
  spec: { myASN: 64_512, peerASN: 64_513, peerAddress: '172.28.1.7' },
})
const routers = (name: string) => ({
  ...{ apiVersion: 'frrk8s.metallb.io/v1beta1', kind: 'FRRConfiguration' },
  ...named('frr-k8s-system', name),
  spec: { bgp: { routers: [{ asn: 1, neighbors: [{ address: '172.28.1.7', asn: 2 }] }] } },
})
/** Each namespace has wires of its own. */
const reservation = (namespace: string, name: string) => ({
  ...{ apiVersion: 'network.openstack.org/v1beta1', kind: 'Reservation' },
  ...named(namespace, name),
  spec: {
    ipSetRef: { name, namespace },
    reservation: { internalapi: { network: 'internalapi', subnet: 's1', address: '172.28.1.7' } },
  },
})

/** With one holder of 172.28.1.7, or with none. */
const block = (name: string | undefined) => ({
  ...{ apiVersion: 'berth.dev/v1alpha1', kind: 'AddressBlock' },
  metadata: { name: 'b', uid: 'b', resourceVersion: '1' },
  spec: {
    ...{ wire: 'namespace/cloud', first: '172.28.1.0' },
    holders: [name ?? []].flat().map((host) => ({
      ...{ address: '172.28.1.7', namespace: 'cloud', name: host, uid: 'u' },
      network: 'internalapi',
    })),
  },
})

test('[R16.5] a host that gets an address, or frees it, wakes who wants it', () => {
  const { world, put, woken, told } = stand([
    ...['cloud', 'beside'].map(configuration),
    ...[pod('cloud', '172.28.1.7'), pod('beside', '172.28.1.9')],
  ])
  put(reservation('cloud', 'host'))
  expect(woken()).toEqual(['cloud/bgp'])
  expect(told()).toContain('172.28.1.7: IPSet cloud/host has it')
  put(reservation('cloud', 'host'))
  expect(woken()).toEqual([])
  world.apply({ type: 'delete', kind: 'Reservation', key: 'cloud/host' })
  expect(woken()).toEqual(['cloud/bgp'])
  expect(told()).not.toContain('has it')
  put(block('kept'))
  expect(woken()).toEqual(['cloud/bgp'])
  expect(told()).toContain('172.28.1.7: IPSet cloud/kept has it')
  put(block(undefined))
  expect(woken()).toEqual(['cloud/bgp'])
  expect(told()).not.toContain('has it')
})

test.each([
  ['BGPPeer metallb-system/a names it', [peer('b'), peer('a')]],
  ['FRRConfiguration frr-k8s-system/a names it', [routers('b'), routers('a')]],
  ['BGPPeer metallb-system/b names it', [routers('a'), peer('b')]],
  ['IPSet red/a has it', [reservation('red', 'b'), reservation('red', 'a')]],
  ['IPSet blue/b has it', [reservation('red', 'a'), reservation('blue', 'b')]],
  ['Pod other/a has it', [ipPool('a', { 7: 'other/b' }), ipPool('b', { 7: 'other/a' })]],
])('[R16.5] %s, in whatever order that becomes known', (why, objects) => {
  const common = [configuration('cloud'), pod('cloud', '172.28.1.7')]
  for (const some of [objects, objects.toReversed()]) {
    expect(stand([...common, ...some]).told()).toContain(`172.28.1.7: ${why}`)
  }
})

const tenant = (name: string, vlan: number, more: object) => ({
  ...{ apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant' },
  metadata: { name, uid: name },
  spec: {
    namespaces: { names: [name] },
    networks: [{ name: 'edge', cidrs: ['172.28.1.0/24'], interface: 'eth1', vlan, ...more }],
  },
})
const namespaceOn = (name: string, wire: string) => ({
  ...{ apiVersion: 'v1', kind: 'Namespace' },
  metadata: { name, annotations: { 'berth.dev/wire': wire } },
})
const madeConfig = (namespace: string, gateway?: string) => ({
  ...{ apiVersion: 'network.openstack.org/v1beta1', kind: 'NetConfig' },
  metadata: {
    ...named(namespace, 'netconfig').metadata,
    labels: { 'app.kubernetes.io/managed-by': 'berth' },
    ownerReferences: [
      {
        ...{ apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', controller: true },
        ...{ name: namespace, uid: namespace },
      },
    ],
  },
  spec: {
    networks: [
      { name: 'internalapi', subnets: [{ name: 's1', cidr: '172.28.1.0/24', gateway }] },
      { name: 'edge', subnets: [{ name: 's1', cidr: '172.28.1.0/24' }] },
    ],
  },
})
const hostOfBlue = {
  ...reservation('blue', 'host'),
  spec: {
    ipSetRef: {},
    reservation: { edge: { network: 'edge', subnet: 's1', address: '172.28.1.7' } },
  },
}

test.each([
  ['a host of another tenant has it', [madeConfig('blue'), hostOfBlue], {}],
  ['a host of another tenant has it', [hostOfBlue], {}],
  ['a pod of another tenant has it', [ipPool('a', { 7: 'blue/db' })], {}],
  ['it is a gateway of another tenant', [], { gateway: '172.28.1.7' }],
  ['it is a gateway of another tenant', [madeConfig('blue', '172.28.1.7')], {}],
  ['it is in a range of another tenant', [], { attachments: ['172.28.1.4-172.28.1.9'] }],
])('[R16.5] of another tenant: %s, in one subnet only', (why, objects, more) => {
  const common = [configuration('cloud'), pod('cloud', '172.28.1.7'), ...objects]
  const on = (vlan: number) =>
    stand([tenant('cloud', 20, {}), tenant('blue', vlan, more), ...common]).told()
  expect(on(20)).toContain(`172.28.1.7: ${why}`)
  expect(on(30)).toContain('no FRRConfiguration')
  expect(on(30)).not.toContain('another tenant')
})

test('[R16.5] what another tenant says of the ranges of the tenant holds up none of its pods', () => {
  const own = { attachments: ['172.28.1.4-172.28.1.9'] }
  const { told } = stand([
    ...[tenant('cloud', 20, own), tenant('blue', 20, {})],
    ...[configuration('cloud'), pod('cloud', '172.28.1.7')],
    ...[hostOfBlue, { ...madeConfig('blue', '172.28.1.7'), metadata: named('blue', 'a').metadata }],
  ])
  expect(told()).toContain('no FRRConfiguration')
  expect(told()).not.toContain('another tenant')
})

test.each([
  ['kube-system', true],
  ['blue', false],
  ['cloud', true],
])('[R16.5] an IPPool in namespace %s counts: %s', (namespace, counts) => {
  const { metadata } = named(namespace, 'a')
  const { told } = stand([
    ...[tenant('cloud', 20, {}), tenant('blue', 20, {})],
    ...[configuration('cloud'), pod('cloud', '172.28.1.7')],
    { ...ipPool('a', { 7: 'blue/db' }), metadata },
  ])
  expect(told().includes('a pod of another tenant has it')).toBe(counts)
})

test('[R16.5] tenants without interfaces share the wire that their Namespaces name', () => {
  const bare = { interface: undefined, vlan: undefined }
  const { put, told } = stand([
    ...[namespaceOn('cloud', 'dc1'), namespaceOn('blue', 'dc2')],
    ...[tenant('cloud', 20, bare), tenant('blue', 20, bare)],
    ...[configuration('cloud'), pod('cloud', '172.28.1.7'), ipPool('a', { 7: 'blue/db' })],
  ])
  expect(told()).not.toContain('another tenant')
  put(namespaceOn('blue', 'dc1'))
  expect(told()).toContain('a pod of another tenant has it')
})

test('[R16.5] what a selector puts into a tenant has the ranges of the tenant', () => {
  const range = { attachments: ['172.28.1.4-172.28.1.9'] }
  const { spec, ...rest } = tenant('cloud', 20, range)
  const selected = {
    ...rest,
    spec: { ...spec, namespaces: { selector: { matchLabels: { tenant: 'cloud' } } } },
  }
  const namespace = {
    ...{ apiVersion: 'v1', kind: 'Namespace' },
    metadata: { name: 'cloud', labels: { tenant: 'cloud' } },
  }
  const common = [configuration('cloud'), pod('cloud', '172.28.1.7')]
  const told = stand([namespace, selected, tenant('blue', 20, {}), ...common]).told()
  expect(told).toContain('no FRRConfiguration')
  expect(told).not.toContain('has it')
})
