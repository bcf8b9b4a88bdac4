// What does a page or a program get to read about a cluster? Plain data under a named schema.
import type { Leader } from '../../model/leader.ts'
import type { Announcer } from './announcers.ts'
import type { Attention } from './attention.ts'
import type { BgpAnnouncer } from './bgpAnnouncers.ts'
import type { ClusterStatus } from './clusterStatus.ts'
import type { Part } from './partsHealth.ts'

export type StatusParts = {
  readonly version: string
  /** Unread when the Lease could not be read. */
  readonly leader: Leader | 'nobody' | 'unread'
  readonly announcers: readonly Announcer[] | 'unread'
  readonly bgp: readonly BgpAnnouncer[] | 'unread'
  readonly attention: readonly Attention[] | 'unread'
  /** How many more controllers could lead; undefined if that is not known. */
  readonly standby?: number | undefined
  readonly parts: readonly Part[] | 'unread'
  readonly status: ClusterStatus
}

export function statusView(parts: StatusParts): object {
  const { version, leader, announcers, bgp, attention, standby, parts: around, status } = parts
  const { served, waiting, announcing, pools, ...rest } = status
  return {
    schema: 'berth.dev/status/v1',
    version,
    leader: typeof leader === 'string' ? null : leader,
    standby: standby ?? null,
    parts: around === 'unread' ? null : around,
    attention: attention === 'unread' ? null : attention,
    services: {
      ...{ served, waiting },
      notAnnounced: announcing.silences,
      areAnnouncersUnknown: announcing.isUnknown,
    },
    announcers: announcers === 'unread' ? null : announcers,
    bgp: bgp === 'unread' ? null : bgp,
    pools: pools.map(({ name, IPv4, IPv6 }) => ({
      name,
      ...(IPv4 && { IPv4: asText(IPv4) }),
      ...(IPv6 && { IPv6: asText(IPv6) }),
    })),
    ...rest,
  }
}

/** A pool can hold more addresses than a JSON number counts exactly. */
const asText = ({ used, free }: { readonly used: bigint; readonly free: bigint }) => ({
  used: String(used),
  free: String(free),
})

/** Whether somebody should look: for scripts. */
export const isHealthy = ({ leader, attention, parts, bgp, status }: StatusParts): boolean =>
  typeof leader !== 'string' &&
  !leader.isExpired &&
  attention.length === 0 &&
  !(parts !== 'unread' && parts.some(({ state }) => state === 'failing')) &&
  !(bgp !== 'unread' && bgp.some(({ down }) => down.length > 0)) &&
  status.waiting.length === 0 &&
  status.hosts.waiting.length === 0 &&
  !status.problems.some(({ severity }) => severity === 'error')
