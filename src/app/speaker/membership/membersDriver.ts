// What does layer 2 need of the membership? Handed in, so that it can be run without sockets.
import type { Mac } from '../../../core/net/mac.ts'
import type { Speakers } from '../../../core/policy/announce/advertise.ts'
import type { AnnouncingLink } from '../layer2/announcingLinks.ts'
import type { ProtocolHost } from '../protocol.ts'
import type { MemberCounts } from './members.ts'

export type Own = {
  readonly isReady: boolean
  readonly hasApi: boolean
  /** Those that may announce, also while they are down. */
  readonly links: readonly AnnouncingLink[]
}

/** What whoever joins the other speakers is given. */
export type MembersTold = Pick<ProtocolHost, 'api' | 'world' | 'clock' | 'random' | 'log'> & {
  /** Until when, by `monotonicMs`, this process vouches for itself. */
  readonly extend: (untilMs: number) => void
  readonly changed: () => void
  readonly signal: AbortSignal
}

export type MembersDriver = {
  readonly speakers: Speakers
  /** Whether it has gone by itself: then it still answers until others have taken over. */
  readonly hasLeft: (node: string) => boolean
  /** Whether those that are there have had the time to be heard. */
  readonly isSettled: boolean
  /** Whether another process of this node speaks for it: then this one owns nothing. */
  readonly isSuperseded?: boolean
  /** Why they cannot be found, and what to do about it. */
  readonly problem?: string | undefined
  /** The nodes of the others, by MAC. */
  readonly peerMacs: ReadonlyMap<Mac, string>
  /** How long a side that has lost the majority may still answer (R8.3). */
  readonly safeDelayMs: number
  /** Undefined where every Node counts as live. */
  readonly counts?: MemberCounts
  readonly setOwn: (own: Own) => void
  readonly leave: () => Promise<void>
  readonly stop: () => Promise<void>
}
