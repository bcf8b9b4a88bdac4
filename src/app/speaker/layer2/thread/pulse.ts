// Is the answering thread still alive? Every second it increments a counter in shared memory; a
// message would wake the other thread for nothing. If the counter stands still for a few rounds,
// the main thread gives up the addresses, and after a few more it gives up the thread.

type PulseParts = {
  /** The thread fell silent, or is heard again. */
  readonly changed: (isHeard: boolean) => void
  /** It has been silent for so long that only a restart can help. */
  readonly gone: () => void
}

/** How often the thread beats. */
export const roundMs = 1_000
const silentRounds = 3
const goneRounds = 10

export class Pulse {
  readonly #parts: PulseParts
  readonly #timer: NodeJS.Timeout
  readonly #beats: Int32Array
  #last = 0
  #rounds = 0

  /** `beats` holds a counter of 4 bytes. */
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

  /** Counted in rounds, not in time: if this thread slept, the other is not taken for silent. */
  #round(): void {
    const [wasHeard, beats] = [this.isHeard, Atomics.load(this.#beats, 0)]
    // Zero beats mean that it is still starting, which may take any time.
    this.#rounds = beats === this.#last && beats !== 0 ? this.#rounds + 1 : 0
    this.#last = beats
    if (this.isHeard !== wasHeard) this.#parts.changed(this.isHeard)
    if (this.#rounds === goneRounds) this.#parts.gone()
  }
}

/** Called by the thread itself. */
export function beatPulse(beats: SharedArrayBuffer): void {
  Atomics.add(new Int32Array(beats), 0, 1)
}
