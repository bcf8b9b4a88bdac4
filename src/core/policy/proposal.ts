// What can one pool give to a Service? The lowest address that is free or may be shared, one of
// each family, within the quota (M3.2, M3.4, R4.9).
import type { Pool } from '../model/pool.ts'
import { groupOf } from '../model/slot.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Family, Ip } from '../net/ip.ts'
import { fitsQuota } from './quota.ts'
import type { Offer, Search } from './search.ts'

type Answer = readonly Ip[] | 'full' | 'over-quota'
export type Proposal = {
  readonly pool: Pool
  /** The families asked for that it has. */
  readonly has: readonly Family[]
  /** For all of these at once; absent where a family is missing that must be there. */
  readonly all: Answer | undefined
  /** For each alone, where one of two is enough. */
  readonly each: readonly Answer[]
  readonly isFull: boolean
  readonly isOverQuota: boolean
}

export function proposalOf(search: Search, pool: Pool): Proposal {
  const { families, takesEither } = search.request
  const isThere = (family: Family) => hasFamily(search.world, pool, family)
  const has = families.every(isThere) ? families : families.filter(isThere)
  const isShort = takesEither ? has.length === 0 : has.length < families.length
  const all = isShort ? undefined : offerIn(search, pool, has)
  const each = takesEither ? has.map((one) => offerIn(search, pool, [one])) : []
  const isFull = all === 'full' && each.every((answer) => answer === 'full')
  const isOverQuota = all === 'over-quota' || each.includes('over-quota')
  return { pool, has, all, each, isFull, isOverQuota }
}

/** All families that are asked for, from one pool. */
export function wholeOf({ request }: Search, { pool, has, all }: Proposal): Offer | undefined {
  const isWhole = has.length === request.families.length
  return isWhole && typeof all === 'object' ? { pool, ips: all } : undefined
}

/** PreferDualStack: without a pool that has both, one with the first family, else the second. */
export function partOf({ request }: Search, proposals: readonly Proposal[]): Offer | undefined {
  const { families, name, service, takesEither } = request
  if (!takesEither) return undefined
  const primaryFirst = name === '' || proposals.some(({ isOverQuota }) => isOverQuota)
  const order =
    primaryFirst && service.primaryFamily === 'IPv6' ? [...families].reverse() : families
  for (const family of order) {
    for (const { pool, has, each } of proposals) {
      const ips = each[has.indexOf(family)]
      if (typeof ips === 'object') return { pool, ips }
    }
  }
  return undefined
}

/** One address of each family, within the tenant's quota; at its limit only what it may share. */
export function offerIn(search: Search, pool: Pool, families: readonly Family[]): Answer {
  const { world, claim } = search
  const ledger = world.ledgerOf(pool)
  if (ledger === undefined) return 'full'
  const group = groupOf(claim)
  const ips = families.map((family) => ledger.lowest(family, group, claim.ports))
  if (!areAll(ips)) return 'full'
  if (fitsQuota(search, ips)) return ips
  for (const [index, family] of group === '' ? [] : families.entries()) {
    const shared = ledger.lowestShared(family, group, claim.ports)
    if (shared !== undefined) ips[index] = shared
    if (fitsQuota(search, ips)) return ips
  }
  return 'over-quota'
}

const areAll = (ips: (Ip | undefined)[]): ips is Ip[] => !ips.includes(undefined)

export const hasFamily = (world: ReadonlyWorld, pool: Pool, family: Family): boolean =>
  (world.ledgerOf(pool)?.capacity(family) ?? 0n) > 0n
