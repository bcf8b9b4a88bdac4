// Is the thread that answers still at work? It says something every second; whoever hears nothing
// for some of them gives the addresses up, and after some more the thread.

export type PulseParts = {
  /** It is silent, or is heard again. */
  readonly changed: (isHeard: boolean) => void
  /** It has been silent for so long that only a new start can help. */
  readonly gone: () => void
}

/** As often as the thread speaks. */
const roundMs = 1_000
const silentRounds = 3
const goneRounds = 10

export class Pulse {
  readonly #parts: PulseParts
  readonly #timer: NodeJS.Timeout
  #rounds = 0
  /** How long it takes to begin is not known. */
  #hasBegun = false

  constructor(parts: PulseParts) {
    this.#parts = parts
    this.#timer = setInterval(() => this.#round(), roundMs)
  }

  get isHeard(): boolean {
    return this.#rounds < silentRounds
  }

  heard(): void {
    const wasHeard = this.isHeard
    this.#rounds = 0
    this.#hasBegun = true
    if (!wasHeard) this.#parts.changed(true)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Counted, not timed: who slept himself has yet to read what was said meanwhile. */
  #round(): void {
    if (!this.#hasBegun) return
    this.#rounds++
    if (this.#rounds === silentRounds) this.#parts.changed(false)
    if (this.#rounds === goneRounds) this.#parts.gone()
  }
}
