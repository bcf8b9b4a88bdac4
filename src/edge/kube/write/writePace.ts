// How many writes at a time, and how long after a refusal? Half as many when the server is pressed,
// slowly more again; each object waits for itself, so that a bad one does not stop the good ones.
import { backoffMs } from '../api/backoff.ts'
import { ApiError, Fault } from '../api/fault.ts'

/** The API shows something else than we decided from: to be decided again. */
export class Outdated extends Fault {}

const mostAtOnce = 32

export class WritePace {
  readonly #random: () => number
  readonly #failures = new Map<string, number>()
  #limit = mostAtOnce

  constructor(random: () => number) {
    this.#random = random
  }

  get most(): number {
    return Math.max(1, Math.floor(this.#limit))
  }

  accepted(object: string): void {
    this.#failures.delete(object)
    this.#limit = Math.min(mostAtOnce, this.#limit + 1 / this.#limit)
  }

  /** Milliseconds until the next try: none where reading again is enough, once. */
  refused(object: string, fault: Fault): number {
    const failures = this.#failures.get(object) ?? 0
    this.#failures.set(object, failures + 1)
    if (isOutdated(fault)) return failures === 0 ? 0 : backoffMs(failures - 1, this.#random)
    const askedMs = fault instanceof ApiError ? fault.retryAfterMs : undefined
    if (isPressed(fault)) this.#limit = Math.max(1, this.#limit / 2)
    return backoffMs(failures, this.#random, askedMs)
  }

  forget(object: string): void {
    this.#failures.delete(object)
  }
}

const isOutdated = (fault: Fault): boolean =>
  fault instanceof Outdated || (fault instanceof ApiError && [404, 409, 422].includes(fault.code))

/** Too many requests, a server in trouble, or none that answers. */
const isPressed = (fault: Fault): boolean =>
  !(fault instanceof ApiError) || fault.code === 429 || fault.code >= 500
