// What comes of a Service in the end, and what is it still without? As the decision says.
import type { Reason, Refusal } from '../../model/reason.ts'
import type { ServiceView } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Ip } from '../../net/ip.ts'
import type { Decision } from '../claims.ts'
import { remedyFor } from './remedyFor.ts'

export type Unmet = { readonly reason: Reason; readonly message: string; readonly remedy: string }
export type Holds = { readonly ips: readonly Ip[]; readonly pool: string }
export type Outcome =
  | { readonly is: 'not-ours'; readonly message: string }
  /** `lacks`: the other family of a pair, or a request that cannot be read. */
  | (Holds & { readonly is: 'holds'; readonly isKept: boolean; readonly lacks?: Unmet })
  | (Unmet & { readonly is: 'waits' })

export function outcomeOf(
  world: ReadonlyWorld,
  service: ServiceView,
  { intent: { ips }, write, lacks }: Decision,
): Outcome {
  if (!world.isOurs(service)) return { is: 'not-ours', message: whyNotOurs(world, service) }
  if (ips.length === 0 && lacks !== undefined)
    return { is: 'waits', ...unmet(world, service, lacks) }
  const held = world.heldOrShown(service)
  const isKept = held.length > 0 && held.every((ip) => ips.includes(ip))
  const pool = write === undefined ? service.recordedPool : write.pool
  const more = lacks === undefined ? {} : { lacks: unmet(world, service, lacks) }
  return { is: 'holds', ips, pool, isKept, ...more }
}

export const unmet = (world: ReadonlyWorld, service: ServiceView, refusal: Refusal): Unmet => ({
  reason: refusal.reason,
  message: refusal.message,
  remedy: remedyFor(world, service, refusal),
})

function whyNotOurs({ loadBalancerClass: ours }: ReadonlyWorld, service: ServiceView): string {
  if (!service.isLoadBalancer) return 'it is not of type LoadBalancer'
  const theirs = service.loadBalancerClass
  const itsClass = theirs === '' ? 'it has no loadBalancerClass' : `its class is ${theirs}`
  return `${itsClass}, and ${ours === '' ? 'Services of a class are not ours' : `ours is ${ours}`}`
}
