// Which pools does a Service consider, in which order? By name (R1.2, R1.3) or not (M3.2, R4.4).
import type { Pool } from '../model/pool.ts'
import { byPriority } from '../model/poolIndex.ts'
import { no, type Refusal } from '../model/reason.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Family } from '../net/ip.ts'
import { admits } from './admits.ts'
import type { Wish } from './wish.ts'

export type Choice = { readonly ok: true; readonly lists: readonly (readonly Pool[])[] } | Refusal

export function poolsFor(world: ReadonlyWorld, wish: Wish): Choice {
  return wish.name === '' ? automaticPools(world, wish) : namedPools(world, wish)
}

function namedPools(world: ReadonlyWorld, { service, name }: Wish): Choice {
  const answering = world.poolIndex.answering(name)
  if (answering.length === 0) {
    return no('pool-not-found', `no pool is called ${name} or serves that name`)
  }
  const verdicts = answering.map((pool) => ({ pool, verdict: admits({ world, service, pool }) }))
  const admitting = verdicts.filter(({ verdict }) => verdict.ok).map(({ pool }) => pool)
  if (admitting.length > 0)
    return { ok: true, lists: [inScopeOrder(admitting, world, service, name)] }
  // Not another tenant's, where one of them is open: then that one's objection says more (R1.2).
  const refusals = verdicts.flatMap(({ verdict }) => (verdict.ok ? [] : [verdict]))
  const own = refusals.find(({ reason }) => reason !== 'pool-of-another-tenant') ?? refusals[0]
  return no(own?.reason ?? 'pool-not-allowed', `${name}: ${own?.message ?? 'it admits nobody'}`)
}

/** A name that an own pool answers to leads to own pools only, openPools or not (R4.7). */
function inScopeOrder(
  pools: readonly Pool[],
  world: ReadonlyWorld,
  service: Wish['service'],
  name: string,
): Pool[] {
  const belonging = world.tenantOf(service)
  const own = pools.filter((pool) => belonging.kind === 'tenant' && pool.tenant === belonging.name)
  const scope = (pool: Pool): number => {
    const {
      namespaces = [],
      namespaceSelectors = [],
      serviceSelectors = [],
    } = pool.allocation ?? {}
    if (namespaces.includes(service.namespace)) return 0
    if (namespaceSelectors.length > 0) return 1
    return serviceSelectors.length > 0 ? 2 : 3
  }
  const isOwnName = (pool: Pool) => (pool.name === name ? 0 : 1)
  return [...(own.length > 0 ? own : pools)].sort((a, b) => {
    if (scope(a) !== scope(b)) return scope(a) - scope(b)
    const byRank = byPriority({ ...a, name: '' }, { ...b, name: '' })
    const isTie = (a.allocation?.priority ?? 0) === (b.allocation?.priority ?? 0)
    if (!isTie) return byRank
    return isOwnName(a) - isOwnName(b) || (a.name < b.name ? -1 : 1)
  })
}

function automaticPools(world: ReadonlyWorld, { service, tenant, families }: Wish): Choice {
  const isCandidate = (pool: Pool) => pool.autoAssign && admits({ world, service, pool }).ok
  const admitting = (name: string) =>
    world.poolIndex.ofTenant(name).map((pools) => pools.filter(isCandidate))
  const own = tenant === undefined ? [] : admitting(tenant.name)
  const ownHasFamily = own.some((pools) =>
    pools.some((pool) => families.some((family) => has(world, pool, family))),
  )
  const lists = ownHasFamily ? own : [...own, ...admitting('')]
  return lists.some((pools) => pools.length > 0)
    ? { ok: true, lists }
    : no('no-pool', 'no pool with autoAssign admits the Service')
}

const has = (world: ReadonlyWorld, pool: Pool, family: Family): boolean =>
  (world.ledgerOf(pool)?.capacity(family) ?? 0n) > 0n
