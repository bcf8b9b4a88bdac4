// What does input look like that nobody meant to send? Real input with a few octets changed, cut
// out, repeated, or taken from another one.

export type Decoder = {
  readonly name: string
  /** Input that is taken as it is. */
  readonly templates: readonly Uint8Array[]
  /** Whether it was taken. Anything but yes or no is thrown. */
  readonly read: (bytes: Uint8Array) => boolean | Promise<boolean>
  /** Sets right what a sender computes, such as a checksum: else hardly anything gets past it. */
  readonly mend?: (bytes: Uint8Array) => void
  /** Pieces of the language, which chance alone would hardly find. */
  readonly words?: readonly string[]
}

const most = 1 << 16
const edges = [0, 1, 2, 127, 128, 254, 255]

/** Each is a copy of its own: a decoder may keep it. */
export function damagedFrom(
  { templates, mend, words = [] }: Omit<Decoder, 'read' | 'name'>,
  random: () => number,
): () => Uint8Array {
  const damage = new Damage(templates, words.map(octetsOf), random)
  return () => {
    const bytes = damage.next()
    // One in eight keeps what does not add up.
    if (random() > 0.125) mend?.(bytes)
    return bytes
  }
}

export const octetsOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'utf8'))

class Damage {
  readonly #templates: readonly Uint8Array[]
  readonly #words: readonly Uint8Array[]
  readonly #random: () => number
  readonly #bytes = new Uint8Array(2 * most)
  #length = 0

  constructor(
    templates: readonly Uint8Array[],
    words: readonly Uint8Array[],
    random: () => number,
  ) {
    this.#templates = templates
    this.#words = words
    this.#random = random
  }

  next(): Uint8Array {
    const template = this.#oneOf(this.#templates)
    this.#bytes.set(template)
    this.#length = template.length
    for (let change = this.#below(5); change > 0; change--) this.#change()
    if (this.#random() < 0.05) this.#length = this.#below(this.#length + 1)
    return this.#bytes.slice(0, this.#length)
  }

  #change(): void {
    const kind = this.#random()
    const at = this.#below(this.#length)
    if (kind < 0.5) this.#bytes[at] = this.#octet(this.#bytes[at] ?? 0)
    else if (kind < 0.6) this.#replace(at, this.#below(8), new Uint8Array())
    else if (kind < 0.7) this.#replace(at, 0, this.#octets(this.#below(8)))
    else if (kind < 0.8) this.#replace(at, 0, this.#bytes.slice(at, at + this.#below(64)))
    else if (kind < 0.9 && this.#words.length > 0)
      this.#replace(at, this.#below(4), this.#oneOf(this.#words))
    else this.#replace(at, this.#below(32), this.#piece())
  }

  #octet(before: number): number {
    const kind = this.#random()
    if (kind < 0.4) return this.#oneOf(edges)
    return kind < 0.7 ? before ^ (1 << this.#below(8)) : this.#below(256)
  }

  #octets(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#octet(0))
  }

  #piece(): Uint8Array {
    const other = this.#oneOf(this.#templates)
    const from = this.#below(other.length)
    return other.subarray(from, from + this.#below(64))
  }

  #replace(at: number, length: number, by: Uint8Array): void {
    const end = Math.min(at + length, this.#length)
    if (this.#length + by.length > most) return
    this.#bytes.copyWithin(at + by.length, end, this.#length)
    this.#bytes.set(by, at)
    this.#length += by.length - (end - at)
  }

  #oneOf<T>(all: readonly T[]): T {
    const one = all[this.#below(all.length)]
    if (one === undefined) throw new Error('nothing to choose from')
    return one
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count)
  }
}
