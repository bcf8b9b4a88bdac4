// Whose turn is it? Services that hold an address first, then by age, then by name (STYLE 2.8): a
// heap in which each key stands once.
import type { Key } from './service.ts'

export type Rank = { readonly holds: boolean; readonly createdAt: string }
type Entry = Rank & { readonly key: Key }

export class Turn {
  readonly #heap: Entry[] = []
  readonly #keys = new Set<Key>()

  get size(): number {
    return this.#heap.length
  }

  push(key: Key, { holds, createdAt }: Rank): void {
    if (this.#keys.has(key)) return
    this.#keys.add(key)
    const entry = { key, holds, createdAt }
    let at = this.#heap.length
    while (at > 0) {
      const parent = this.#heap[(at - 1) >> 1]
      if (parent === undefined || !goesBefore(entry, parent)) break
      this.#heap[at] = parent
      at = (at - 1) >> 1
    }
    this.#heap[at] = entry
  }

  pop(): Key | undefined {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (first === undefined || last === undefined) return undefined
    this.#keys.delete(first.key)
    if (this.#heap.length > 0) this.#sink(last)
    return first.key
  }

  #sink(entry: Entry): void {
    let at = 0
    for (;;) {
      const [left, right] = [this.#heap[2 * at + 1], this.#heap[2 * at + 2]]
      const isRight = right !== undefined && left !== undefined && goesBefore(right, left)
      const child = isRight ? right : left
      if (child === undefined || !goesBefore(child, entry)) break
      this.#heap[at] = child
      at = 2 * at + (isRight ? 2 : 1)
    }
    this.#heap[at] = entry
  }
}

function goesBefore(one: Entry, other: Entry): boolean {
  if (one.holds !== other.holds) return one.holds
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt
  return one.key < other.key
}
