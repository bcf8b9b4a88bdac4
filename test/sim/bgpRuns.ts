// What may happen to a node and its routers, and what must hold then? The seed is the whole run, in
// virtual time (`newTime`).
import { expect, vi } from 'vitest'
import type { Route } from '../../src/core/session/bgp/routes.ts'
import { randomFrom } from '../build/random.ts'
import { BgpNetwork } from './bgpNetwork.ts'

export function newTime(): void {
  const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const
  vi.useFakeTimers({ toFake: [...toFake, 'setImmediate', 'clearImmediate', 'Date'] })
}

const run = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const names = ['keeping', 'plain'] as const

function pick<T>(random: () => number, some: readonly T[]): T {
  const one = some[Math.floor(random() * some.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

const prefixes = [
  ...Array.from({ length: 12 }, (_, at) => `10.50.0.${at}/32`),
  ...Array.from({ length: 4 }, (_, at) => `2001:db8:50::${at + 1}/128`),
]
const holders = ['shop/web', 'shop/dns', 'shop/mail', 'bank/web', 'bank/api']

/** What one Service has by now: some prefixes, which others may hold too. */
const routesOf = (random: () => number): readonly Route[] =>
  prefixes
    .filter(() => random() < 0.3)
    .map((prefix) => ({
      ...{ prefix, localPref: undefined },
      communities: random() < 0.5 ? [] : [`64512:${Math.floor(random() * 3)}`],
      ...(random() < 0.2 && { med: Math.floor(random() * 3) }),
    }))

/** One thing that happens. */
const events: Readonly<Record<string, (its: BgpNetwork) => void | Promise<void>>> = {
  change: (its) => its.hold(pick(its.random, holders), routesOf(its.random)),
  'change again': (its) => its.hold(pick(its.random, holders), routesOf(its.random)),
  empty: (its) => its.hold(pick(its.random, holders), []),
  cut: (its) => its.cut(pick(its.random, names)),
  heal: (its) => its.heal(),
  'restart a router': (its) => its.routers[pick(its.random, names)].restart('daemon'),
  'lose a router': (its) => its.routers[pick(its.random, names)].restart('machine'),
  refresh: (its) => its.refresh(pick(its.random, names), pick(its.random, ['IPv4', 'IPv6'])),
  restart: (its) => its.restart('pause'),
  stop: (its) => its.restart('stop'),
  'kill the speaker': (its) => its.kill('process'),
  'lose the node': (its) => its.kill('machine'),
  start: (its) => its.start(),
  'another port': (its) => its.move(),
}

async function begun(seed: number): Promise<BgpNetwork> {
  const its = new BgpNetwork(randomFrom(seed))
  its.start()
  for (const holder of holders) its.hold(holder, routesOf(its.random))
  await run(10_000)
  return its
}

const expectSame = (its: BgpNetwork, what: string): void => {
  const wanted = [...its.wanted()].sort()
  for (const name of names) {
    const { table, isUp, complaints } = its.routers[name]
    expect({ isUp, complaints, table: [...table].sort() }, `${name}, ${what}`).toEqual({
      ...{ isUp: true, complaints: [] },
      table: wanted,
    })
  }
}

/** In the end no route is missing or too many. */
export async function anythingHappens(seed: number): Promise<void> {
  const its = await begun(seed)
  for (let round = 0; round < 6; round++) {
    const happened: string[] = []
    for (let turn = 0; turn < 8; turn++) {
      const what = pick(its.random, Object.keys(events))
      happened.push(what)
      await events[what]?.(its)
      await run(pick(its.random, [0, 10, 1_000, 15_000]) * its.random())
      expect(its.broken, happened.join(', ')).toEqual([])
    }
    its.heal()
    its.start()
    // Longer than a router keeps what is stale, and than the longest pause between two attempts.
    await run(180_000)
    expectSame(its, happened.join(', '))
  }
}

/** No restart takes a route from a router that keeps them, unless nobody wants it any more. */
export async function speakerRestarts(seed: number): Promise<void> {
  const its = await begun(seed)
  const { keeping } = its.routers
  for (let round = 0; round < 5; round++) {
    expectSame(its, `round ${round}`)
    keeping.lost.length = 0
    const before = new Set(keeping.table.keys())
    await pick(its.random, [() => its.restart('pause'), () => its.kill('process')])()
    await run(10_000 * its.random())
    its.start()
    // What changes while it is away, or before it has told anything.
    its.hold(pick(its.random, holders), routesOf(its.random))
    await run(60_000)
    const wanted = its.wanted()
    expect(keeping.lost.filter(({ prefix }) => before.has(prefix) && wanted.has(prefix))).toEqual(
      [],
    )
    expect(its.broken).toEqual([])
  }
}

/** A link that is cut for less than the hold time costs nothing. */
export async function linkFlaps(seed: number): Promise<void> {
  const its = await begun(seed)
  for (const { lost } of Object.values(its.routers)) lost.length = 0
  for (let round = 0; round < 10; round++) {
    for (const name of names) if (its.random() < 0.5) its.cut(name)
    await run(5_000 * its.random())
    its.heal()
    await run(3_000)
  }
  for (const name of names) expect(its.routers[name].lost).toEqual([])
  expectSame(its, 'after ten cuts')
}
