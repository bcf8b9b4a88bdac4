// What happens to a BFD session, and what is to be done about it? Data, so that a test needs no
// socket.
import type { Control } from '../../wire/bfd.ts'

/** What a BFDProfile asks for. */
export type BfdTimers = {
  readonly txMicros: number
  readonly rxMicros: number
  readonly multiplier: number
  /** Says nothing before the peer has. */
  readonly isPassive: boolean
}

export type BfdEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'heard'; readonly packet: Control }
  | { readonly kind: 'timer'; readonly timer: BfdTimer }
  | { readonly kind: 'retimed'; readonly timers: BfdTimers }
  /** On purpose: the peer is told that it means nothing. */
  | { readonly kind: 'stop' }

/** `failure`: the path, or the peer; `admin`: its operator ended BFD, and nothing failed. */
export type DownCause = 'failure' | 'admin'

export type BfdEffect =
  | { readonly kind: 'send'; readonly packet: Control }
  | { readonly kind: 'arm'; readonly timer: 'detect'; readonly ms: number }
  /** At random between the two, so that packets of many do not go out as one (§6.8.7). */
  | {
      readonly kind: 'armTransmit'
      readonly leastMs: number
      readonly mostMs: number
    }
  | { readonly kind: 'disarm'; readonly timer: BfdTimer }
  | { readonly kind: 'up' }
  | { readonly kind: 'down'; readonly cause: DownCause; readonly why: string }

export type BfdTimer = 'detect' | 'transmit'
