// What happens to a BFD session, and what does it answer? Data, so that a test needs no
// socket.
import type { Control } from '../../wire/bfd.ts'

/** What a BFDProfile asks for. */
export type BfdTimers = {
  readonly txMicros: number
  readonly rxMicros: number
  readonly multiplier: number
  /** Says nothing before the peer has. */
  readonly isPassive: boolean
  /** Between echo packets; 0 for none. */
  readonly echoMicros: number
  /** Between those of the peer that we give back; 0: we do not. */
  readonly echoRxMicros: number
}

export type BfdEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'heard'; readonly packet: Control }
  /** An echo packet of ours came back. */
  | { readonly kind: 'echoed' }
  | { readonly kind: 'timer'; readonly timer: BfdTimer }
  | { readonly kind: 'retimed'; readonly timers: BfdTimers }
  /** On purpose: the peer is told that it means nothing. */
  | { readonly kind: 'stop' }

/** `failure`: the path, or the peer; `admin`: its operator ended BFD, and nothing failed. */
export type DownCause = 'failure' | 'admin'

export type BfdEffect =
  | { readonly kind: 'send'; readonly packet: Control }
  | { readonly kind: 'sendEcho' }
  | { readonly kind: 'arm'; readonly timer: 'detect' | 'echoDetect'; readonly ms: number }
  /** At random between the two, so that packets of many do not go out as one (§6.8.7). */
  | {
      readonly kind: 'armJittered'
      readonly timer: 'transmit' | 'echo'
      readonly leastMs: number
      readonly mostMs: number
    }
  | { readonly kind: 'disarm'; readonly timer: BfdTimer }
  | { readonly kind: 'up' }
  | { readonly kind: 'down'; readonly cause: DownCause; readonly why: string }

export type BfdTimer = 'detect' | 'transmit' | 'echo' | 'echoDetect'
