// Does a change wake those whom it concerns, and nobody else? Decisions are counted.
import { expect, test } from 'vitest'
import type { AddressView } from '../../src/core/model/address.ts'
import type { ServiceView } from '../../src/core/model/service.ts'
import type { View } from '../../src/core/model/view.ts'
import type { World } from '../../src/core/model/world.ts'
import { decideService } from '../../src/core/policy/decideService.ts'
import { ip, labelled, node, pool, service, worldOf } from '../build/announcing.ts'
import { tenant } from '../build/wires.ts'

/** Answers who was decided, in order. */
function settle(world: World): string[] {
  const decided: string[] = []
  for (let key = world.queue.pop(); key !== undefined; key = world.queue.pop()) {
    decided.push(key)
    const { intent } = decideService(world, key)
    if (!world.putsOff(intent)) world.apply({ type: 'intent', intent })
  }
  return decided
}

function after(world: World, ...views: readonly View[]): string[] {
  for (const view of views) world.apply({ type: 'upsert', view })
  return settle(world)
}

/** Who is to be decided because of the change itself; they are not. */
function wokenBy(world: World, view: View): string[] {
  world.apply({ type: 'upsert', view })
  const woken: string[] = []
  for (let key = world.queue.pop(); key !== undefined; key = world.queue.pop()) woken.push(key)
  return woken
}

function without(world: World, ...names: readonly string[]): string[] {
  for (const name of names) {
    world.apply({ type: 'delete', kind: 'Service', key: `default/${name}` })
  }
  return settle(world)
}

/** The number is its age. */
const aged = (number: number, given: Partial<ServiceView> = {}): ServiceView => {
  const createdAt = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString()
  return service(`s${number}`, [], { ports: ['TCP/80'], createdAt, ...given })
}
const many = (count: number, given: (number: number) => Partial<ServiceView>): ServiceView[] =>
  Array.from({ length: count }, (_, number) => aged(number, given(number)))

const in_ = (namespace: string) => (number: number) => ({
  namespace,
  key: `${namespace}/s${number}`,
})
const held = (world: World, number: number) => world.holdingOf(`default/s${number}`)?.ips

const address = (text: string, holders: readonly ServiceView[], sharingKey = ''): AddressView => ({
  kind: 'Address',
  name: text,
  uid: `uid-of-${text}`,
  resourceVersion: '1',
  address: ip(text),
  isOurs: true,
  reservedFor: undefined,
  note: '',
  pool: 'p',
  sharingKey,
  holders: holders.map(({ namespace, name, uid, ports, backend }) => ({
    kind: 'Service',
    namespace,
    name,
    uid,
    ports,
    backend,
  })),
})

test('[P2] who holds an address goes first, in whatever order that becomes known', () => {
  const [old, young] = [aged(1), aged(2)]
  const claim = address('10.0.0.0', [young])
  for (const views of [
    [claim, old, young],
    [old, young, claim],
    [young, claim, old],
  ]) {
    const world = worldOf(pool('p', ['10.0.0.8/31']))
    expect(after(world, ...views)).toEqual(['default/s2', 'default/s1'])
    expect([held(world, 1), held(world, 2)]).toEqual([['10.0.0.9'], ['10.0.0.8']])
  }
})

test('a tenant, namespace or node that says the same as before wakes nobody', () => {
  const red = tenant('red', { cidrs: ['10.0.0.0/16'], loadBalancer: ['10.0.1.0/28'] })
  const space: View = { kind: 'Namespace', name: 'red', labels: { a: 'b' } }
  const host = node('n', { addresses: [ip('10.0.1.1')] })
  const world = worldOf(red, space, host)
  expect(after(world, ...many(30, in_('red')))).toHaveLength(30)
  const told: string[] = []
  world.listen(({ kind, key }) => told.push(`${kind}/${key}`))
  expect(after(world, structuredClone(red))).toEqual([])
  expect(told).toContain('Tenant/red')
  expect(after(world, structuredClone(space), structuredClone(host))).toEqual([])
  expect(after(world, { ...red, quota: 3 })).toHaveLength(30)
})

test('[M3.4] who may share an address is woken when one of its key holds it', () => {
  const seven = ip('10.0.0.7')
  const world = worldOf(pool('p', ['10.0.0.7/32']), node('n', { addresses: [seven] }))
  after(world, aged(1, { sharingKey: 'k' }), aged(2, { sharingKey: 'j' }))
  const shown = aged(3, { sharingKey: 'k', ports: ['TCP/81'], ingress: [seven] })
  expect(after(world, shown)).toContain('default/s1')
  expect([held(world, 1), held(world, 2), held(world, 3)]).toEqual([[seven], undefined, [seven]])
})

test('[R7] who waits says that addresses are held back only while there are any', () => {
  const seven = ip('10.0.0.7')
  const world = worldOf(pool('p', ['10.0.0.7/32']), node('n', { addresses: [seven] }))
  after(world, aged(1))
  expect(after(world, aged(2, { ingress: [seven] }))).toEqual(['default/s2', 'default/s1'])
  expect(without(world, 's2')).toEqual(['default/s1'])
  expect(after(world, node('n'))).toContain('default/s1')
  expect(held(world, 1)).toEqual([seven])
})

test('[R3.12] an Address adopts whom it names anew, and not who has let go since', () => {
  const world = worldOf(pool('p', ['10.0.0.0/31']))
  const [one, other] = [1, 2].map((number) =>
    aged(number, { sharingKey: 'k', ports: [`TCP/${number}`] }),
  )
  if (one === undefined || other === undefined) throw new Error('two were made')
  after(world, one, other, address('10.0.0.1', [one], 'k'))
  expect(held(world, 1)).toEqual(['10.0.0.1'])
  world.apply({ type: 'intent', intent: { service: one.key, ips: [], wait: undefined } })
  world.apply({ type: 'drop', service: other.key })
  world.apply({ type: 'upsert', view: address('10.0.0.1', [one, other], 'k') })
  expect([held(world, 1), held(world, 2)]).toEqual([undefined, ['10.0.0.1']])
})

test('a pool wakes only those whom it may serve, or who ask for it', () => {
  const lists = (...namespaces: string[]) => ({
    priority: 0,
    namespaces,
    namespaceSelectors: [],
    serviceSelectors: [],
  })
  const red = tenant('red', { cidrs: ['10.0.0.0/16'], loadBalancer: [] })
  const world = worldOf(red)
  const named = aged(90, { asksPool: 'lan' })
  const asking = aged(91, { asksByField: '10.1.0.5' })
  after(world, ...many(5, () => ({})), named, asking)
  after(world, ...many(3, in_('red')), ...many(2, in_('blue')))
  const asked = 'default/s91'
  const ofRed = ['red/s0', 'red/s1', 'red/s2']
  const forRed = pool('a', ['10.2.0.0/32'], { tenant: 'red' })
  expect(wokenBy(world, forRed)).toEqual([asked, ...ofRed])
  const forBlue = pool('b', ['10.3.0.0/32'], { allocation: lists('blue') })
  expect(wokenBy(world, forBlue)).toEqual([asked, 'blue/s0', 'blue/s1'])
  const byName = pool('lan', ['10.4.0.0/32'], { autoAssign: false })
  expect(wokenBy(world, byName)).toEqual([asked, 'default/s90'])
  const selects = { ...lists('green'), namespaceSelectors: [labelled({ a: 'b' })] }
  const selecting = pool('c', ['10.5.0.0/32'], { allocation: selects })
  expect(wokenBy(world, selecting)).toContain('default/s0')
})

test('a pool that is only labelled anew wakes nobody, and announcements see the labels', () => {
  const lan = pool('lan', ['10.4.0.0/30'])
  const world = worldOf(lan)
  expect(after(world, ...many(6, () => ({})))).toHaveLength(6)
  expect(wokenBy(world, { ...lan, labels: { a: 'b' }, createdAt: '2026-02-01' })).toEqual([])
  expect(world.poolOf(ip('10.4.0.0'))?.labels).toEqual({ a: 'b' })
  expect(world.pools.get('lan')).toBe(world.poolOf(ip('10.4.0.0')))
})

test('[R3.2] a pool that is not given out by itself wakes for whom one of it is reserved', () => {
  const reservation = { ...address('10.0.0.1', []), reservedFor: 'default/s2', isOurs: false }
  const world = worldOf(reservation)
  after(world, aged(1), aged(2))
  const closed = pool('p', ['10.0.0.0/24'], { autoAssign: false })
  expect(after(world, closed)).toEqual(['default/s2'])
  expect(held(world, 2)).toEqual(['10.0.0.1'])
})

test('[R2.3] each free address is offered to one Service, the oldest', () => {
  const world = worldOf(pool('p', ['10.0.0.0/30']))
  const views = many(504, (number) => ({ sharingKey: `k${number}` }))
  after(world, ...views)
  expect(without(world, 's1')).toEqual(['default/s4'])
  expect(without(world, 's0', 's2')).toEqual(['default/s5', 'default/s6'])
  expect([held(world, 5), held(world, 6)]).toEqual([['10.0.0.0'], ['10.0.0.2']])
})

test('[R2.3] what the oldest cannot use goes on to the first that can', () => {
  const world = worldOf(pool('p', ['10.0.0.0/31', 'fd01::/128']))
  const both = { familyPolicy: 'RequireDualStack', clusterFamilies: ['IPv4', 'IPv6'] } as const
  const pairs = many(5, (number) => ({ ...both, sharingKey: `k${number}` }))
  after(world, ...pairs, ...[5, 6, 7].map((number) => aged(number, { sharingKey: `k${number}` })))
  expect([held(world, 0), held(world, 5)]).toEqual([['10.0.0.0', 'fd01::'], ['10.0.0.1']])
  const asked = ['default/s1', 'default/s2', 'default/s3', 'default/s4', 'default/s6']
  expect(without(world, 's5')).toEqual(asked)
  expect([held(world, 6), held(world, 7)]).toEqual([['10.0.0.1'], undefined])
})

test('[M3.4] a free port concerns those of its key only', () => {
  const world = worldOf(pool('p', ['10.0.0.0/32']))
  const sharing = (number: number, port: number) =>
    aged(number, { sharingKey: 'k', ports: [`TCP/${port}`] })
  after(world, sharing(1, 80), sharing(2, 81))
  after(world, aged(3), aged(4, { sharingKey: 'j' }), sharing(5, 81), sharing(6, 80))
  expect(without(world, 's2')).toEqual(['default/s5', 'default/s6'])
  expect([held(world, 5), held(world, 6)]).toEqual([['10.0.0.0'], undefined])
})

test('[M3.4] when a freed address goes to one of a key, those who may share it come along', () => {
  const world = worldOf(pool('p', ['10.0.0.0/32']))
  after(world, aged(0))
  const keyed = [1, 2, 3].map((number) =>
    aged(number, { sharingKey: 'k', ports: [`TCP/${number}`] }),
  )
  after(world, ...keyed, aged(4))
  without(world, 's0')
  expect([1, 2, 3, 4].map((number) => held(world, number)?.length ?? 0)).toEqual([1, 1, 1, 0])
})

test('[R2.4] a pool that comes back serves those that ask for its addresses first, once each', () => {
  const asks = (number: number) =>
    number % 2 === 1 ? { asksByField: `10.0.${number >> 8}.${number & 255}` } : {}
  const [here, away] = [pool('p', ['10.0.0.0/22']), pool('p', ['10.9.0.0/22'])]
  const world = worldOf(here)
  after(world, ...many(1_000, asks))
  const moved = after(world, away)
  expect(moved.length).toBeLessThan(3_000)
  expect([held(world, 998), held(world, 999)]).toEqual([[ip('10.9.1.243')], undefined])
  const back = after(world, here)
  expect(back.length).toBeLessThan(3_000)
  for (let number = 1; number < 1_000; number += 2) {
    expect(held(world, number)).toEqual([ip(`10.0.${number >> 8}.${number & 255}`)])
  }
})
