// Until when may this process answer? It vouches for itself with every tick. One whose ticks are
// always late gives all others that time, and would never see them dead: it has to hear them. Four
// beat to it; the others have to be asked (core/session/membership/rollCall.ts).
import type { Timing } from '../../../core/session/membership/timing.ts'

/** Of the time that passes, what ticks may be late in the long run. */
const lateShare = 1 / 8

export class Vouching {
  readonly #timing: Timing
  readonly #extend: (untilMs: number) => void
  readonly #heardAt = new Map<string, number>()
  #lateMs = 0
  #lateInAllMs = 0
  #tickedAt = Number.NEGATIVE_INFINITY
  #until = Number.POSITIVE_INFINITY
  #silentUntil = 0

  constructor(timing: Timing, extend: (untilMs: number) => void) {
    this.#timing = timing
    this.#extend = extend
  }

  /**
   * How much later than its death one takes over what a node of the other side of a split may
   * still answer for (R8.3). It sees by itself that it has lost the majority, later by as much as
   * its ticks are late: up to about a timeout. Later still, it vouches for the last time a timeout
   * and four beats after it heard the others, for a timeout less a beat: two timeouts and three
   * beats in all. It is dead for us after one timeout, so that three beats are left.
   */
  get safeDelayMs(): number {
    return this.#timing.timeoutMs + 6 * this.#timing.beatMs
  }

  /** Whether it has to be told soon by others that they are there. */
  get isLate(): boolean {
    return this.#lateInAllMs > this.#timing.timeoutMs / 4
  }

  /** What is read after a tick that came late may have lain there for as long. */
  ticked(now: number, lateMs: number): void {
    const forgiven = (now - this.#tickedAt) * lateShare
    this.#tickedAt = now
    this.#lateMs = Math.max(0, lateMs)
    const inAllMs = Math.max(0, this.#lateInAllMs - forgiven) + this.#lateMs
    // A node that was stopped for an hour is not late for ten more.
    this.#lateInAllMs = Math.min(inAllMs, 2 * this.#timing.timeoutMs)
  }

  /** It may have lain there since `readAt`, when there was nothing more to read. */
  heard(now: number, node: string, readAt = now): void {
    this.#heardAt.set(node, Math.min(now - this.#lateMs, readAt))
  }

  /** A node that slept until it fell silent first hears what the others concluded from that. */
  vouch(now: number, speakers: Seen): void {
    const { timeoutMs, beatMs } = this.#timing
    const hearsEnough = this.#hearsEnough(now, speakers)
    if (!hearsEnough && this.#lateInAllMs > timeoutMs / 2) return
    if (now > this.#until) this.#silentUntil = now + 3 * beatMs
    this.#until = now + timeoutMs - beatMs
    if (now >= this.#silentUntil) this.#extend(this.#until)
  }

  /** A majority that we believe in we have to hear; without one, nothing depends on it. */
  #hearsEnough(now: number, { seen, expected }: Seen): boolean {
    const lately = now - this.#timing.timeoutMs - 4 * this.#timing.beatMs
    for (const [node, at] of this.#heardAt) {
      if (at < lately || !seen.has(node)) this.#heardAt.delete(node)
    }
    const isMajority = (count: number) => 2 * count > expected.size
    const heard = 1 + countIn(expected, this.#heardAt.keys())
    return isMajority(heard) || !isMajority(countIn(expected, seen))
  }
}

function countIn(expected: ReadonlySet<string>, nodes: Iterable<string>): number {
  let count = 0
  for (const node of nodes) if (expected.has(node)) count++
  return count
}

/** Our own node is one of both. */
type Seen = { readonly seen: ReadonlySet<string>; readonly expected: ReadonlySet<string> }
