// Which messages do the main thread and the BFD thread exchange?
import type { BfdTimers, DownCause } from '../../../core/session/bfd/events.ts'
import type { State } from '../../../core/wire/bfd.ts'
import type { EchoTarget } from '../../../edge/host/udp/bfdEchoSocket.ts'
import type { BfdTarget } from '../../../edge/host/udp/bfdSockets.ts'

/** One session that is wanted. */
export type BfdPlan = {
  /** The same for all who share the session. */
  readonly key: string
  readonly target: BfdTarget
  readonly timers: Omit<BfdTimers, 'echoRxMicros'>
  /** Where echo packets go; undefined for none. */
  readonly echo: EchoTarget | undefined
}

export type BfdOrder =
  /** All of them: what is not among them ends. */
  { readonly kind: 'run'; readonly plans: readonly BfdPlan[] } | { readonly kind: 'stop' }

/** How one session is. */
export type BfdView = {
  readonly key: string
  readonly state: State
  /** Of the peer; undefined while nothing is heard. */
  readonly remote: State | undefined
  /** What keeps it from working on this side, or why it went down; '' for nothing. */
  readonly trouble: string
  readonly transmitMs: number | undefined
  readonly detectMs: number
  readonly counts: BfdCounts
}

type BfdCounts = {
  readonly echoed: number
  readonly echoes: number
  readonly received: number
  readonly sent: number
  readonly ups: number
  readonly downs: number
}

export type BfdNews =
  | {
      readonly kind: 'changed'
      readonly view: BfdView
      /** Only of a session that was up. */
      readonly down?: { readonly cause: DownCause; readonly why: string }
    }
  /** At most once a second. */
  | { readonly kind: 'views'; readonly views: readonly BfdView[] }
