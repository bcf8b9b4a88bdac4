// How often may something be done? At a rate per second, in bursts of at most one second's worth.

export class SealingBudget {
  readonly #eachMs: number
  readonly #nowMs: () => number
  /** Each use takes its share of time; budget older than a second expires. */
  #usedUntil = Number.NEGATIVE_INFINITY

  /** The clock must be monotonic. */
  constructor(perSecond: number, nowMs: () => number) {
    this.#eachMs = 1000 / perSecond
    this.#nowMs = nowMs
  }

  /** Whether there was budget left. */
  take(): boolean {
    const now = this.#nowMs()
    const usedUntil = Math.max(this.#usedUntil, now - 1000) + this.#eachMs
    if (usedUntil > now) return false
    this.#usedUntil = usedUntil
    return true
  }
}
