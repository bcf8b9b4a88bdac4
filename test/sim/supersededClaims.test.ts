// Proves that a claim is dropped once its host has another address on that network (R12.5, R12.6).
import { expect, test } from 'vitest'
import { World } from '../../src/core/model/world.ts'
import { addressBlocks } from '../../src/core/policy/ipam/decideBlock.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'

const openstack = { apiVersion: 'network.openstack.org/v1beta1' }
const meta = (name: string) => ({
  name,
  namespace: 'red',
  uid: `${name}-uid`,
  resourceVersion: '1',
})
const ranges = [{ start: '10.0.0.10', end: '10.0.0.20' }]
const subnets = [{ name: 'subnet1', cidr: '10.0.0.0/24', allocationRanges: ranges }]
const entry = { network: 'Storage', subnet: 'subnet1', address: '10.0.0.10' }
const holder = (address: string, network = 'Storage') => ({
  ...{ address, network, namespace: 'red', name: 'a', uid: 'a-uid' },
})
const block = 'namespace.red.10.0.0.0'

function worldWith(...holders: readonly object[]): World {
  const objects = [
    { ...openstack, kind: 'NetConfig', metadata: meta('netconfig') },
    { ...openstack, kind: 'IPSet', metadata: meta('a') },
    { ...openstack, kind: 'Reservation', metadata: meta('a') },
    { apiVersion: 'berth.dev/v1alpha1', kind: 'AddressBlock' },
  ]
  const specs = [
    { networks: [{ name: 'Storage', subnets }] },
    { networks: [{ name: 'Storage', subnetName: 'subnet1' }] },
    { ipSetRef: {}, reservation: { Storage: entry } },
    { wire: 'namespace/red', first: '10.0.0.0', holders },
  ]
  const world = new World(settings)
  for (const [at, object] of objects.entries()) {
    const metadata = { name: block, uid: 'block-uid', resourceVersion: '1' }
    const decoded = decode({ metadata, ...object, spec: specs[at] })
    if (decoded.kind !== 'view') throw new Error(`not decoded: ${object.kind}`)
    world.apply({ type: 'upsert', view: decoded.view })
  }
  return world
}
const decided = (world: World) => addressBlocks.record(world, block, '2026-01-01T00:00:00Z')

test('what its Reservation says stays as it is', () => {
  expect(decided(worldWith(holder('10.0.0.10')))).toBeUndefined()
})

test('another address that was claimed for it on that network is dropped', () => {
  const write = decided(worldWith(holder('10.0.0.10'), holder('10.0.0.11')))
  expect(write).toMatchObject({
    type: 'put',
    holders: [{ address: '10.0.0.10', name: 'a' }],
    dropped: [{ address: '10.0.0.11', name: 'a' }],
  })
})

test('its block is looked at when the Reservation comes', () => {
  const world = worldWith(holder('10.0.0.10'), holder('10.0.0.11'))
  const looked: string[] = []
  world.listen((changed) => looked.push(...addressBlocks.wakes(changed, world)))
  world.apply({ type: 'delete', kind: 'Reservation', key: 'red/a' })
  looked.splice(0)
  const spec = { ipSetRef: {}, reservation: { Storage: { ...entry, address: '10.0.1.10' } } }
  const metadata = { ...meta('a'), resourceVersion: '2' }
  const decoded = decode({ ...openstack, kind: 'Reservation', metadata, spec })
  if (decoded.kind !== 'view') throw new Error('not decoded')
  world.apply({ type: 'upsert', view: decoded.view })
  expect(looked).toContain(block)
})
