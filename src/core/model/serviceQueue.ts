// Which Service is decided next? One that holds an address first, then by age, then by name
// (STYLE 2.8): a heap in which each key counts once, with its newest rank.
import type { Key } from './service.ts'

type Rank = { readonly holds: boolean; readonly createdAt: string }
export type Ranked = Rank & { readonly key: Key }
/** Who is asked only while something is left; `isLeft` is called when it is next. */
type Asked = Ranked & { readonly what: string; readonly isLeft: () => boolean }
type Entry = Ranked | Asked

export class ServiceQueue {
  readonly #heap: Entry[] = []
  /** Entries of the heap that are not in one of these have been replaced by a newer one. */
  readonly #due = new Map<Key, Ranked>()
  readonly #asked = new Map<string, Asked>()

  get size(): number {
    return this.#due.size + this.#asked.size
  }

  push(key: Key, { holds, createdAt }: Rank): void {
    const known = this.#due.get(key)
    if (known?.holds === holds && known.createdAt === createdAt) return
    const entry = { key, holds, createdAt }
    this.#due.set(key, entry)
    this.#add(entry)
  }

  /** At most one is being asked about the same thing: the last one that was named. */
  ask(what: string, { key, holds, createdAt }: Ranked, isLeft: () => boolean): void {
    const entry = { key, holds, createdAt, what, isLeft }
    this.#asked.set(what, entry)
    this.#add(entry)
  }

  /** It is decided now, whatever it was woken for. */
  forget(key: Key): void {
    this.#due.delete(key)
  }

  pop(among: 'all' | 'holders' = 'all'): Key | undefined {
    while (among === 'all' || this.#heap[0]?.holds === true) {
      const entry = this.#first()
      if (entry === undefined) break
      if ('what' in entry) this.#settle(entry)
      else if (this.#due.get(entry.key) === entry) {
        this.#due.delete(entry.key)
        return entry.key
      }
    }
    return undefined
  }

  /** It is due then, once, whatever else it is asked about or woken for. */
  #settle(entry: Asked): void {
    if (this.#asked.get(entry.what) !== entry) return
    this.#asked.delete(entry.what)
    if (entry.isLeft()) this.push(entry.key, entry)
  }

  #add(entry: Entry): void {
    let at = this.#heap.length
    while (at > 0) {
      const parent = this.#heap[(at - 1) >> 1]
      if (parent === undefined || !comesFirst(entry, parent)) break
      this.#heap[at] = parent
      at = (at - 1) >> 1
    }
    this.#heap[at] = entry
  }

  #first(): Entry | undefined {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (last !== undefined && this.#heap.length > 0) this.#sink(last)
    return first
  }

  #sink(entry: Entry): void {
    let at = 0
    for (;;) {
      const [left, right] = [this.#heap[2 * at + 1], this.#heap[2 * at + 2]]
      const isRight = right !== undefined && left !== undefined && comesFirst(right, left)
      const child = isRight ? right : left
      if (child === undefined || !comesFirst(child, entry)) break
      this.#heap[at] = child
      at = 2 * at + (isRight ? 2 : 1)
    }
    this.#heap[at] = entry
  }
}

export function goesBefore(one: Ranked, other: Ranked): boolean {
  if (one.holds !== other.holds) return one.holds
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt
  return one.key < other.key
}

/** Of one Service, all that it is asked about comes before itself. */
const comesFirst = (one: Entry, other: Entry): boolean =>
  goesBefore(one, other) || (!goesBefore(other, one) && 'what' in one && !('what' in other))
