// What is the state of a cluster? What is there, not what would be: nothing is decided here.
import type { Problem } from '../../model/problem.ts'
import type { Reason } from '../../model/reason.ts'
import type { Key, ServiceView } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Speakers } from '../announce/advertise.ts'
import { type Silences, silencesIn } from '../announce/silence.ts'
import { decideService } from '../decideService.ts'
import { unmet } from '../explain/explainOutcome.ts'
import { poolStatus } from '../poolStatus.ts'
import { problems } from '../problems.ts'
import { type OpenstackStatus, openstackStatus } from './openstackStatus.ts'

/** When a Service was first refused an address, if that is known. */
export type WaitsSince = (service: Key) => string | undefined

export type Waiter = {
  readonly service: Key
  /** When it was first refused, else when it was created. */
  readonly since: string
  /** Absent if an address is free for it that no controller has assigned yet. */
  readonly reason?: Reason
  readonly message: string
  readonly remedy?: string
}
type Use = { readonly used: bigint; readonly free: bigint }
export type PoolUse = { readonly name: string; readonly IPv4?: Use; readonly IPv6?: Use }
type TenantUse = { readonly name: string; readonly used: number; readonly quota?: number }

export type ClusterStatus = OpenstackStatus & {
  readonly served: number
  readonly announcing: Silences
  /** The longest wait first. */
  readonly waiting: readonly Waiter[]
  readonly pools: readonly PoolUse[]
  readonly tenants: readonly TenantUse[]
  readonly problems: readonly Problem[]
}

export function statusOf(
  world: ReadonlyWorld,
  speakers: Speakers,
  sinceOf: WaitsSince = () => undefined,
): ClusterStatus {
  const ours = [...world.services.values()].filter((service) => world.isOurs(service))
  const without = ours.filter(({ ingress }) => ingress.length === 0)
  const waiting = without.map((service) => {
    const since = sinceOf(service.key) ?? service.createdAt
    return { service: service.key, since, ...whyWaiting(world, service) }
  })
  return {
    served: ours.length - without.length,
    announcing: silencesIn(world, speakers),
    waiting: waiting.sort(bySince),
    pools: [...world.pools.keys()].sort().flatMap((name) => poolUse(world, name)),
    tenants: [...world.all('Tenant').values()]
      .map(({ name, quota }) => ({
        name,
        used: world.use.used(name),
        ...(quota === undefined ? {} : { quota }),
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
    ...openstackStatus(world),
    problems: problems(world, speakers),
  }
}

const bySince = (one: Waiter, other: Waiter): number => {
  const [mine, theirs] = [one, other].map(({ since, service }) => `${since}\n${service}`)
  return (mine ?? '') < (theirs ?? '') ? -1 : 1
}

/** Decided here, so that the answer is known even while no controller runs. */
function whyWaiting(
  world: ReadonlyWorld,
  service: ServiceView,
): Pick<Waiter, 'reason' | 'message' | 'remedy'> {
  const held = world.holdingOf(service.key)?.ips ?? []
  if (held.length > 0)
    return { message: `${held.join(', ')} is claimed but not yet in the Service's status` }
  const { lacks } = decideService(world, service.key)
  if (lacks === undefined) {
    return { message: 'an address is free, but no controller has assigned it yet' }
  }
  return unmet(world, service, lacks)
}

function poolUse(world: ReadonlyWorld, name: string): PoolUse[] {
  const pool = world.pools.get(name)
  if (pool === undefined) return []
  const { assignedIPv4, assignedIPv6, availableIPv4, availableIPv6 } = poolStatus(world, pool)
  const ofFamily = (used: bigint, free: bigint) => (used + free > 0n ? { used, free } : undefined)
  const [four, six] = [ofFamily(assignedIPv4, availableIPv4), ofFamily(assignedIPv6, availableIPv6)]
  return [{ name, ...(four && { IPv4: four }), ...(six && { IPv6: six }) }]
}
