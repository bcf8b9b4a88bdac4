// Proves which differences go out: gained, lost, handed over, probed and delayed addresses, and the
// order in which Services are decided.
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
import type { Announcement } from '../../../core/session/layer2/announcement.ts'
import type { Protocol } from '../protocol.ts'
import { ProtocolLife } from '../protocolLife.ts'
import { Announcer } from './announcer.ts'
import { Answers } from './answers.ts'
import type { Election } from './election.ts'

const nodes = ['a', 'b', 'c']
const scoreOf = () => 0
/** The address for which b is elected, then a, then c. */
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
  const text = ({ address, start }: Announcement) => `${start} ${address}`
  const answers = new Answers({
    driver: {
      announce: (announcements) => orders.push(...announcements.map(text)),
      withdraw: (addresses) => orders.push(...addresses.map((address) => `withdraw ${address}`)),
    },
    nowMs: clock.nowMs,
    after: clock.after,
  })
  const decided: string[] = []
  const unknown = { nodeUid: '', speakers: undefined, hasRunBefore: false }
  const state = { ...unknown, hasApi: true, isSilent: false }
  const peers = {
    get speakers() {
      return speakers
    },
    hasLeft: (name: string) => left.has(name),
    safeDelayMs: 420,
  }
  const statuses = { hasTold: (_: string, name: string) => told.has(name) }
  const links = { names: new Set(['eth0']) }
  const parts = { answers, peers, statuses, links, shouldAnnounceAnyway: false }
  let announcer: Announcer | undefined
  const host = { ...notUsed, world, node: 'a', clock: { ...clock, nowMs: () => clock.nowMs() } }
  const life = new ProtocolLife<Election>(
    {
      name: 'layer2',
      kinds: [],
      start(given) {
        announcer = new Announcer({ ...parts, host: given })
        return protocolOf(announcer, answers, (key) => decided.push(key))
      },
    },
    {
      ...host,
      state,
      isReady: () => true,
      soon: (act) => soon.push(act),
      log: ({ message }) => {
        throw new Error(String(message))
      },
    },
  )
  if (announcer === undefined) throw new Error('it has not started')
  return { announcer, life, orders, clock, left, told, soon, decided, ...stepsOf() }

  function stepsOf() {
    const change = (act: () => void) => {
      act()
      life.configurationChanged()
      life.pump()
    }
    return {
      see(...names: readonly string[]) {
        speakers = { ...speakers, live: new Set(names) }
        for (const key of announcer?.speakersChanged() ?? []) life.urge(key)
        life.wakeAll()
        life.pump()
      },
      keepSilent: (isSilent: boolean) =>
        change(() => {
          state.isSilent = isSilent
        }),
      put: (...views: readonly View[]) =>
        change(() => {
          for (const view of views) world.apply({ type: 'upsert', view })
        }),
      drop: (kind: View['kind'], key: string) =>
        change(() => world.apply({ type: 'delete', kind, key })),
    }
  }
}

const unasked = (): never => {
  throw new Error('not used in this test')
}
const notUsed = {
  api: { call: unasked, stream: unasked, close: unasked },
  pod: undefined,
  random: () => 0,
  timestamp: () => '',
}

/** The announcer alone: no thread, no membership, no status. */
function protocolOf(
  announcer: Announcer,
  answers: Answers,
  decided: (key: string) => void,
): Protocol<Election> {
  return {
    missing: [],
    ended: new Promise(() => undefined),
    report: {
      announced: () => [],
      problems: async () => [],
      complaints: () => [],
      metrics: () => [],
    },
    stateChanged: () => undefined,
    worldChanged: () => announcer.lookAgain(),
    wants: (service) => announcer.wants(service),
    apply(change) {
      announcer.apply(change)
      decided(change.service)
    },
    flush: () => answers.flush(),
    settled: () => announcer.lookAgain(),
    leave: async () => answers.stay(),
    stop: async () => undefined,
  }
}

describe('differences', () => {
  test('nothing goes out before everything is known', () => {
    const { life, orders } = stand({ live: ['a'] })
    life.configurationChanged()
    life.pump()
    expect(orders).toEqual([])
    life.begin()
    expect(orders).toEqual([`probe ${vip}`])
  })

  test('an unchanged Service is not announced again', () => {
    const { life, orders, see } = stand({ live: ['a'] })
    life.begin()
    see('a')
    life.configurationChanged()
    life.pump()
    expect(orders).toHaveLength(1)
  })

  test('a deleted Service is withdrawn at once', () => {
    const { life, orders, drop } = stand({ live: ['a'] })
    life.begin()
    drop('Service', 'default/s0')
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`])
    expect(life.wanted.size).toBe(0)
  })

  test('a Service that moves to another node is withdrawn a little later', () => {
    const { life, orders, clock, see } = stand({ live: ['a'] })
    life.begin()
    see('a', 'b')
    expect(orders).toEqual([`probe ${vip}`])
    clock.advance(150)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`])
  })

  test('it is withdrawn later still if the new owner may read from another API server', () => {
    const { announcer, life, orders, clock, put } = stand({ live: ['a', 'c'] })
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
    const { announcer, life, orders, clock, see } = stand({ live: ['a'] })
    life.begin()
    announcer.started(vip)
    see('a', 'b')
    see('a')
    clock.advance(10_000)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`, `burst ${vip}`])
  })

  test('without an endpoint to forward to, it is withdrawn at once', () => {
    const { life, orders, put } = stand({ live: ['a', 'b'] })
    put(service('s0', [address], { isLocal: true }), endpoints('s0', ['a']))
    life.begin()
    put(endpoints('s0', ['b']))
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`])
  })

  test('a leaving node decides nothing more', () => {
    const { life, orders, clock, see } = stand({ live: ['a'] })
    life.begin()
    void life.leave()
    see('b')
    clock.advance(1_000)
    expect(orders).toEqual([`probe ${vip}`])
  })

  test("it is silent while MetalLB's speaker runs here and resumes afterwards", () => {
    const { announcer, life, orders, keepSilent } = stand({ live: ['a'] })
    life.begin()
    announcer.started(vip)
    keepSilent(true)
    keepSilent(false)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`, `burst ${vip}`])
  })

  test('[M5.3] without any of the listed interfaces it fails and announces nothing', () => {
    const { life, orders, put } = stand({ live: ['a'] })
    put(l2('lan', { interfaces: ['eth7'] }))
    life.begin()
    expect(orders).toEqual([])
    expect(life.wanted.get('default/s0')).toMatchObject({ isFailed: true, isOurs: false })
  })
})

describe('it probes', () => {
  test('not on a takeover', () => {
    const { life, orders, see } = stand({ live: ['b'] })
    life.begin()
    see('a')
    expect(orders).toEqual([`burst ${vip}`])
  })

  test('on a takeover from a node that never reported the announcement', () => {
    const { life, orders, told, see } = stand({ live: ['b'] })
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
    const { announcer, life, orders, told, see, clock } = stand({ live: ['b'] })
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

  test('again if another machine had the address all along', () => {
    const { life, orders, keepSilent } = stand({ live: ['a'] })
    life.begin()
    keepSilent(true)
    keepSilent(false)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`, `probe ${vip}`])
  })

  test('not after a restart', () => {
    const { announcer, life, orders } = stand({ live: ['a'] })
    announcer.remember([vip])
    life.begin()
    expect(orders).toEqual([`burst ${vip}`])
  })

  test('for a new Service, not when the address returns to the Service that had it', () => {
    const { announcer, life, orders, put } = stand({ live: ['a'] })
    life.begin()
    announcer.started(vip)
    put(endpoints('s0', []))
    put(endpoints('s0', ['a']))
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`, `burst ${vip}`])
    put(service('new', ['198.51.100.9']), endpoints('new', ['a']))
    expect(orders.at(-1)).toBe('probe 198.51.100.9')
  })

  test('again once nobody has held the address for a while', () => {
    const { announcer, life, orders, put, drop } = stand({ live: ['a'] })
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
    const { life, orders, clock, left, see } = stand({ split: 'safe' })
    life.begin()
    if (hasLeft) left.add('b')
    see('a', 'c')
    expect(orders).toHaveLength(atOnce)
    clock.advance(420)
    expect(orders).toEqual([`burst ${vip}`])
  })

  test('without a majority it is withdrawn at once', () => {
    const { life, orders, see } = stand({ split: 'safe', live: ['a', 'c'] })
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
    const { life, decided, see } = stand({ services: 60 })
    life.begin()
    const dead = [...life.wanted].flatMap(([key, { owner }]) => (owner === 'b' ? key : []))
    decided.length = 0
    see('a', 'c')
    expect(dead.length).toBeGreaterThan(5)
    expect(decided.slice(0, dead.length).sort()).toEqual(dead.sort())
  })

  test('are decided in slices, so that heartbeats continue', () => {
    const { life, clock, soon, decided } = stand({ services: 60 })
    takeTime(clock)
    life.begin()
    expect(decided.length).toBeLessThan(60)
    goOn(soon)
    expect(decided).toHaveLength(60)
    expect(life.isQuiet).toBe(true)
  })

  test('a change halfway through gives the same result as one from the start', () => {
    const { life, clock, soon, see } = stand({ services: 60 })
    takeTime(clock)
    life.begin()
    see('a', 'c')
    expect(life.isQuiet).toBe(false)
    goOn(soon)
    expect(life.isQuiet).toBe(true)
    const fresh = stand({ services: 60, live: ['a', 'c'] })
    fresh.life.begin()
    expect(life.wanted.size).toBe(60)
    expect(new Map(life.wanted)).toEqual(new Map(fresh.life.wanted))
  })
})
