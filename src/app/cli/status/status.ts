// How does the cluster stand, on one screen? What is, not what would be: nothing is decided here.
import type { Problem } from '../../../core/model/problem.ts'
import type { Reason } from '../../../core/model/reason.ts'
import type { Key, ServiceView } from '../../../core/model/service.ts'
import type { ReadonlyWorld } from '../../../core/model/world.ts'
import { allocate } from '../../../core/policy/allocate.ts'
import type { Speakers } from '../../../core/policy/announce/advertise.ts'
import { poolStatus } from '../../../core/policy/poolStatus.ts'
import { problems } from '../../../core/policy/problems.ts'
import { wishOf } from '../../../core/policy/wish.ts'
import type { WaitsSince } from './waitsSince.ts'

export type Waiter = {
  readonly service: Key
  /** When it was told so first, else when it was made. */
  readonly since: string
  /** Absent where an address is free for it, and nobody has given it yet. */
  readonly reason?: Reason
  readonly message: string
}
type Use = { readonly used: bigint; readonly free: bigint }
export type PoolUse = { readonly name: string; readonly IPv4?: Use; readonly IPv6?: Use }
export type TenantUse = { readonly name: string; readonly used: number; readonly quota?: number }

export type Status = {
  readonly served: number
  /** Who waits longest first. */
  readonly waiting: readonly Waiter[]
  readonly pools: readonly PoolUse[]
  readonly tenants: readonly TenantUse[]
  readonly problems: readonly Problem[]
}

export function statusOf(
  world: ReadonlyWorld,
  speakers: Speakers,
  sinceOf: WaitsSince = () => undefined,
): Status {
  const ours = [...world.services.values()].filter((service) => world.isOurs(service))
  const without = ours.filter(({ ingress }) => ingress.length === 0)
  const waiting = without.map((service) => {
    const since = sinceOf(service.key) ?? service.createdAt
    return { service: service.key, since, ...whyWaiting(world, service) }
  })
  return {
    served: ours.length - without.length,
    waiting: waiting.sort(bySince),
    pools: [...world.pools.keys()].sort().flatMap((name) => poolUse(world, name)),
    tenants: [...world.all('Tenant').values()]
      .map(({ name, quota }) => ({
        name,
        used: world.use.used(name),
        ...(quota === undefined ? {} : { quota }),
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
    problems: problems(world, speakers),
  }
}

const bySince = (one: Waiter, other: Waiter): number => {
  const [mine, theirs] = [one, other].map(({ since, service }) => `${since}\n${service}`)
  return (mine ?? '') < (theirs ?? '') ? -1 : 1
}

/** Decided anew, so that it is also known while no controller runs. */
function whyWaiting(
  world: ReadonlyWorld,
  service: ServiceView,
): Pick<Waiter, 'reason' | 'message'> {
  const held = world.holdingOf(service.key)?.ips ?? []
  if (held.length > 0) return { message: `${held.join(', ')} is claimed and not written yet` }
  const allocation = allocate(world, wishOf(world, service))
  if (!allocation.ok) return said(allocation.refusal)
  return { message: 'an address is free for it; no controller gave it yet' }
}

const said = ({ reason, message }: { readonly reason: Reason; readonly message: string }) => ({
  reason,
  message,
})

function poolUse(world: ReadonlyWorld, name: string): PoolUse[] {
  const pool = world.pools.get(name)
  if (pool === undefined) return []
  const { assignedIPv4, assignedIPv6, availableIPv4, availableIPv6 } = poolStatus(world, pool)
  const ofFamily = (used: bigint, free: bigint) => (used + free > 0n ? { used, free } : undefined)
  const [four, six] = [ofFamily(assignedIPv4, availableIPv4), ofFamily(assignedIPv6, availableIPv6)]
  return [{ name, ...(four && { IPv4: four }), ...(six && { IPv6: six }) }]
}
