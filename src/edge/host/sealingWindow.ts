// Was a message of this sender received before? A sliding window of counters (RFC 4303, A2.2).

const width = 1024
const words = width / 32

export class SealingWindow {
  readonly #seen = new Uint32Array(words)
  #highest: number

  /** All counters before the first one count as received. */
  constructor(first: number) {
    this.#highest = first - 1
    this.#seen.fill(0xffffffff)
  }

  /** True once for each counter; false for those behind the window. */
  isNew(counter: number): boolean {
    if (counter > this.#highest) this.#slide(counter)
    else if (counter <= this.#highest - width) return false
    const bit = 1 << (counter % 32)
    const before = this.#seen[wordOf(counter)] ?? 0
    if ((before & bit) !== 0) return false
    this.#seen[wordOf(counter)] = before | bit
    return true
  }

  #slide(to: number): void {
    for (let at = Math.max(this.#highest + 1, to - width + 1); at <= to; at++) this.#clear(at)
    this.#highest = to
  }

  #clear(counter: number): void {
    this.#seen[wordOf(counter)] = (this.#seen[wordOf(counter)] ?? 0) & ~(1 << (counter % 32))
  }
}

const wordOf = (counter: number): number => Math.floor(counter / 32) % words
