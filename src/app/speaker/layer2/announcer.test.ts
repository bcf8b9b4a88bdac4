// Proves which differences go out: gained, lost, handed over and delayed addresses, and the order in
// which Services are decided.
import { describe, expect, test } from 'vitest'
import { address, announcerStand, vip } from '../../../../test/build/announcerStand.ts'
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
