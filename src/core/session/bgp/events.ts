// What happens to a session, and what does it answer? Data, so that a test needs no socket.
import type { Family, Ip } from '../../net/ip.ts'
import type { MessageType } from '../../wire/bgp/header.ts'
import type { Notice } from '../../wire/bgp/notice.ts'
import type { Agreed, SessionOptions } from './agreed.ts'

/**
 * `connect`: until the peer has answered; `lasting`: until a session counts as a success;
 * `refresh`: until routes are told again; `sendHold`: until a peer that reads nothing is given up.
 */
export const timers = [
  ...(['retry', 'connect', 'hold', 'keepalive', 'lasting', 'refresh', 'sendHold'] as const),
] as const
export type Timer = (typeof timers)[number]

export type Event =
  | { readonly kind: 'start' }
  /** Without a notice, a peer that agreed to keep our routes does. */
  | { readonly kind: 'stop'; readonly notice: Notice | undefined }
  | { readonly kind: 'connected'; readonly routerId: Ip }
  /** The peer has opened a connection, which takes the place of any other. */
  | { readonly kind: 'accepted'; readonly routerId: Ip }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'message'; readonly type: MessageType; readonly body: Uint8Array }
  | { readonly kind: 'garbage'; readonly notice: Notice }
  | { readonly kind: 'timer'; readonly timer: Timer }
  /** Only what needs no other OPEN: how often to say that we are there, when to try again. */
  | { readonly kind: 'retimed'; readonly options: SessionOptions }
  /** There is no room for more on the connection, or there is again. */
  | { readonly kind: 'full' }
  | { readonly kind: 'drained' }
  /** The path has failed, as BFD has it. */
  | { readonly kind: 'bfdDown'; readonly why: string }

export type Effect =
  | { readonly kind: 'dial' }
  /** From now on the session is on the connection that the peer has opened. */
  | { readonly kind: 'take' }
  /** Once all that was sent has been delivered. */
  | { readonly kind: 'hangUp' }
  | { readonly kind: 'send'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'arm'
      readonly timer: Timer
      readonly ms: number
      readonly isJittered: boolean
    }
  | { readonly kind: 'disarm'; readonly timer: Timer }
  | { readonly kind: 'up'; readonly agreed: Agreed }
  | { readonly kind: 'down'; readonly why: string }
  /** The peer wants to hear all routes of the family once more. */
  | { readonly kind: 'resend'; readonly family: Family }
  /** What was wrong with an UPDATE, and did not end the session (RFC 7606). */
  | { readonly kind: 'tolerated'; readonly errors: readonly string[] }
