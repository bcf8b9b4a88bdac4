// Which addresses can a Service have, and from which pool? Pools are tried in their order; in each,
// the lowest address that is free or may be shared (M3.2, R1.3, R2, R4.7, R4.9).
import type { Pool } from '../model/pool.ts'
import type { ReadonlyPoolLedger } from '../model/readonlyPoolLedger.ts'
import { groupOf } from '../model/slot.ts'
import type { Family, Ip } from '../net/ip.ts'
import { costOf, quotaRoom } from './quota.ts'
import type { Offer, Search } from './search.ts'

/** What the search met on its way, for the reason and for who wakes the Service. */
export type Found = {
  readonly offer: Offer | undefined
  readonly tried: readonly Pool[]
  readonly isOverQuota: boolean
}
type Answer = readonly Ip[] | 'full' | 'over-quota'

/** Lists are tried one after the other; a full pool that waits ends the whole search (R2.1). */
export function findOffer(search: Search, lists: readonly (readonly Pool[])[]): Found {
  const tried: Pool[] = []
  let isOverQuota = false
  for (const list of lists) {
    const pass = search.wish.takesEither ? tryEither(search, list) : tryAll(search, list)
    tried.push(...pass.tried)
    isOverQuota ||= pass.isOverQuota
    if (pass.offer !== undefined || pass.isEnd) return { offer: pass.offer, tried, isOverQuota }
  }
  return { offer: undefined, tried, isOverQuota }
}

type Pass = Found & { readonly isEnd: boolean }

function tryAll(search: Search, list: readonly Pool[]): Pass {
  const tried: Pool[] = []
  let isOverQuota = false
  for (const pool of list) {
    const { families } = search.wish
    if (!families.every((family) => hasFamily(search, pool, family))) continue
    tried.push(pool)
    const answer = offerIn(search, pool, families)
    if (answer === 'over-quota') isOverQuota = true
    else if (answer !== 'full') {
      return { offer: { pool, ips: answer }, tried, isOverQuota, isEnd: true }
    } else if (waitsWhenFull(pool)) return { offer: undefined, tried, isOverQuota, isEnd: true }
  }
  return { offer: undefined, tried, isOverQuota, isEnd: false }
}

/** PreferDualStack: the first pool with both, else one with the first family, else the second. */
function tryEither(search: Search, list: readonly Pool[]): Pass {
  const { families, name, service } = search.wish
  const tried: Pool[] = []
  let isOverQuota = false
  let isEnd = false
  for (const pool of list) {
    const has = families.filter((family) => hasFamily(search, pool, family))
    if (has.length === 0) continue
    tried.push(pool)
    const answers = [has, ...has.map((family) => [family])].map((some) =>
      offerIn(search, pool, some),
    )
    const [whole] = answers
    if (has.length === 2 && whole !== undefined && typeof whole !== 'string') {
      return { offer: { pool, ips: whole }, tried, isOverQuota, isEnd: true }
    }
    isOverQuota ||= answers.includes('over-quota')
    isEnd = answers.every((answer) => answer === 'full') && waitsWhenFull(pool)
    if (isEnd) break
  }
  const primaryFirst = name === '' || isOverQuota
  const order =
    primaryFirst && service.primaryFamily === 'IPv6' ? [...families].reverse() : families
  for (const family of order) {
    const offer = firstOf(search, tried, family)
    if (offer !== undefined) return { offer, tried, isOverQuota, isEnd: true }
  }
  return { offer: undefined, tried, isOverQuota, isEnd }
}

function firstOf(search: Search, pools: readonly Pool[], family: Family): Offer | undefined {
  for (const pool of pools) {
    if (!hasFamily(search, pool, family)) continue
    const ips = offerIn(search, pool, [family])
    if (typeof ips !== 'string') return { pool, ips }
  }
  return undefined
}

/** One address of each family, within the tenant's quota; at its limit only what it may share. */
export function offerIn(search: Search, pool: Pool, families: readonly Family[]): Answer {
  const { world, claim } = search
  const ledger = world.ledgerOf(pool)
  if (ledger === undefined) return 'full'
  const group = groupOf(claim)
  const lowest = families.map((family) => ledger.lowest(family, group, claim.ports))
  if (!areAll(lowest)) return 'full'
  const ips = lowest
  if (search.wish.tenant?.quota === undefined) return ips
  const room = quotaRoom(search)
  for (const [index, family] of families.entries()) {
    if (costOf(search, ips) <= room || group === '') break
    const shared = ledger.lowestShared(family, group, claim.ports)
    if (shared !== undefined) ips[index] = shared
  }
  return costOf(search, ips) <= room ? ips : 'over-quota'
}

const areAll = (ips: (Ip | undefined)[]): ips is Ip[] => !ips.includes(undefined)

const hasFamily = ({ world }: Search, pool: Pool, family: Family): boolean =>
  (world.ledgerOf(pool)?.capacity(family) ?? 0n) > 0n

/** A tenant's pools always wait (R4.7); an unknown value is read as the safe one (R2.1). */
export const waitsWhenFull = ({ tenant, whenFull }: Pool): boolean =>
  tenant !== '' || (whenFull !== '' && whenFull !== 'next')

export const heldBackIn = (
  ledger: ReadonlyPoolLedger | undefined,
  families: readonly Family[],
): boolean => families.some((family) => ledger?.hasHeldBack(family) === true)
