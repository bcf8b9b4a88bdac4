// Does a gift fit into the tenant's quota (R4.9)? What the tenant holds already costs nothing.
import { no, type Refusal } from '../model/reason.ts'
import type { Ip } from '../net/ip.ts'
import type { Search } from './search.ts'

/** How many more addresses the tenant may hold; above a lowered quota none, but sharing goes on. */
export function quotaRoom({ world, wish, claim }: Search): number {
  const quota = wish.tenant?.quota
  if (quota === undefined) return Number.POSITIVE_INFINITY
  return Math.max(0, quota - world.use.used(claim.tenant))
}

/** How many addresses the tenant does not hold yet. */
export const costOf = ({ world, claim }: Search, ips: readonly Ip[]): number =>
  ips.filter((ip) => !world.use.holds(claim.tenant, ip)).length

export const overQuota = ({ wish }: Search): Refusal =>
  no('quota-exceeded', `tenant ${wish.tenant?.name} may hold ${wish.tenant?.quota} addresses`)
