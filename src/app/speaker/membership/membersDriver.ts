// What does the speaker need of layer 2 and of the membership? Handed in, so that it can be run
// without sockets.
import type { Mac } from '../../../core/net/mac.ts'
import type { Speakers } from '../../../core/policy/announce/advertise.ts'
import type { AnnouncingLink } from '../layer2/announcingLinks.ts'
import type { Layer2 } from '../layer2/thread/layer2.ts'

export type Layer2Driver = Pick<Layer2, 'announce' | 'withdraw' | 'fellowMacs' | 'extend' | 'stop'>

export type Own = {
  readonly isReady: boolean
  readonly hasApi: boolean
  /** Those that may announce, also while they are down. */
  readonly links: readonly AnnouncingLink[]
}

export type MembersDriver = {
  readonly speakers: Speakers
  /** Whether it has gone by itself: then it still answers until others have taken over. */
  readonly hasLeft: (node: string) => boolean
  /** Whether those that are there have had the time to be heard. */
  readonly isSettled: boolean
  /** Why they cannot be found, and what to do about it. */
  readonly problem?: string | undefined
  /** The nodes of the others, by MAC. */
  readonly fellowMacs: ReadonlyMap<Mac, string>
  /** How long a side that has lost the majority may still answer (R8.3). */
  readonly safeDelayMs: number
  readonly setOwn: (own: Own) => void
  readonly leave: () => Promise<void>
  readonly stop: () => Promise<void>
}
