// Proves the difference that goes out: what is gained, lost, handed over, probed and put off, and
// in which order Services are decided.
import { describe, expect, test } from 'vitest'
import {
  endpoints,
  ip,
  l2,
  node,
  onNode,
  pool,
  service,
  worldOf,
} from '../../../../test/build/announcing.ts'
import { newClock } from '../../../../test/build/manualClock.ts'
import type { View } from '../../../core/model/view.ts'
import type { Speakers } from '../../../core/policy/announce/advertise.ts'
import { electionOrder } from '../../../core/policy/announce/elect.ts'
import type { Claimed } from '../../../core/session/layer2/claim.ts'
import { Announcer } from './announcer.ts'
import { Answers } from './answers.ts'

const nodes = ['a', 'b', 'c']
const scoreOf = () => 0
/** Elected is b, after it a, then c. */
const host = [...Array(200).keys()].find((at) => {
  return electionOrder({ ip: ip(`192.0.2.${at}`), nodes, scoreOf }).join('') === 'bac'
})
const address = `192.0.2.${host}`
const vip = ip(address)

type Stand = {
  readonly split?: string
  readonly live?: readonly string[]
  readonly services?: number
}

function stand({ split = '', live = nodes, services = 1 }: Stand = {}) {
  const names = Array.from({ length: services }, (_, at) => `s${at}`)
  const world = worldOf(
    pool('lan', ['192.0.2.0/24', '198.51.100.0/24'], { split }),
    l2('lan'),
    ...nodes.map((name) => node(name)),
    ...names.map((name, at) => service(name, [at === 0 ? address : `198.51.100.${at}`])),
    ...names.map((name) => endpoints(name, nodes)),
  )
  const clock = newClock()
  const orders: string[] = []
  const left = new Set<string>()
  const told = new Set(nodes)
  const soon: (() => void)[] = []
  let speakers: Speakers = { live: new Set(live), expected: new Set(nodes) }
  const text = ({ address, start }: Claimed) => `${start} ${address}`
  const answers = new Answers({
    driver: {
      announce: (claims) => orders.push(...claims.map(text)),
      withdraw: (addresses) => orders.push(...addresses.map((address) => `withdraw ${address}`)),
    },
    nowMs: clock.nowMs,
    after: clock.after,
  })
  const decided: string[] = []
  const announcer = new Announcer({
    world,
    node: 'a',
    answers,
    speakers: () => speakers,
    hasLeft: (name) => left.has(name),
    hasTold: (_, name) => told.has(name),
    present: () => new Set(['eth0']),
    shouldAnnounceAnyway: false,
    safeDelayMs: () => 420,
    nowMs: () => clock.nowMs(),
    soon: (act) => soon.push(act),
    changed: (key) => decided.push(key),
    failed: (_, error) => {
      throw error
    },
    idle: () => undefined,
  })
  return {
    announcer,
    orders,
    clock,
    left,
    told,
    soon,
    decided,
    see(...names: readonly string[]) {
      speakers = { ...speakers, live: new Set(names) }
      announcer.speakersChanged()
    },
    put(...views: readonly View[]) {
      for (const view of views) world.apply({ type: 'upsert', view })
      announcer.wakeAll()
      announcer.pump()
    },
    drop(kind: View['kind'], key: string) {
      world.apply({ type: 'delete', kind, key })
      announcer.wakeAll()
      announcer.pump()
    },
  }
}

describe('the difference', () => {
  test('nothing goes out before everything is known', () => {
    const { announcer, orders } = stand({ live: ['a'] })
    announcer.wakeAll()
    announcer.pump()
    expect(orders).toEqual([])
    announcer.start()
    expect(orders).toEqual([`probe ${vip}`])
  })

  test('what has not changed is not announced again', () => {
    const { announcer, orders, see } = stand({ live: ['a'] })
    announcer.start()
    see('a')
    announcer.wakeAll()
    announcer.pump()
    expect(orders).toHaveLength(1)
  })

  test('a Service that is deleted is let go at once', () => {
    const { announcer, orders, drop } = stand({ live: ['a'] })
    announcer.start()
    drop('Service', 'default/s0')
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`])
    expect(announcer.standings.size).toBe(0)
  })

  test('one that moves to another node is let go a little later', () => {
    const { announcer, orders, clock, see } = stand({ live: ['a'] })
    announcer.start()
    see('a', 'b')
    expect(orders).toEqual([`probe ${vip}`])
    clock.advance(150)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`])
  })

  test('and later still where the other hears of it from another API server', () => {
    const { announcer, orders, clock, put } = stand({ live: ['a', 'c'] })
    announcer.start()
    announcer.speakersChanged()
    clock.advance(10_000)
    put(l2('lan', { nodeSelectors: [onNode('c')] }))
    clock.advance(1_499)
    expect(orders).toEqual([`probe ${vip}`])
    clock.advance(1)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`])
  })

  test('one that comes back meanwhile is announced anew', () => {
    const { announcer, orders, clock, see } = stand({ live: ['a'] })
    announcer.start()
    announcer.started([vip])
    see('a', 'b')
    see('a')
    clock.advance(10_000)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`, `burst ${vip}`])
  })

  test('where nothing is left to forward to, it is let go at once', () => {
    const { announcer, orders, put } = stand({ live: ['a', 'b'] })
    put(service('s0', [address], { isLocal: true }), endpoints('s0', ['a']))
    announcer.start()
    put(endpoints('s0', ['b']))
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`])
  })

  test('who leaves decides nothing more', () => {
    const { announcer, orders, clock, see } = stand({ live: ['a'] })
    announcer.start()
    announcer.leave()
    see('b')
    clock.advance(1_000)
    expect(orders).toEqual([`probe ${vip}`])
  })

  test("silent while MetalLB's speaker is here, and back when it is gone", () => {
    const { announcer, orders } = stand({ live: ['a'] })
    announcer.start()
    announcer.started([vip])
    announcer.keepSilent(true)
    announcer.keepSilent(false)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`, `burst ${vip}`])
  })

  test('[M5.3] without any of the listed interfaces it is failed, not announced', () => {
    const { announcer, orders, put } = stand({ live: ['a'] })
    put(l2('lan', { interfaces: ['eth7'] }))
    announcer.start()
    expect(orders).toEqual([])
    expect(announcer.standings.get('default/s0')).toMatchObject({ isFailed: true, isOurs: false })
  })
})

describe('the probe', () => {
  test('never on a takeover', () => {
    const { announcer, orders, see } = stand({ live: ['b'] })
    announcer.start()
    see('a')
    expect(orders).toEqual([`burst ${vip}`])
  })

  test('on a takeover from a node that never told that it announces it', () => {
    const { announcer, orders, told, see } = stand({ live: ['b'] })
    told.delete('b')
    announcer.start()
    see('a')
    expect(orders).toEqual([`probe ${vip}`])
  })

  test.each([
    { what: 'has begun', steps: [true], start: 'burst' },
    { what: 'has not', steps: [false], start: 'probe' },
    { what: 'has begun, and given up', steps: [true, false], start: 'probe' },
  ])('$start on a takeover from a node that told later that it $what', ({ steps, start }) => {
    const { announcer, orders, told, see } = stand({ live: ['b'] })
    told.delete('b')
    announcer.start()
    for (const hasTold of steps) {
      if (hasTold) told.add('b')
      else told.delete('b')
      announcer.told('default/s0', 'b')
    }
    see('a')
    expect(orders).toEqual([`${start} ${vip}`])
  })

  test('again when another machine had it all the time', () => {
    const { announcer, orders } = stand({ live: ['a'] })
    announcer.start()
    announcer.keepSilent(true)
    announcer.keepSilent(false)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`, `probe ${vip}`])
  })

  test('never after a restart', () => {
    const { announcer, orders } = stand({ live: ['a'] })
    announcer.remember([vip])
    announcer.start()
    expect(orders).toEqual([`burst ${vip}`])
  })

  test('not when it comes back to a Service that had it, but for a Service that is new', () => {
    const { announcer, orders, put } = stand({ live: ['a'] })
    announcer.start()
    announcer.started([vip])
    put(endpoints('s0', []))
    put(endpoints('s0', ['a']))
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`, `burst ${vip}`])
    put(service('new', ['198.51.100.9']), endpoints('new', ['a']))
    expect(orders.at(-1)).toBe('probe 198.51.100.9')
  })

  test('again once nobody had it for a while', () => {
    const { announcer, orders, put, drop } = stand({ live: ['a'] })
    announcer.start()
    drop('Service', 'default/s0')
    announcer.forget([vip])
    put(service('s0', [address]))
    expect(orders.at(-1)).toBe(`probe ${vip}`)
  })
})

describe('[R8.3] a pool that is split safely', () => {
  test.each([
    { how: 'died', hasLeft: false, atOnce: 0 },
    { how: 'left', hasLeft: true, atOnce: 1 },
  ])('is taken over from a node that $how: $atOnce at once', ({ hasLeft, atOnce }) => {
    const { announcer, orders, clock, left, see } = stand({ split: 'safe' })
    announcer.start()
    if (hasLeft) left.add('b')
    see('a', 'c')
    expect(orders).toHaveLength(atOnce)
    clock.advance(420)
    expect(orders).toEqual([`burst ${vip}`])
  })

  test('without the majority it is let go at once', () => {
    const { announcer, orders, see } = stand({ split: 'safe', live: ['a', 'c'] })
    announcer.start()
    see('a')
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`])
  })
})

/** Each look at the clock takes a while. */
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
  test('those of a node that died are decided before all others', () => {
    const { announcer, decided, see } = stand({ services: 60 })
    announcer.start()
    const dead = [...announcer.standings].flatMap(([key, { owner }]) => (owner === 'b' ? key : []))
    decided.length = 0
    see('a', 'c')
    expect(dead.length).toBeGreaterThan(5)
    expect(decided.slice(0, dead.length).sort()).toEqual(dead.sort())
  })

  test('are decided in slices, so that beats go on', () => {
    const { announcer, clock, soon, decided } = stand({ services: 60 })
    takeTime(clock)
    announcer.start()
    expect(decided.length).toBeLessThan(60)
    goOn(soon)
    expect(decided).toHaveLength(60)
    expect(announcer.isQuiet).toBe(true)
  })

  test('what changes in the midst of it is decided as if it had been so from the start', () => {
    const { announcer, clock, soon, see } = stand({ services: 60 })
    takeTime(clock)
    announcer.start()
    see('a', 'c')
    expect(announcer.isQuiet).toBe(false)
    goOn(soon)
    expect(announcer.isQuiet).toBe(true)
    const fresh = stand({ services: 60, live: ['a', 'c'] })
    fresh.announcer.start()
    expect(announcer.standings.size).toBe(60)
    expect(new Map(announcer.standings)).toEqual(new Map(fresh.announcer.standings))
  })
})
