// When did one sender last beat, and until when may it be silent?
import { isSameLife } from './life.ts'
import type { BeatTiming } from './timing.ts'

const lossCountsMs = 10_000
const patienceMs = 60_000
const mostPatience = 4
const longestHoldMs = 30_000
/** One beat may get lost, and what comes may lie for one. */
const lateBeats = 2.5

export class Watch {
  #heardAt = Number.NEGATIVE_INFINITY
  #deadline: number
  #heardUntil = Number.NEGATIVE_INFINITY
  #incarnation = 0
  #sequence = -1
  #lostAt = Number.NEGATIVE_INFINITY
  /** Accusations that turned out to be false, lately. */
  #refuted = 0
  #refutedAt = Number.NEGATIVE_INFINITY
  /** How many of them in a row without a beat between: nothing comes through at all. */
  #unheard = 0

  /** One that was never heard has this long to begin. */
  constructor(deadline: number) {
    this.#deadline = deadline
  }

  get heardAt(): number {
    return this.#heardAt
  }

  get deadline(): number {
    return this.#deadline
  }

  /** Whether it was news: one that was overtaken or came twice proves nothing. */
  beat(now: number, { incarnation, sequence }: Count, timing: BeatTiming): boolean {
    // One of another process counts, also one that began before: clocks are set.
    if (isSameLife(incarnation, this.#incarnation) && incarnation < this.#incarnation) return false
    if (sequence <= this.#sequence && incarnation === this.#incarnation) return false
    if (this.#sequence >= 0 && sequence > this.#sequence + 1) this.#lostAt = now
    this.#incarnation = incarnation
    this.#sequence = sequence
    this.#heardAt = now
    this.#unheard = 0
    this.#deadline = now + timing.timeoutMs + this.#patience(now) * timing.beatMs
    this.#heardUntil = this.#deadline - timing.beatMs / 2
    return true
  }

  /** Whether to contradict an accusation; shortly before the deadline it is too late for that. */
  isHeard(now: number): boolean {
    return now < this.#heardUntil
  }

  /** Whether it will be accused unless it is heard soon. */
  isLate(now: number, { timeoutMs, beatMs }: BeatTiming): boolean {
    const lateMs = Math.min(lateBeats * beatMs, timeoutMs / 2)
    return now < this.#deadline && now > this.#deadline - timeoutMs + lateMs
  }

  /** It was accused and is heard again: the path is worse than it seemed. */
  regret(now: number): void {
    if (now - this.#refutedAt > patienceMs) this.#refuted = 0
    this.#refuted++
    this.#refutedAt = now
  }

  /** It says that it lives, but nothing of it comes through here: then that is no news again. */
  refuted(now: number, { timeoutMs }: BeatTiming): void {
    this.regret(now)
    this.#unheard++
    this.begin(now + Math.min(timeoutMs * 2 ** this.#unheard, longestHoldMs))
  }

  /** It is expected to beat only from now on. */
  begin(deadline: number): void {
    this.#deadline = Math.max(this.#deadline, deadline)
  }

  delay(lateMs: number): void {
    this.#deadline += lateMs
  }

  /** Where beats get lost, or late, one more is waited for before that means anything. */
  #patience(now: number): number {
    const lost = now - this.#lostAt < lossCountsMs ? 1 : 0
    const refuted = now - this.#refutedAt < patienceMs ? this.#refuted : 0
    return Math.min(lost + refuted, mostPatience)
  }
}

type Count = { readonly incarnation: number; readonly sequence: number }
