// Is the thread that answers still at work? Every second it counts one more in memory that both
// threads have: a message would wake the other one for nothing. Whoever sees no more for some of
// them gives the addresses up, and after some more the thread.

type PulseParts = {
  /** It is silent, or is heard again. */
  readonly changed: (isHeard: boolean) => void
  /** It has been silent for so long that only a new start can help. */
  readonly gone: () => void
}

/** As often as the thread counts. */
export const roundMs = 1_000
const silentRounds = 3
const goneRounds = 10

export class Pulse {
  readonly #parts: PulseParts
  readonly #timer: NodeJS.Timeout
  readonly #beats: Int32Array
  #last = 0
  #rounds = 0

  /** The beats are a number of 4 bytes. */
  constructor(beats: SharedArrayBuffer, parts: PulseParts) {
    this.#beats = new Int32Array(beats)
    this.#parts = parts
    this.#timer = setInterval(() => this.#round(), roundMs)
  }

  get isHeard(): boolean {
    return this.#rounds < silentRounds
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Counted, not timed: who slept himself does not take the other for silent. */
  #round(): void {
    const [wasHeard, beats] = [this.isHeard, Atomics.load(this.#beats, 0)]
    // How long it takes to begin is not known.
    this.#rounds = beats === this.#last && beats !== 0 ? this.#rounds + 1 : 0
    this.#last = beats
    if (this.isHeard !== wasHeard) this.#parts.changed(this.isHeard)
    if (this.#rounds === goneRounds) this.#parts.gone()
  }
}

/** From the thread itself. */
export function beatPulse(beats: SharedArrayBuffer): void {
  Atomics.add(new Int32Array(beats), 0, 1)
}
