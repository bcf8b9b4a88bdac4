// Who has one address on one wire? Nearly always one host. Reservations can give it to thousands:
// their block names the first few, and no question about the address looks at all of them.

type Holder = { readonly key: string; readonly claim: unknown }

/** Hosts of one address that are told of each other, and that its block names. */
export const mostNamed = 8

export class Holders<H extends Holder> {
  /** While there is one, it needs no collections: there is one of these for each address. */
  #only: H | undefined
  #all: Map<string, H> | undefined
  #claimed: Set<H> | undefined

  get size(): number {
    return this.#all?.size ?? (this.#only === undefined ? 0 : 1)
  }

  get(key: string): H | undefined {
    if (this.#all !== undefined) return this.#all.get(key)
    return this.#only?.key === key ? this.#only : undefined
  }

  values(): Iterable<H> {
    if (this.#all !== undefined) return this.#all.values()
    return this.#only === undefined ? [] : [this.#only]
  }

  /** Again whenever its claim may be another. */
  put(holder: H): void {
    if (this.#all === undefined && (this.#only === undefined || this.#only.key === holder.key)) {
      this.#only = holder
      return
    }
    const { all, claimed } = this.#collections()
    all.set(holder.key, holder)
    if (holder.claim === undefined) claimed.delete(holder)
    else claimed.add(holder)
  }

  #collections() {
    const ones = this.#only === undefined ? [] : [this.#only]
    this.#only = undefined
    this.#all ??= new Map(ones.map((one) => [one.key, one]))
    this.#claimed ??= new Set(ones.filter(({ claim }) => claim !== undefined))
    return { all: this.#all, claimed: this.#claimed }
  }

  delete(holder: H): void {
    if (this.#only?.key === holder.key) this.#only = undefined
    this.#all?.delete(holder.key)
    this.#claimed?.delete(holder)
  }

  /** Whom the block is to name: whoever it names, then the first that came. */
  *named(): Generator<H, void> {
    if (this.#all === undefined) {
      yield* this.values()
      return
    }
    const claimed = this.#claimed ?? new Set()
    yield* claimed
    let left = mostNamed - claimed.size
    for (const holder of this.#all.values()) {
      if (left <= 0) return
      if (holder.claim !== undefined) continue
      left -= 1
      yield holder
    }
  }
}
