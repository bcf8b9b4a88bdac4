// Who has one address on one wire? Nearly always one host. Reservations can give it to thousands:
// their block names the first few, and no question about the address looks at all of them.

type Holder = { readonly key: string; readonly claim: unknown }

/** Hosts of one address that are told of each other, and that its block names. */
export const mostNamed = 8

export class Holders<H extends Holder> {
  readonly #all = new Map<string, H>()
  readonly #claimed = new Set<H>()

  get size(): number {
    return this.#all.size
  }

  get(key: string): H | undefined {
    return this.#all.get(key)
  }

  values(): Iterable<H> {
    return this.#all.values()
  }

  /** Again whenever its claim may be another. */
  put(holder: H): void {
    this.#all.set(holder.key, holder)
    if (holder.claim === undefined) this.#claimed.delete(holder)
    else this.#claimed.add(holder)
  }

  delete(holder: H): void {
    this.#all.delete(holder.key)
    this.#claimed.delete(holder)
  }

  /** Whom the block is to name: whoever it names, then the first that came. */
  *named(): Generator<H, void> {
    yield* this.#claimed
    let left = mostNamed - this.#claimed.size
    for (const holder of this.#all.values()) {
      if (left <= 0) return
      if (holder.claim !== undefined) continue
      left -= 1
      yield holder
    }
  }
}
