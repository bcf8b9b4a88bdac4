// Which messages do the main thread and the answering thread exchange?
import type { Ip } from '../../../../core/net/ip.ts'
import type { Mac } from '../../../../core/net/mac.ts'
import type {
  Announcement,
  Counted,
  Sighting,
  Started,
} from '../../../../core/session/layer2/announcement.ts'
import type { HostLink } from '../../../../edge/host/packet/hostLink.ts'

/** Sent at the start. */
export type Layer2Setting = {
  readonly excluded: RegExp
  readonly refreshMs: number | undefined
  readonly hasUnknownPeers: boolean
  readonly deadline: SharedArrayBuffer
  readonly pulse: SharedArrayBuffer
}

export type Layer2Order =
  | { readonly kind: 'announce'; readonly announcements: readonly Announcement[] }
  | { readonly kind: 'withdraw'; readonly addresses: readonly Ip[] }
  | { readonly kind: 'peers'; readonly nodes: ReadonlyMap<Mac, string> }
  | { readonly kind: 'stop' }

export type Layer2News =
  | { readonly kind: 'links'; readonly links: readonly HostLink[] }
  /** Names of the interfaces with sockets, and of those where none can be opened. */
  | {
      readonly kind: 'open'
      readonly interfaces: readonly string[]
      readonly closed: readonly string[]
    }
  | { readonly kind: 'started'; readonly started: readonly Started[] }
  | { readonly kind: 'sightings'; readonly sightings: readonly Sighting[] }
  /** At most once a second. */
  | { readonly kind: 'counts'; readonly counts: readonly Counted[] }
  /** A failure that will be retried. */
  | { readonly kind: 'trouble'; readonly text: string }
