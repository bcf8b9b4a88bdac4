// How often may something be done? So many times a second, and as many at once after a calm one.

export class SealingBudget {
  readonly #eachMs: number
  readonly #nowMs: () => number
  /** Each uses up its share of time; what was not used a second ago is gone. */
  #usedUntil = Number.NEGATIVE_INFINITY

  /** The clock is monotonic. */
  constructor(perSecond: number, nowMs: () => number) {
    this.#eachMs = 1000 / perSecond
    this.#nowMs = nowMs
  }

  /** Whether there was one left. */
  take(): boolean {
    const now = this.#nowMs()
    const usedUntil = Math.max(this.#usedUntil, now - 1000) + this.#eachMs
    if (usedUntil > now) return false
    this.#usedUntil = usedUntil
    return true
  }
}
