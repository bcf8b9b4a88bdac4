// What is a pool, who uses it, who waits for it, who announces it, and what is wrong with it?
import type { Pool } from '../../model/pool.ts'
import { answersTo } from '../../model/poolSense.ts'
import { type Problem, problemRemedies } from '../../model/problem.ts'
import type { Reason } from '../../model/reason.ts'
import { type Selector, selectorText } from '../../model/selector.ts'
import type { Key } from '../../model/service.ts'
import { siteMaker } from '../../model/sitePools.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { rangeText } from '../../net/intervals.ts'
import { type Family, type Ip, toBigInt } from '../../net/ip.ts'
import { admits } from '../admits.ts'
import type { Speakers } from '../announce/advertise.ts'
import { waitsWhenFull } from '../offers.ts'
import { problems } from '../problems.ts'
import { type Coverage, explainCoverage } from './explainCoverage.ts'
import { type Lack, type Waiter, waitersFor } from './explainWaiting.ts'

export type PoolExplanation = {
  readonly pool: string
  readonly ranges: readonly string[]
  readonly autoAssign: boolean
  readonly avoidBuggyIPs: boolean
  /** 0 comes last (M3.2). */
  readonly priority: number
  readonly scope: Scope
  /** The names that Services may ask for it by, its own first. */
  readonly answersTo: readonly string[]
  /** Empty: an open pool. */
  readonly tenant: string
  readonly madeFrom: string
  readonly whenFull: 'wait' | 'next'
  readonly use: readonly FamilyUse[]
  readonly holdings: readonly { readonly address: Ip; readonly services: readonly Key[] }[]
  readonly waiters: readonly Waiter[]
  readonly coverage: Coverage
  readonly problems: readonly (Problem & { readonly remedy: string })[]
}
/** Selectors as text; all empty: open to every Service. */
type Scope = {
  readonly namespaces: readonly string[]
  readonly namespaceSelectors: readonly string[]
  readonly serviceSelectors: readonly string[]
}
export type FamilyUse = {
  readonly family: Family
  readonly capacity: bigint
  readonly held: number
  /** Reserved or kept free, and not held. */
  readonly reserved: number
  /** In use by nodes, gateways or node ranges, and neither held nor reserved. */
  readonly elsewhere: number
  readonly free: bigint
}

export function explainPool(
  world: ReadonlyWorld,
  speakers: Speakers,
  name: string,
): PoolExplanation | undefined {
  const pool = world.pools.get(name)
  if (pool === undefined) return undefined
  const { ranges, autoAssign, avoidBuggyIPs, serves, tenant, madeFrom, allocation } = pool
  const coverage = explainCoverage(world, speakers, pool)
  const objects = objectsAround(world, pool, coverage)
  return {
    pool: name,
    ranges: ranges.map(rangeText),
    autoAssign,
    avoidBuggyIPs,
    priority: allocation?.priority ?? 0,
    scope: scopeOf(pool),
    answersTo: [...new Set([name, ...serves])],
    tenant,
    madeFrom,
    whenFull: waitsWhenFull(pool) ? 'wait' : 'next',
    use: useOf(world, pool),
    holdings: holdingsIn(world, pool),
    waiters: waitersFor(world, (lack) => isAwaited(world, pool, lack)),
    coverage,
    problems: problems(world, speakers)
      .filter(({ object }) => objects.has(object))
      .map((problem) => ({ ...problem, remedy: problemRemedies[problem.code] })),
  }
}

function scopeOf({ allocation }: Pool): Scope {
  const texts = (selectors: readonly Selector[] = []) => selectors.map(selectorText)
  return {
    namespaces: allocation?.namespaces ?? [],
    namespaceSelectors: texts(allocation?.namespaceSelectors),
    serviceSelectors: texts(allocation?.serviceSelectors),
  }
}

const slotsIn = (world: ReadonlyWorld, { name }: Pool) =>
  [...world.ledger.slots()].filter(({ pool }) => pool?.pool.name === name)

export function useOf(world: ReadonlyWorld, pool: Pool): FamilyUse[] {
  const slots = slotsIn(world, pool)
  return (['IPv4', 'IPv6'] as const).flatMap((family): FamilyUse[] => {
    const capacity = world.ledgerOf(pool)?.capacity(family) ?? 0n
    if (capacity === 0n) return []
    const ours = slots.filter((slot) => slot.family === family)
    const idle = ours.filter(({ holders }) => holders.size === 0)
    const held = ours.length - idle.length
    const reserved = idle.filter(({ reservation }) => reservation !== undefined).length
    const elsewhere = idle.length - reserved
    return [{ family, capacity, held, reserved, elsewhere, free: capacity - BigInt(ours.length) }]
  })
}

/** By family, lowest address first. */
function holdingsIn(world: ReadonlyWorld, pool: Pool): PoolExplanation['holdings'] {
  const held = slotsIn(world, pool).filter(({ holders }) => holders.size > 0)
  held.sort((one, other) => {
    if (one.family !== other.family) return one.family < other.family ? -1 : 1
    return toBigInt(one.ip) < toBigInt(other.ip) ? -1 : 1
  })
  return held.map(({ ip }) => ({ address: ip, services: world.holdersOf(ip) }))
}

/** By the pools and addresses that are waited for; where there are none, by the name asked for. */
function isAwaited(world: ReadonlyWorld, pool: Pool, lack: Lack): boolean {
  const { wait, refusal } = lack
  if (wait.pools.length > 0) return wait.pools.includes(pool.name)
  if (wait.addresses.length > 0) return wait.addresses.some((ip) => world.poolOf(ip) === pool)
  const service = world.services.get(lack.service)
  if (service === undefined || !answersTo(pool, service.asksPool)) return false
  return fenced.has(refusal.reason) || admits({ world, service, pool }).ok
}

const fenced: ReadonlySet<Reason> = new Set(['pool-not-allowed', 'pool-of-another-tenant'])

/** What may have a problem that concerns it: also its tenant, its announcers and its Addresses. */
function objectsAround(world: ReadonlyWorld, pool: Pool, { layer2, bgp }: Coverage): Set<string> {
  const addresses = [...world.all('Address').values()]
  return new Set([
    objectOf(pool),
    ...(pool.madeFrom === ''
      ? []
      : [pool.madeFrom === siteMaker ? siteMaker : `Tenant/${pool.madeFrom}`]),
    ...[...layer2, ...bgp].map(({ object }) => object),
    ...addresses.filter(({ address }) => world.poolOf(address) === pool).map(objectOf),
  ])
}
