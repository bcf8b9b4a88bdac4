// Does a gift fit into the tenant's quota (R4.9)? What the tenant holds already costs nothing.
import { no, type Refusal } from '../model/reason.ts'
import { counted } from '../net/counted.ts'
import type { Ip } from '../net/ip.ts'
import type { Search } from './search.ts'

/** How many more addresses the tenant may hold; above a lowered quota none, but sharing goes on. */
export function quotaRoom({ world, request, claim }: Search): number {
  const quota = request.tenant?.quota
  if (quota === undefined) return Number.POSITIVE_INFINITY
  return Math.max(0, quota - world.use.used(claim.tenant))
}

/** What the tenant does not hold yet is counted. */
export function fitsQuota(search: Search, ips: readonly Ip[]): boolean {
  const { world, request, claim } = search
  if (request.tenant?.quota === undefined) return true
  const cost = ips.filter((ip) => !world.use.holds(claim.tenant, ip)).length
  return cost <= quotaRoom(search)
}

export function overQuota({ request }: Search): Refusal {
  const { name = '', quota = 0 } = request.tenant ?? {}
  const most = counted(quota, 'address', 'addresses')
  return no('quota-exceeded', `tenant ${name} may hold ${most}`)
}
