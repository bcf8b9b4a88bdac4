// Proves that what a lost pool gave is kept, and what a deleted one gave is not (R3.14).
import { expect, test } from 'vitest'
import { addressRecord, holderOf } from '../../../test/build/addressRecord.ts'
import { ip, pool, service, worldOf } from '../../../test/build/announcing.ts'
import { tenant } from '../../../test/build/wires.ts'
import type { ServiceView } from '../model/service.ts'
import { keyOf, type View } from '../model/view.ts'
import { addresses } from './decideAddress.ts'
import { releasedPools } from './decideReleasedPool.ts'
import { decideService } from './decideService.ts'
import { tenants } from './decideTenant.ts'
import { poolsLost } from './poolsLost.ts'
import { WorkQueue } from './workQueue.ts'

const addressed = { status: 'True', reason: 'Addressed', message: '' }
const held = (name: string, address: string, given: Partial<ServiceView> = {}): ServiceView =>
  service(name, [address], { recordedPool: 'old', addressed, ...given })
const record = (service: ServiceView, address: string, of = 'old') =>
  addressRecord(address, { uid: service.key, pool: of, holders: [holderOf(service)] })
const note: View = { kind: 'ReleasedPool', name: 'old' }
const old = pool('old', ['192.0.2.0/24'])
const lan = pool('lan', ['10.0.0.0/24'])
const web = held('web', '192.0.2.9')

function drained(known: ReturnType<typeof worldOf>): string[] {
  const keys: string[] = []
  for (let key = known.queue.pop(); key !== undefined; key = known.queue.pop()) keys.push(key)
  return keys
}

type Kept = { who: string; view: ServiceView; of?: string }
test.each<Kept>([
  { who: 'shows its address', view: web },
  { who: 'does not show it yet', view: service('web', [], { recordedPool: '' }) },
  { who: 'asks for the pool', view: held('web', '192.0.2.9', { asksPool: 'old' }) },
  { who: 'asks for a name it served', view: held('web', '192.0.2.9', { asksPool: 'api' }) },
  { who: 'asks for the address', view: held('web', '192.0.2.9', { asksByField: '192.0.2.9' }) },
  // Only its tenant, which is lost too, knows what this meant.
  { who: 'asked for another', view: held('web', '192.0.2.9', { asksByField: '10.0.0.50' }) },
  { who: 'has an edited annotation', view: held('web', '192.0.2.9', { recordedPool: 'lan' }) },
])(
  '[R3.14] who $who keeps what a lost pool gave, is told once, and so is its record',
  ({ view }) => {
    const known = worldOf(lan, view, record(view, '192.0.2.9'))
    const { intent, write, events } = decideService(known, view.key)
    expect(intent.ips).toEqual(['192.0.2.9'])
    const condition = { status: 'False', reason: 'PoolsLost' }
    expect(write).toMatchObject({ ips: ['192.0.2.9'], pool: 'old', condition })
    expect(events).toMatchObject([{ type: 'Warning', reason: 'PoolsLost' }])
    known.apply({ type: 'intent', intent })
    expect(addresses.record(known, ip('192.0.2.9'))).toBeUndefined()
    const told = { ...view, ingress: [ip('192.0.2.9')], recordedPool: 'old' }
    known.apply({ type: 'upsert', view: { ...told, addressed: write?.condition } })
    const again = decideService(known, view.key)
    expect([again.write, again.events]).toEqual([undefined, []])
  },
)

test('[R3.14] the problem names the pool, what is kept and both ways on', () => {
  const known = worldOf(lan, web, record(web, '192.0.2.9'))
  expect(poolsLost(known)).toEqual([
    {
      code: 'pools-lost',
      severity: 'error',
      object: 'IPAddressPool/metallb-system/old',
      message:
        'pool old is gone, and its deletion was not seen: 1 address is kept; ' +
        'bring the pool back, or run berth release pool old',
    },
  ])
})

type Released = { when: string; views: readonly View[]; ips: readonly string[] }
test.each<Released>([
  { when: 'is released', views: [note, record(web, '192.0.2.9')], ips: ['10.0.0.0'] },
  {
    when: 'is there and has not the address',
    views: [pool('old', ['198.51.100.0/24']), record(web, '192.0.2.9')],
    ips: ['10.0.0.0'],
  },
  {
    when: 'gave it to another of that name',
    views: [record({ ...web, uid: 'another' }, '192.0.2.9')],
    ips: ['10.0.0.0'],
  },
  {
    when: 'has another name now',
    views: [pool('new', ['192.0.2.0/24']), record(web, '192.0.2.9')],
    ips: ['192.0.2.9'],
  },
])('[R3.14] where the pool $when, the Service has $ips', ({ views, ips }) => {
  const known = worldOf(lan, web, ...views)
  known.apply({ type: 'adoption', isOver: true })
  expect(poolsLost(known)).toEqual([])
  expect(decideService(known, web.key).intent.ips).toEqual(ips)
})

type Adopted = { when: string; is: 'begun' | 'done'; views?: readonly View[]; ips: string[] }
test.each<Adopted>([
  { when: 'is not there', is: 'begun', ips: ['192.0.2.9'] },
  { when: 'is not there', is: 'done', ips: ['10.0.0.0'] },
  {
    when: 'has another name now',
    is: 'begun',
    views: [pool('new', ['192.0.2.0/24'])],
    ips: ['192.0.2.9'],
  },
  { when: 'was edited', is: 'begun', views: [pool('old', ['198.51.100.0/24'])], ips: ['10.0.0.0'] },
  { when: 'is released', is: 'begun', views: [note], ips: ['10.0.0.0'] },
])(
  '[R3.14] adoption is $is, and the pool of an address that nobody recorded $when: $ips',
  ({ is, views = [], ips }) => {
    const known = worldOf(lan, web, ...views)
    known.apply({ type: 'adoption', isOver: is === 'done' })
    expect(decideService(known, web.key).intent.ips).toEqual(ips)
  },
)

test('[R3.14] what is adopted without its pool is recorded as lost, until the pool is there', () => {
  const both = service('web', ['192.0.2.9', 'fd00::7'], {
    ...{ recordedPool: 'old', addressed, clusterFamilies: ['IPv4', 'IPv6'] },
  })
  const known = worldOf(pool('six', ['fd00::/64']), both)
  const { intent, write } = decideService(known, both.key)
  expect(write?.condition).toMatchObject({ status: 'False', reason: 'PoolsLost' })
  known.apply({ type: 'intent', intent })
  const spec = (address: string) => addresses.record(known, ip(address))
  expect(spec('192.0.2.9')).toMatchObject({ spec: { pool: 'old', holders: [{ name: 'web' }] } })
  expect(spec('fd00::7')).toMatchObject({ spec: { pool: 'six' } })
  known.apply({ type: 'upsert', view: record(both, '192.0.2.9') })
  known.apply({ type: 'adoption', isOver: true })
  expect(poolsLost(known)).toMatchObject([{ object: 'IPAddressPool/metallb-system/old' }])
  expect(decideService(known, both.key).intent.ips).toEqual(['192.0.2.9', 'fd00::7'])
})

test('[R3.14] a pool that is deleted before our eyes takes what nobody recorded with it', () => {
  const known = worldOf(lan, old, web)
  known.apply({ type: 'delete', kind: 'IPAddressPool', key: 'old' })
  expect(decideService(known, web.key).intent.ips).toEqual(['10.0.0.0'])
})

test('[P8] who asks for another pool gets it, and its record says so', () => {
  const view = held('web', '192.0.2.9', { asksPool: 'lan' })
  const known = worldOf(lan, view, record(view, '192.0.2.9'))
  const { intent } = decideService(known, view.key)
  expect(intent.ips).toEqual(['10.0.0.0'])
  known.apply({ type: 'intent', intent })
  expect(addresses.record(known, ip('10.0.0.0'))).toMatchObject({ spec: { pool: 'lan' } })
  expect(addresses.record(known, ip('192.0.2.9'))).toMatchObject({ type: 'delete' })
})

test('nothing is given from there', () => {
  const asks = service('new', [], { asksByAnnotation: '192.0.2.10' })
  const known = worldOf(lan, web, record(web, '192.0.2.9'), asks)
  const { condition } = decideService(known, asks.key).write ?? {}
  expect(condition?.reason).toBe('AddressNotInPool')
})

test('what is kept for a Service that is gone is given up', () => {
  const known = worldOf(lan, web, record(web, '192.0.2.9'))
  known.apply({ type: 'delete', kind: 'Service', key: web.key })
  expect(addresses.record(known, ip('192.0.2.9'))).toMatchObject({ type: 'delete' })
  expect(poolsLost(known)).toEqual([])
})

const wanted = { apply: 'apply', nothing: 'nothing', delete: 'delete' } as const
function written(known: ReturnType<typeof worldOf>, name: string): string {
  const [write] = releasedPools.decide(known, name).writes
  return write?.type ?? wanted.nothing
}

test('[R3.14] a deletion that was seen is noted first; then all is released, then the note goes', () => {
  const known = worldOf(lan, old, web, record(web, '192.0.2.9'))
  const queue = new WorkQueue(known, releasedPools)
  drained(known)
  known.apply({ type: 'delete', kind: 'IPAddressPool', key: 'old' })
  expect(drained(known)).toEqual([web.key])
  expect([...queue.take()]).toEqual(['old'])
  const before = decideService(known, web.key)
  expect(before).toMatchObject({ intent: { ips: ['192.0.2.9'] }, write: undefined, events: [] })
  expect([written(known, 'old'), poolsLost(known)]).toEqual([wanted.apply, []])
  known.apply({ type: 'upsert', view: note })
  expect(drained(known)).toEqual([web.key])
  expect(written(known, 'old')).toBe(wanted.nothing)
  expect(decideService(known, web.key).intent.ips).toEqual(['10.0.0.0'])
  known.apply({ type: 'delete', kind: 'Address', key: '192.0.2.9' })
  expect([...queue.take()]).toEqual(['old'])
  expect(written(known, 'old')).toBe(wanted.delete)
})

test('[R3.14] what is only no longer there is neither noted nor released', () => {
  const known = worldOf(lan, old, web, record(web, '192.0.2.9'))
  known.apply({ type: 'lose', kind: 'IPAddressPool', key: 'old' })
  expect(written(known, 'old')).toBe(wanted.nothing)
  expect(decideService(known, web.key).intent.ips).toEqual(['192.0.2.9'])
  drained(known)
  known.apply({ type: 'upsert', view: pool('old', ['192.0.2.9/32']) })
  expect(drained(known)).toEqual([web.key])
  expect(decideService(known, web.key).write).toBeUndefined()
})

test('[R3.14] a note does not outlive the return of the pool', () => {
  const known = worldOf(note, old, web, record(web, '192.0.2.9'))
  expect(written(known, 'old')).toBe(wanted.delete)
  expect(decideService(known, web.key).intent.ips).toEqual(['192.0.2.9'])
})

test('a pool that could not be read and is deleted is released', () => {
  const known = worldOf(lan, web, record(web, '192.0.2.9'))
  known.apply({ type: 'inert', kind: 'IPAddressPool', key: 'old' })
  expect(poolsLost(known)).toEqual([])
  known.apply({ type: 'delete', kind: 'IPAddressPool', key: 'old' })
  expect(written(known, 'old')).toBe(wanted.apply)
})

test('a pool that nobody has anything from leaves no note', () => {
  const known = worldOf(lan, old)
  known.apply({ type: 'delete', kind: 'IPAddressPool', key: 'old' })
  expect(written(known, 'old')).toBe(wanted.nothing)
})

const north = tenant('north', { cidrs: ['172.17.0.0/24'], loadBalancer: ['172.17.0.80/29'] })
const made = pool('north-internalapi', ['172.17.0.80/29'], {
  tenant: 'north',
  madeFrom: 'north',
  serves: ['internalapi'],
  isOurs: true,
})
const api = held('api', '172.17.0.81', { recordedPool: made.name })

type Going = { order: string; gone: readonly View[]; as: 'delete' | 'lose'; note: string }
test.each<Going>([
  { order: 'tenant and pool', gone: [north, made], as: 'delete', note: wanted.apply },
  { order: 'pool and tenant', gone: [made, north], as: 'delete', note: wanted.apply },
  { order: 'tenant alone, its pool to follow', gone: [north], as: 'delete', note: wanted.apply },
  { order: 'pool alone, to be made again', gone: [made], as: 'delete', note: wanted.nothing },
  { order: 'tenant and pool', gone: [north, made], as: 'lose', note: wanted.nothing },
])('[R3.14] of a tenant, $order $as: $note', ({ gone, as, note: expected }) => {
  const known = worldOf(lan, north, made, api, record(api, '172.17.0.81', made.name))
  for (const view of gone) known.apply({ type: as, kind: view.kind, key: keyOf(view) })
  expect(written(known, made.name)).toBe(expected)
})

test('[R3.14] what a deleted tenant made is looked at, also while a finalizer keeps it', () => {
  const known = worldOf(lan, north, made, api, record(api, '172.17.0.81', made.name))
  const queue = new WorkQueue(known, releasedPools)
  known.apply({ type: 'delete', kind: 'Tenant', key: 'north' })
  expect([...queue.take()]).toContain(made.name)
})

test('[R3.14] the garbage collector that follows a lost tenant deletes for nobody', () => {
  const known = worldOf(lan, made, api, record(api, '172.17.0.81', made.name))
  expect(tenants.decide(known, 'north').writes).toEqual([])
  known.apply({ type: 'delete', kind: 'IPAddressPool', key: made.name })
  expect(written(known, made.name)).toBe(wanted.nothing)
  expect(decideService(known, api.key).intent.ips).toEqual(['172.17.0.81'])
})

test('[R3.14] what only a lost tenant can translate moves nobody', () => {
  const asks = { asksByAnnotation: '10.0.0.50' }
  const view = held('api', '172.17.0.81', { recordedPool: made.name, ...asks })
  const known = worldOf(lan, made, view, record(view, '172.17.0.81', made.name))
  expect(decideService(known, view.key).intent.ips).toEqual(['172.17.0.81'])
})
