// What does a page or a program get to read about a cluster? Plain data under a named schema.
import type { Leader } from '../../model/leader.ts'
import type { Announcer } from './announcers.ts'
import type { BgpAnnouncer } from './bgpAnnouncers.ts'
import type { ClusterStatus } from './clusterStatus.ts'

export type StatusParts = {
  readonly version: string
  /** Unread when the Lease could not be read. */
  readonly leader: Leader | 'nobody' | 'unread'
  readonly announcers: readonly Announcer[] | 'unread'
  readonly bgp: readonly BgpAnnouncer[] | 'unread'
  readonly status: ClusterStatus
}

export function statusView({ version, leader, announcers, bgp, status }: StatusParts): object {
  const { served, waiting, pools, ...rest } = status
  return {
    schema: 'berth.dev/status/v1',
    version,
    leader: typeof leader === 'string' ? null : leader,
    services: { served, waiting },
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
