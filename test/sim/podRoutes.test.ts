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
