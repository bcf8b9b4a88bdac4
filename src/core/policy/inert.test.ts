// Proves that a pool or tenant that cannot be read takes nothing away after a restart (P2).
import { expect, test } from 'vitest'
import { addressRecord, holderOf } from '../../../test/build/addressRecord.ts'
import { ip, pool, service, worldOf } from '../../../test/build/announcing.ts'
import { tenant } from '../../../test/build/wires.ts'
import type { Pool } from '../model/pool.ts'
import type { ServiceView } from '../model/service.ts'
import type { Kind, View } from '../model/view.ts'
import { addresses } from './decideAddress.ts'
import { decideService } from './decideService.ts'
import { tenants } from './decideTenant.ts'
import { WorkQueue } from './workQueue.ts'

const addressed = { status: 'True', reason: 'Addressed', message: '' }
const held = (name: string, address: string, given: Partial<ServiceView> = {}): ServiceView =>
  service(name, [address], { recordedPool: 'bad', addressed, ...given })
const record = (service: ServiceView, address: string) =>
  addressRecord(address, { uid: service.key, pool: 'bad', holders: [holderOf(service)] })

function world(kind: Kind, key: string, ...views: readonly View[]) {
  const made = worldOf(...views)
  made.apply({ type: 'inert', kind, key })
  return made
}
const withBadPool = (...views: readonly View[]) => world('IPAddressPool', 'bad', ...views)
const lan = pool('lan', ['10.0.0.0/24'])
const open = { priority: 0, namespaces: [], namespaceSelectors: [], serviceSelectors: [] }

test.each<{ who: string; view: ServiceView }>([
  { who: 'shows its address', view: held('web', '192.0.2.9') },
  { who: 'asks for the pool', view: held('web', '192.0.2.9', { asksPool: 'bad' }) },
  {
    who: 'asks for the address',
    view: held('web', '192.0.2.9', { asksByAnnotation: '192.0.2.9' }),
  },
  { who: 'lies in another pool now', view: held('web', '10.0.0.9') },
  { who: 'is told by its Address alone', view: held('web', '192.0.2.9', { recordedPool: '' }) },
])('[P2] who $who is left as it is, and so is its record', ({ view }) => {
  const [address = ip('0.0.0.0')] = view.ingress
  const known = withBadPool(lan, view, record(view, address))
  const { intent, write, events } = decideService(known, view.key)
  expect({ ips: intent.ips, write, events }).toEqual({
    ips: [address],
    write: undefined,
    events: [],
  })
  known.apply({ type: 'intent', intent })
  expect(addresses.record(known, address)).toBeUndefined()
})

type Requesting = { request: string; asks: Partial<ServiceView>; ips: string[]; pool: string }
test.each<Requesting>([
  { request: 'another pool', asks: { asksPool: 'lan' }, ips: ['10.0.0.0'], pool: 'lan' },
  {
    request: 'an address of another pool',
    asks: { asksByAnnotation: '10.0.0.50' },
    ips: ['10.0.0.50'],
    pool: 'lan',
  },
  {
    request: 'the pool that it lies in now',
    asks: { asksPool: 'lan', ingress: [ip('10.0.0.9')], asksByField: '10.0.0.9' },
    ips: ['10.0.0.9'],
    pool: 'lan',
  },
])('[P8] who asks for $request gets it, whatever it came from', ({ asks, ips, pool }) => {
  const view = held('web', '192.0.2.9', asks)
  const known = withBadPool(lan, view)
  const { intent, write } = decideService(known, view.key)
  expect(intent.ips).toEqual(ips)
  expect(write).toMatchObject({ ips, pool, condition: { status: 'True' } })
})

type Refused = { request: string; asks: Partial<ServiceView>; reason: string; event: string }
test.each<Refused>([
  {
    request: 'an address that cannot be read',
    asks: { asksByAnnotation: 'rubbish' },
    reason: 'AddressInvalid',
    event: 'LoadBalancerFailed',
  },
  {
    request: 'an address of another family',
    asks: { asksByAnnotation: '2001:db8::1' },
    reason: 'RequestFamilyMismatch',
    event: 'AllocationFailed',
  },
  {
    request: 'an address of no pool that can be read',
    asks: { asksByAnnotation: '192.0.2.10' },
    reason: 'AddressNotInPool',
    event: 'AllocationFailed',
  },
  {
    request: 'a pool that is full',
    asks: { asksPool: 'small' },
    reason: 'PoolFull',
    event: 'AllocationFailed',
  },
])('[P8] who asks for $request keeps its address and is told, once', ({ asks, reason, event }) => {
  const view = held('web', '192.0.2.9', asks)
  const small = pool('small', ['10.1.0.1/32'])
  const known = withBadPool(lan, small, service('full', ['10.1.0.1']), view)
  const { intent, write, events } = decideService(known, view.key)
  expect(intent.ips).toEqual(['192.0.2.9'])
  expect(write).toMatchObject({ ips: ['192.0.2.9'], pool: 'bad', condition: { reason } })
  expect(events.map((one) => one.reason)).toEqual([event])
  const told = { ...view, addressed: write?.condition }
  known.apply({ type: 'upsert', view: told })
  const again = decideService(known, view.key)
  expect([again.write, again.events]).toEqual([undefined, []])
  const { asksPool, asksByAnnotation } = service('web', [])
  known.apply({ type: 'upsert', view: { ...told, asksPool, asksByAnnotation } })
  expect(decideService(known, view.key)).toMatchObject({ write: { condition: addressed } })
})

test('what it asks for and cannot have yet is given as soon as it is free', () => {
  const view = held('web', '192.0.2.9', { asksPool: 'small' })
  const known = withBadPool(pool('small', ['10.1.0.1/32']), service('full', ['10.1.0.1']), view)
  known.apply({ type: 'intent', intent: decideService(known, view.key).intent })
  for (let key = known.queue.pop(); key !== undefined; ) key = known.queue.pop()
  known.apply({ type: 'delete', kind: 'Service', key: 'default/full' })
  expect(known.queue.pop()).toBe(view.key)
  expect(decideService(known, view.key).intent.ips).toEqual(['10.1.0.1'])
})

test.each<{ name: string; pools: readonly Pool[] }>([
  { name: 'no other pool answers to', pools: [lan] },
  { name: 'other pools only serve', pools: [pool('north', ['10.0.0.0/24'], { serves: ['api'] })] },
  {
    name: 'one pool has and another serves',
    pools: [pool('api', ['10.0.0.0/24']), pool('north', ['10.1.0.0/24'], { serves: ['api'] })],
  },
  {
    name: 'a pool has that does not admit it',
    pools: [pool('api', ['10.0.0.0/24'], { allocation: { ...open, namespaces: ['other'] } })],
  },
])('[P2] a name that $name may be the one that it came by', ({ pools }) => {
  const view = held('web', '192.0.2.9', { asksPool: 'api' })
  const { intent, write } = decideService(withBadPool(...pools, view), view.key)
  expect([intent.ips, write]).toEqual([['192.0.2.9'], undefined])
})

test('[P2] a name that its pool is known to serve is no new request, though a pool has it', () => {
  const view = held('web', '192.0.2.9', { asksPool: 'api' })
  const known = worldOf(pool('api', ['10.0.0.0/24']), view)
  known.apply({ type: 'inert', kind: 'IPAddressPool', key: 'bad', serves: ['api'] })
  const { intent, write } = decideService(known, view.key)
  expect([intent.ips, write]).toEqual([['192.0.2.9'], undefined])
})

test('[R3.12] a claim that is not shown yet is completed from what is recorded', () => {
  const view = service('web', [])
  const known = withBadPool(lan, view, record(view, '192.0.2.9'))
  expect(decideService(known, view.key).write).toMatchObject({ ips: ['192.0.2.9'], pool: 'bad' })
})

test('[R3.9] without a record it gets one, of the pool that it came from', () => {
  const view = held('web', '192.0.2.9')
  const known = withBadPool(lan, view)
  known.apply({ type: 'intent', intent: decideService(known, view.key).intent })
  expect(addresses.record(known, ip('192.0.2.9'))).toMatchObject({ spec: { pool: 'bad' } })
})

test('[P6] nobody else is concerned, and nobody gets the address', () => {
  const [kept, fresh] = [held('web', '10.0.0.0'), service('new', [])]
  const known = withBadPool(lan, kept, fresh)
  expect(decideService(known, fresh.key).intent.ips).toEqual(['10.0.0.1'])
  const asks = service('asks', [], { asksPool: 'bad' })
  known.apply({ type: 'upsert', view: asks })
  expect(decideService(known, asks.key).write?.condition?.reason).toBe('PoolNotFound')
})

test('[P1] of two that may not share it one still lets go', () => {
  const [one, other] = [held('a', '192.0.2.9'), held('b', '192.0.2.9')]
  const known = withBadPool(one, other)
  const ips = [one, other].map(({ key }) => decideService(known, key).intent.ips)
  expect(ips).toEqual([['192.0.2.9'], []])
})

test.each<{ when: string; end: (known: ReturnType<typeof worldOf>) => void; ips: string[] }>([
  {
    when: 'can be read and has the address',
    end: (known) => known.apply({ type: 'upsert', view: pool('bad', ['192.0.2.0/24']) }),
    ips: ['192.0.2.9'],
  },
  {
    when: 'can be read and has not',
    end: (known) => known.apply({ type: 'upsert', view: pool('bad', ['198.51.100.0/24']) }),
    ips: ['198.51.100.0'],
  },
  {
    when: 'is gone',
    end: (known) => known.apply({ type: 'delete', kind: 'IPAddressPool', key: 'bad' }),
    ips: ['10.0.0.0'],
  },
])('once the pool $when, its Services are decided again', ({ end, ips }) => {
  const view = held('web', '192.0.2.9')
  const known = withBadPool(lan, view)
  for (let key = known.queue.pop(); key !== undefined; ) key = known.queue.pop()
  end(known)
  expect(known.queue.pop()).toBe(view.key)
  expect(decideService(known, view.key).intent.ips).toEqual(ips)
})

test('[P2] a tenant that cannot be read takes neither its pools nor what they gave', () => {
  const made = pool('north-api', ['172.17.0.80/29'], {
    tenant: 'north',
    madeFrom: 'north',
    serves: ['api'],
    isOurs: true,
  })
  // Translated: without the tenant nobody knows that this address was meant.
  const asks = { recordedPool: 'north-api', asksPool: 'api', asksByAnnotation: '10.9.0.81' }
  const view = held('web', '172.17.0.81', asks)
  const known = world('Tenant', 'north', lan, made, view)
  expect(tenants.decide(known, 'north').writes).toEqual([])
  const { intent, write } = decideService(known, view.key)
  expect([intent.ips, write]).toEqual([['172.17.0.81'], undefined])
  const queue = new WorkQueue(known, tenants)
  known.apply({ type: 'delete', kind: 'Tenant', key: 'north' })
  expect([...queue.take()]).toEqual(['north'])
  expect(tenants.decide(known, 'north').writes).toMatchObject([
    { type: 'delete', of: { name: 'north-api' } },
  ])
})

test.each<{ asks: Partial<ServiceView>; ips: string[] }>([
  { asks: { asksPool: 'lan' }, ips: ['10.0.0.0'] },
  // Whether these are translated or ignored is what only the tenant says.
  { asks: { asksByAnnotation: '10.0.0.50' }, ips: ['172.17.0.81'] },
  { asks: { asksByAnnotation: 'rubbish' }, ips: ['172.17.0.81'] },
])('of a tenant that cannot be read, who asks for $asks has $ips', ({ asks, ips }) => {
  const made = pool('north-api', ['172.17.0.80/29'], { tenant: 'north', serves: ['api'] })
  const view = held('web', '172.17.0.81', { recordedPool: 'north-api', ...asks })
  const { intent, write } = decideService(world('Tenant', 'north', lan, made, view), view.key)
  expect(intent.ips).toEqual(ips)
  expect(write?.ips).toEqual(ips[0] === '172.17.0.81' ? undefined : ips)
})

test('[R4.19] the pool of a tenant that can be read is as the tenant says', () => {
  const north = tenant('north', { cidrs: ['172.17.0.0/24'], loadBalancer: ['172.17.0.80/29'] })
  const known = world('IPAddressPool', 'north-internalapi', north)
  const view = held('web', '192.0.2.9', { recordedPool: 'north-internalapi' })
  known.apply({ type: 'upsert', view })
  expect(known.inert.isInDoubt(view)).toBe(false)
})
