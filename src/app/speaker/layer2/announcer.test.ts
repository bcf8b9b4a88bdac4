// Proves which differences go out: gained, lost, handed over, probed and delayed addresses, and the
// order in which Services are decided.
import { describe, expect, test } from 'vitest'
import { address, announcerStand, nodes, vip } from '../../../../test/build/announcerStand.ts'
import { endpoints, l2, onNode, service } from '../../../../test/build/announcing.ts'
import type { newClock } from '../../../../test/build/manualClock.ts'

describe('differences', () => {
  test('nothing goes out before everything is known', () => {
    const { life, orders } = announcerStand({ live: ['a'] })
    life.configurationChanged()
    life.pump()
    expect(orders).toEqual([])
    life.begin()
    expect(orders).toEqual([`probe ${vip}`])
  })

  test('an unchanged Service is not announced again', () => {
    const { life, orders, see } = announcerStand({ live: ['a'] })
    life.begin()
    see('a')
    life.configurationChanged()
    life.pump()
    expect(orders).toHaveLength(1)
  })

  test('a deleted Service is withdrawn at once', () => {
    const { life, orders, drop } = announcerStand({ live: ['a'] })
    life.begin()
    drop('Service', 'default/s0')
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`])
    expect(life.wanted.size).toBe(0)
  })

  test('a Service that moves to another node is withdrawn a little later', () => {
    const { life, orders, clock, see } = announcerStand({ live: ['a'] })
    life.begin()
    see('a', 'b')
    expect(orders).toEqual([`probe ${vip}`])
    clock.advance(150)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`])
  })

  test('it is withdrawn later still if the new owner may read from another API server', () => {
    const { announcer, life, orders, clock, put } = announcerStand({ live: ['a', 'c'] })
    life.begin()
    announcer.speakersChanged()
    clock.advance(10_000)
    put(l2('lan', { nodeSelectors: [onNode('c')] }))
    clock.advance(1_499)
    expect(orders).toEqual([`probe ${vip}`])
    clock.advance(1)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`])
  })

  test('a Service that comes back in the meantime is announced again', () => {
    const { announcer, life, orders, clock, see } = announcerStand({ live: ['a'] })
    life.begin()
    announcer.started(vip)
    see('a', 'b')
    see('a')
    clock.advance(10_000)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`, `burst ${vip}`])
  })

  test('without an endpoint to forward to, it is withdrawn at once', () => {
    const { life, orders, put } = announcerStand({ live: ['a', 'b'] })
    put(service('s0', [address], { isLocal: true }), endpoints('s0', ['a']))
    life.begin()
    put(endpoints('s0', ['b']))
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`])
  })

  test('a leaving node decides nothing more', () => {
    const { life, orders, clock, see } = announcerStand({ live: ['a'] })
    life.begin()
    void life.leave()
    see('b')
    clock.advance(1_000)
    expect(orders).toEqual([`probe ${vip}`])
  })

  test("it is silent while MetalLB's speaker runs here and resumes afterwards", () => {
    const { announcer, life, orders, keepSilent } = announcerStand({ live: ['a'] })
    life.begin()
    announcer.started(vip)
    keepSilent(true)
    keepSilent(false)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`, `burst ${vip}`])
  })

  test('[M5.3] without any of the listed interfaces it fails and announces nothing', () => {
    const { life, orders, put } = announcerStand({ live: ['a'] })
    put(l2('lan', { interfaces: ['eth7'] }))
    life.begin()
    expect(orders).toEqual([])
    expect(life.wanted.get('default/s0')).toMatchObject({ isFailed: true, isOurs: false })
  })
})

describe('it probes', () => {
  test('not on a takeover', () => {
    const { life, orders, see } = announcerStand({ live: ['b'] })
    life.begin()
    see('a')
    expect(orders).toEqual([`burst ${vip}`])
  })

  test('on a takeover from a node that never reported the announcement', () => {
    const { life, orders, told, see } = announcerStand({ live: ['b'] })
    told.delete('b')
    life.begin()
    see('a')
    expect(orders).toEqual([`probe ${vip}`])
  })

  test.each([
    { what: 'announces it', steps: [true], laterMs: 0, start: 'burst' },
    { what: 'does not', steps: [false], laterMs: 0, start: 'probe' },
    { what: 'has just ceased', steps: [true, false], laterMs: 2_999, start: 'burst' },
    { what: 'gave up long ago', steps: [true, false], laterMs: 3_000, start: 'probe' },
  ])('$start on a takeover from a node that later reports that it $what', (row) => {
    const { announcer, life, orders, told, see, clock } = announcerStand({ live: ['b'] })
    told.delete('b')
    life.begin()
    for (const hasTold of row.steps) {
      if (hasTold) told.add('b')
      else told.delete('b')
      announcer.told('default/s0', 'b')
    }
    clock.advance(row.laterMs)
    see('a')
    expect(orders).toEqual([`${row.start} ${vip}`])
  })

  test.each([
    { what: 'a moment', laterMs: 2_999, start: 'burst' },
    { what: 'an hour', laterMs: 3_600_000, start: 'probe' },
  ])('[R8.24] $start $what after the last endpoint went, of another node or its own', (row) => {
    for (const owner of ['a', 'b']) {
      const { announcer, life, orders, told, see, clock, put } = announcerStand({ live: [owner] })
      life.begin()
      announcer.started(vip)
      put(endpoints('s0', []))
      told.clear()
      clock.advance(row.laterMs)
      put(endpoints('s0', nodes))
      see('a')
      expect([owner, orders.at(-1)]).toEqual([owner, `${row.start} ${vip}`])
    }
  })

  test('[R8.24] not while a node announces it for another Service', () => {
    const { life, orders, see, clock, put } = announcerStand({ live: ['b'] })
    put(service('s1', [address], { sharingKey: 'one' }), endpoints('s1', nodes))
    life.begin()
    put(endpoints('s0', []))
    clock.advance(3_600_000)
    see('a')
    expect(orders).toEqual([`burst ${vip}`])
  })

  test('again if another machine had the address all along', () => {
    const { life, orders, keepSilent } = announcerStand({ live: ['a'] })
    life.begin()
    keepSilent(true)
    keepSilent(false)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`, `probe ${vip}`])
  })

  test('not after a restart', () => {
    const { announcer, life, orders } = announcerStand({ live: ['a'] })
    announcer.remember([vip])
    life.begin()
    expect(orders).toEqual([`burst ${vip}`])
  })

  test('for a new Service, not when the address returns to the Service that had it', () => {
    const { announcer, life, orders, put } = announcerStand({ live: ['a'] })
    life.begin()
    announcer.started(vip)
    put(endpoints('s0', []))
    put(endpoints('s0', ['a']))
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`, `burst ${vip}`])
    put(service('new', ['198.51.100.9']), endpoints('new', ['a']))
    expect(orders.at(-1)).toBe('probe 198.51.100.9')
  })

  test('again once nobody has held the address for a while', () => {
    const { announcer, life, orders, put, drop } = announcerStand({ live: ['a'] })
    life.begin()
    drop('Service', 'default/s0')
    announcer.forget([vip])
    put(service('s0', [address]))
    expect(orders.at(-1)).toBe(`probe ${vip}`)
  })
})

describe('[R8.3] a pool with a safe split', () => {
  test.each([
    { how: 'died', hasLeft: false, atOnce: 0 },
    { how: 'left', hasLeft: true, atOnce: 1 },
  ])('is taken over from a node that $how: $atOnce at once', ({ hasLeft, atOnce }) => {
    const { life, orders, clock, left, see } = announcerStand({ split: 'safe' })
    life.begin()
    if (hasLeft) left.add('b')
    see('a', 'c')
    expect(orders).toHaveLength(atOnce)
    clock.advance(420)
    expect(orders).toEqual([`burst ${vip}`])
  })

  test('without a majority it is withdrawn at once', () => {
    const { life, orders, see } = announcerStand({ split: 'safe', live: ['a', 'c'] })
    life.begin()
    see('a')
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`])
  })
})

/** Every reading of the clock advances it. */
function takeTime(clock: ReturnType<typeof newClock>): void {
  const { nowMs } = clock
  clock.nowMs = () => {
    clock.advance(3)
    return nowMs()
  }
}

function goOn(soon: (() => void)[]): void {
  for (let turns = 0; soon.length > 0 && turns < 100; turns++) soon.shift()?.()
}

describe('many Services', () => {
  test('those of a dead node are decided first', () => {
    const { life, decided, see } = announcerStand({ services: 60 })
    life.begin()
    const dead = [...life.wanted].flatMap(([key, { owner }]) => (owner === 'b' ? key : []))
    decided.length = 0
    see('a', 'c')
    expect(dead.length).toBeGreaterThan(5)
    expect(decided.slice(0, dead.length).sort()).toEqual(dead.sort())
  })

  test('are decided in slices, so that heartbeats continue', () => {
    const { life, clock, soon, decided } = announcerStand({ services: 60 })
    takeTime(clock)
    life.begin()
    expect(decided.length).toBeLessThan(60)
    goOn(soon)
    expect(decided).toHaveLength(60)
    expect(life.isQuiet).toBe(true)
  })

  test('a change halfway through gives the same result as one from the start', () => {
    const { life, clock, soon, see } = announcerStand({ services: 60 })
    takeTime(clock)
    life.begin()
    see('a', 'c')
    expect(life.isQuiet).toBe(false)
    goOn(soon)
    expect(life.isQuiet).toBe(true)
    const fresh = announcerStand({ services: 60, live: ['a', 'c'] })
    fresh.life.begin()
    expect(life.wanted.size).toBe(60)
    expect(new Map(life.wanted)).toEqual(new Map(fresh.life.wanted))
  })
})
