// When does a timer of a session ring? Not before everything that has come by then was read: a
// process that was held up must not take its own absence for the peer's.

type Armed = { dueMs: number; handle: NodeJS.Timeout | undefined }

export class Alarms<Timer extends string> {
  readonly #nowMs: () => number
  readonly #ring: (timer: Timer) => void
  readonly #armed = new Map<Timer, Armed>()

  constructor(nowMs: () => number, ring: (timer: Timer) => void) {
    this.#nowMs = nowMs
    this.#ring = ring
  }

  /** One that is put off is not set anew: a peer may send thousands of messages a second. */
  arm(timer: Timer, ms: number): void {
    const dueMs = this.#nowMs() + ms
    const armed = this.#armed.get(timer)
    if (armed !== undefined && armed.dueMs <= dueMs) armed.dueMs = dueMs
    else {
      clearTimeout(armed?.handle)
      const fresh: Armed = { dueMs, handle: undefined }
      this.#armed.set(timer, fresh)
      this.#set(timer, fresh, ms)
    }
  }

  disarm(timer: Timer): void {
    clearTimeout(this.#armed.get(timer)?.handle)
    this.#armed.delete(timer)
  }

  #set(timer: Timer, armed: Armed, ms: number): void {
    armed.handle = setTimeout(() => setImmediate(() => this.#fired(timer, armed)), ms)
  }

  #fired(timer: Timer, armed: Armed): void {
    // Between the two it may have been disarmed, and armed anew.
    if (this.#armed.get(timer) !== armed) return
    const leftMs = armed.dueMs - this.#nowMs()
    if (leftMs > 0) this.#set(timer, armed, leftMs)
    else {
      this.#armed.delete(timer)
      this.#ring(timer)
    }
  }
}
