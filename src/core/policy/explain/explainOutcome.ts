// What comes of a Service in the end, and what is it still without? As `decideService` decides.
import { type Reason, type Refusal, remedies } from '../../model/reason.ts'
import type { Key, ServiceView } from '../../model/service.ts'
import type { Wait } from '../../model/waiting.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Ip } from '../../net/ip.ts'
import { allocate, allocateSecond } from '../allocate.ts'
import { decideService } from '../decideService.ts'
import { commonPool } from '../keep.ts'
import { wishOf } from '../wish.ts'

export type Unmet = { readonly reason: Reason; readonly message: string; readonly remedy: string }
export type Holds = { readonly ips: readonly Ip[]; readonly pool: string }
export type Outcome =
  | { readonly is: 'not-ours'; readonly message: string }
  /** `lacks`: the other family of a pair, or a request that cannot be read. */
  | (Holds & { readonly is: 'holds'; readonly isKept: boolean; readonly lacks?: Unmet })
  | (Unmet & { readonly is: 'waits' })

/** What a Service waits for, with or without an address of its other family. */
export type Lack = { readonly refusal: Refusal; readonly wait: Wait }

export function outcomeOf(world: ReadonlyWorld, service: ServiceView): Outcome {
  if (!world.isOurs(service)) return { is: 'not-ours', message: whyNotOurs(world, service) }
  const { ips } = decideService(world, service.key).intent
  const wish = wishOf(world, service)
  const lack = lackOf(world, service.key)?.refusal ?? (wish.isUnreadable ? wish.flaw : undefined)
  const lacks = lack === undefined ? undefined : unmet(lack)
  if (ips.length === 0 && lacks !== undefined) return { is: 'waits', ...lacks }
  const held = world.heldOrShown(service)
  const isKept = held.length > 0 && held.every((ip) => ips.includes(ip))
  const pool = commonPool(world, ips)?.name ?? ''
  return { is: 'holds', ips, pool, isKept, ...(lacks !== undefined && { lacks }) }
}

export const unmet = ({ reason, message }: Refusal): Unmet => ({
  reason,
  message,
  remedy: remedies[reason],
})

function whyNotOurs({ loadBalancerClass: ours }: ReadonlyWorld, service: ServiceView): string {
  if (!service.isLoadBalancer) return 'it is not of type LoadBalancer'
  const theirs = service.loadBalancerClass
  const itsClass = theirs === '' ? 'it has no loadBalancerClass' : `its class is ${theirs}`
  return `${itsClass}, and ${ours === '' ? 'Services of a class are not ours' : `ours is ${ours}`}`
}

export function lackOf(world: ReadonlyWorld, key: Key): Lack | undefined {
  const service = world.services.get(key)
  const { ips, wait } = decideService(world, key).intent
  if (service === undefined || wait === undefined) return undefined
  const wish = wishOf(world, service)
  const [held] = ips
  const pool = commonPool(world, ips)
  const allocation =
    held === undefined || pool === undefined
      ? allocate(world.without(key), wish)
      : allocateSecond(world, wish, held, pool)
  return allocation.ok ? undefined : allocation
}
