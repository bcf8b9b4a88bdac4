// How often does a BFD session send, and after which silence is the peer gone? RFC 5880 §6.8.2 to
// §6.8.4, §6.8.7 and §6.8.9.
import type { Control, State } from '../../wire/bfd.ts'
import type { BfdTimers } from './events.ts'

type Intervals = { readonly txMicros: number; readonly rxMicros: number }

export type BfdSession = {
  readonly timers: BfdTimers
  readonly state: State
  readonly diagnostic: number
  readonly discriminator: number
  /** What the peer said last; undefined while nothing is heard. */
  readonly remote: Control | undefined
  /** `again`: the timers changed while a Poll Sequence was under way. */
  readonly poll: 'none' | 'once' | 'again'
  /** The intervals that count until the peer has confirmed others (§6.8.3). */
  readonly settled: Intervals
}

/** While a session is not up, so that nobody is flooded who does not speak BFD (§6.8.3). */
export const slowMicros = 1_000_000

/** What our packets say. */
export const offered = ({ state, timers }: Pick<BfdSession, 'state' | 'timers'>): Intervals => ({
  txMicros: state === 'Up' ? timers.txMicros : Math.max(slowMicros, timers.txMicros),
  rxMicros: timers.rxMicros,
})

/** Slower sending and faster listening wait until the peer knows. */
function inUse(session: BfdSession): Intervals {
  const { poll, settled } = session
  const now = offered(session)
  if (poll === 'none') return now
  return {
    txMicros: Math.min(settled.txMicros, now.txMicros),
    rxMicros: Math.max(settled.rxMicros, now.rxMicros),
  }
}

/** §6.8.4, by the peer's multiplier and interval. */
export function detectMs(session: BfdSession): number {
  const { remote } = session
  if (remote === undefined) return 0
  return (remote.multiplier * Math.max(inUse(session).rxMicros, remote.minTxMicros)) / 1000
}

/** Undefined: no echo packets are sent. Not faster than the peer gives them back (§6.8.9). */
export function echoMs({ state, timers, remote }: BfdSession): number | undefined {
  const mostOften = remote?.minEchoRxMicros ?? 0
  if (state !== 'Up' || timers.echoMicros === 0 || mostOften === 0) return undefined
  return Math.max(timers.echoMicros, mostOften) / 1000
}

/** Undefined if nothing is sent (§6.8.7). */
export function transmitMs(session: BfdSession): number | undefined {
  const { remote, timers, state, poll } = session
  if (remote === undefined) return timers.isPassive ? undefined : inUse(session).txMicros / 1000
  const isDemanded = remote.isDemand && state === 'Up' && remote.state === 'Up' && poll === 'none'
  if (remote.minRxMicros === 0 || isDemanded) return undefined
  return Math.max(inUse(session).txMicros, remote.minRxMicros) / 1000
}
