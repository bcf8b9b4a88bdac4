// Which positions are set, and which is the lowest unset or the next set one? A lazily filled tree
// of 32-bit words: a million positions are 128 KB, a /64 costs only what is used.

const wordsPerChunk = 32

class Level {
  readonly #chunks = new Map<number, Uint32Array>()

  word(index: number): number {
    return this.#chunks.get(Math.floor(index / wordsPerChunk))?.[index % wordsPerChunk] ?? 0
  }

  put(index: number, word: number): void {
    const at = Math.floor(index / wordsPerChunk)
    const chunk = this.#chunks.get(at) ?? new Uint32Array(wordsPerChunk)
    chunk[index % wordsPerChunk] = word
    // Else every address of a /64 that was in use once would cost memory for good.
    if (word === 0 && chunk.every((one) => one === 0)) this.#chunks.delete(at)
    else this.#chunks.set(at, chunk)
  }
}

const full = 0xffffffff
const lowestBit = (word: number): number => 31 - Math.clz32(word & -word)

/** Above the lowest level a bit says that the word below is full, or that it is not empty. */
abstract class Tree {
  readonly #levels: Level[]
  #size = 0

  constructor(capacity: number) {
    const depth = Math.max(1, Math.ceil(Math.log2(Math.max(2, capacity)) / 5))
    this.#levels = Array.from({ length: depth }, () => new Level())
  }

  get size(): number {
    return this.#size
  }

  protected get depth(): number {
    return this.#levels.length
  }

  protected word(level: number, index: number): number {
    return this.#levels[level]?.word(index) ?? 0
  }

  protected abstract summary(word: number): boolean

  has(position: number): boolean {
    return ((this.word(0, Math.floor(position / 32)) >>> (position % 32)) & 1) === 1
  }

  add(position: number): void {
    if (this.has(position)) return
    this.#size++
    this.#write(position, true)
  }

  delete(position: number): void {
    if (!this.has(position)) return
    this.#size--
    this.#write(position, false)
  }

  #write(position: number, isSet: boolean): void {
    let at = position
    let bit = isSet
    for (const level of this.#levels) {
      const index = Math.floor(at / 32)
      const before = level.word(index)
      const mask = (1 << (at % 32)) >>> 0
      const after = (bit ? before | mask : before & ~mask) >>> 0
      if (after === before) return
      level.put(index, after)
      if (this.summary(before) === this.summary(after)) return
      bit = this.summary(after)
      at = index
    }
  }
}

/** Answers where the lowest position is that is not in the set. */
export class Taken extends Tree {
  protected override summary(word: number): boolean {
    return word === full
  }

  /** May lie past the capacity: then everything is taken. */
  lowestFree(): number {
    return this.#lowestBelow(this.depth, 0)
  }

  /** The same from that position on. */
  freeFrom(from: number): number {
    let at = from
    for (let level = 0; level < this.depth; level++) {
      const index = Math.floor(at / 32)
      const above = at % 32 === 0 ? full : (full << (at % 32)) >>> 0
      const found = (~this.word(level, index) & above) >>> 0
      if (found !== 0) return this.#lowestBelow(level, index * 32 + lowestBit(found))
      at = index + 1
    }
    return Number.POSITIVE_INFINITY
  }

  #lowestBelow(level: number, from: number): number {
    let at = from
    for (let below = level - 1; below >= 0; below--) {
      const word = this.word(below, at)
      if (word === full) return Number.POSITIVE_INFINITY
      at = at * 32 + lowestBit(~word)
    }
    return at
  }
}

/** Answers which member comes next. */
export class Members extends Tree {
  protected override summary(word: number): boolean {
    return word !== 0
  }

  next(from: number): number | undefined {
    let at = from
    for (let level = 0; level < this.depth; level++) {
      const index = Math.floor(at / 32)
      const above = at % 32 === 0 ? full : (full << (at % 32)) >>> 0
      const found = (this.word(level, index) & above) >>> 0
      if (found !== 0) return this.#lowestBelow(level, index * 32 + lowestBit(found))
      at = index + 1
    }
    return undefined
  }

  #lowestBelow(level: number, at: number): number {
    let position = at
    for (let below = level - 1; below >= 0; below--) {
      position = position * 32 + lowestBit(this.word(below, position))
    }
    return position
  }
}
