// Is there anything to announce for a Service, and which advertisements speak of it? (M5.2)
import type { BgpAdvertisement, L2Advertisement } from '../../model/announcing.ts'
import type { Pool } from '../../model/pool.ts'
import { matchesAny } from '../../model/selector.ts'
import type { Key, ServiceView } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Ip } from '../../net/ip.ts'

/** MetalLB's words (M5.2, M5.3, M6.1); those on the last line are ours, where it has none. */
export type WithdrawReason =
  | ('serviceDeleted' | 'notLoadBalancer' | 'noIPAllocated' | 'invalidIP' | 'ipNotAllowed')
  | ('notOwner' | 'noMatchingAdvertisement' | 'sharedIPWithServiceSelector' | 'announceFailed')
  | ('conflictingAdvertisements' | 'nodeNetworkUnavailable' | 'nodeLabeledExcludeBalancers')
  | ('noLocalEndpoints' | 'noEndpoints')
  | ('speakerDown' | 'linkDown' | 'noMajority' | 'noPeer' | 'unresolvedReference')

/** Why something is not announced: by any node, or by the one that is named. */
export type Refusal = {
  readonly protocol?: 'layer2' | 'bgp'
  readonly node?: string
  readonly reason: WithdrawReason
  readonly message: string
}

export type Subject = {
  readonly service: ServiceView
  readonly pool: Pool
  /** The first address as written: the key of the election (R8.1). */
  readonly firstIp: Ip
  /** The nodes of its usable endpoints; an endpoint without a node counts under the empty name. */
  readonly endpointNodes: ReadonlySet<string>
}
type SubjectResult = { readonly subject: Subject } | { readonly refusal: Refusal }

export function subjectOf(world: ReadonlyWorld, key: Key): SubjectResult {
  const service = world.services.get(key)
  if (!service) return refuse('serviceDeleted', `there is no Service ${key}`)
  if (!world.isOurs(service)) {
    return refuse('notLoadBalancer', 'it is not a LoadBalancer Service of our class')
  }
  if (service.hasOtherIngress) {
    return refuse('invalidIP', 'its status has an entry that is not an address')
  }
  const [firstIp] = service.ingress
  if (firstIp === undefined) return refuse('noIPAllocated', 'it has no address')
  const pool = world.poolOf(firstIp)
  if (!pool || service.ingress.some((ip) => world.poolOf(ip)?.name !== pool.name)) {
    return refuse('ipNotAllowed', `no pool contains ${service.ingress.join(' and ')}`)
  }
  const usable = world.endpointsOf(key).filter(({ isUsable }) => isUsable)
  const endpointNodes = new Set(usable.map(({ node }) => node))
  return { subject: { service, pool, firstIp, endpointNodes } }
}

const refuse = (reason: WithdrawReason, message: string): SubjectResult => ({
  refusal: { reason, message },
})

type Advertisement = L2Advertisement | BgpAdvertisement

/** Names and selectors add up; without either an advertisement means every pool (M1.2). */
export function coversPool({ pools, poolSelectors }: Advertisement, pool: Pool): boolean {
  if (pools.length === 0 && poolSelectors.length === 0) return true
  return pools.includes(pool.name) || matchesAny(poolSelectors, pool.labels)
}

export const servesService = (advertisement: Advertisement, service: ServiceView): boolean =>
  advertisement.serviceSelectors.length === 0 ||
  matchesAny(advertisement.serviceSelectors, service.labels)
