// Who is gone longest? Kept in that order, since it is asked for every host that finds no address.

/** By a text of each that no other one has. */
export class GoneFirst<T> {
  readonly #texts = new Map<T, string>()
  readonly #sorted: { readonly text: string; readonly one: T }[] = []

  get size(): number {
    return this.#sorted.length
  }

  /** Also where it was noted under another text. */
  note(one: T, text: string): void {
    if (this.#texts.get(one) === text) return
    this.delete(one)
    this.#texts.set(one, text)
    this.#sorted.splice(this.#placeOf(text), 0, { text, one })
  }

  delete(one: T): void {
    const text = this.#texts.get(one)
    if (text === undefined) return
    this.#texts.delete(one)
    this.#sorted.splice(this.#placeOf(text), 1)
  }

  /** How many come before it; undefined if it is not there. */
  indexOf(one: T): number | undefined {
    const text = this.#texts.get(one)
    return text === undefined ? undefined : this.#placeOf(text)
  }

  first(count: number): readonly T[] {
    return this.#sorted.slice(0, Math.max(0, count)).map(({ one }) => one)
  }

  /** Those of all lines in one order. */
  static *merged<T>(lines: readonly GoneFirst<T>[]): Generator<T, void> {
    const heads = lines.map((line) => ({ line: line.#sorted, at: 0 }))
    for (;;) {
      const [next] = heads
        .filter(({ line, at }) => at < line.length)
        .sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1))
      const found = next?.line[next.at]
      if (next === undefined || found === undefined) return
      next.at += 1
      yield found.one
    }
  }

  #placeOf(text: string): number {
    let [low, high] = [0, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sorted[middle]?.text ?? '') < text) low = middle + 1
      else high = middle
    }
    return low
  }
}

type Head = { readonly line: readonly { readonly text: string }[]; readonly at: number }
const textOf = ({ line, at }: Head): string => line[at]?.text ?? ''
