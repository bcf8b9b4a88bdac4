// Which Service is decided next? One that holds an address, then one that asks for a specific one
// (R2.4), then by age, then by name: a heap in which each key counts once, with its newest rank.
import type { Key } from './service.ts'

type Rank = { readonly holds: boolean; readonly createdAt: string; readonly tier?: Tier }
/** `pinned` comes right after those that hold an address, `moving` right after that. */
type Tier = 'pinned' | 'moving'
export type Ranked = Rank & { readonly key: Key }
/** It is asked only while something is left; `isLeft` is called when it is next. */
type Asked = Ranked & { readonly what: string; readonly isLeft: () => boolean }
type Entry = Ranked | Asked

export class ServiceQueue {
  readonly #heap: Entry[] = []
  /** Entries of the heap that are not in one of these have been replaced by a newer one. */
  readonly #due = new Map<Key, Ranked>()
  readonly #asked = new Map<string, Asked>()
  /** They ask for a specific address and are due before others. */
  readonly #pinned = new Set<Key>()

  /** With those that have been replaced. */
  get entries(): number {
    return this.#heap.length
  }

  get size(): number {
    return this.#due.size + this.#asked.size
  }

  push(key: Key, { holds, createdAt }: Rank): void {
    this.#push({ key, holds, createdAt })
  }

  #push(entry: Ranked): void {
    const known = this.#due.get(entry.key)
    const isSame = known?.holds === entry.holds && known.tier === entry.tier
    if (isSame && known.createdAt === entry.createdAt) return
    this.#due.set(entry.key, entry)
    this.#add(entry)
  }

  /** It is due, and goes before those that take any address if `mayGoFirst` by then. */
  pin(key: Key, createdAt: string, mayGoFirst: () => boolean): void {
    const rank = { key, holds: false, createdAt, tier: 'pinned' } as const
    const isLeft = () => this.#due.get(key)?.holds === false && mayGoFirst()
    this.#pinned.add(key)
    this.#ask({ ...rank, what: `pinned ${key}`, isLeft })
  }

  /** One that holds an address and moves to any other lets those go first, if there are any. */
  putOff(key: Key, createdAt: string): boolean {
    if (this.#pinned.size === 0) return false
    this.#push({ key, holds: true, createdAt, tier: 'moving' })
    return true
  }

  /** At most one is being asked about the same thing: the last one that was named. */
  ask(what: string, { key, holds, createdAt }: Ranked, isLeft: () => boolean): void {
    this.#ask({ key, holds, createdAt, what, isLeft })
  }

  /** If the same is asked twice, the earlier entry serves: it reads the state of that time. */
  #ask(entry: Asked): void {
    const known = this.#asked.get(entry.what)
    if (known !== undefined && !goesBefore(known, entry) && !goesBefore(entry, known)) return
    this.#asked.set(entry.what, entry)
    this.#add(entry)
  }

  /** It is decided now, whatever it was woken for. */
  forget(key: Key): void {
    this.#due.delete(key)
  }

  pop(among: 'all' | 'holders' = 'all'): Key | undefined {
    while (among === 'all' || isFirstTier(this.#heap[0])) {
      const entry = this.#first()
      if (entry === undefined) break
      if ('what' in entry) this.#settle(entry)
      else if (this.#due.get(entry.key) === entry) {
        this.#due.delete(entry.key)
        if (entry.tier === 'pinned') this.#pinned.delete(entry.key)
        return entry.key
      }
    }
    return undefined
  }

  /** It is due then, once, whatever else it is asked about or woken for. */
  #settle(entry: Asked): void {
    if (this.#asked.get(entry.what) !== entry) return
    this.#asked.delete(entry.what)
    const { key, holds, createdAt, tier } = entry
    if (entry.isLeft()) this.#push({ key, holds, createdAt, ...(tier && { tier }) })
    else if (tier === 'pinned') this.#pinned.delete(key)
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
  const [mine, theirs] = [tierOf(one), tierOf(other)]
  if (mine !== theirs) return mine < theirs
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt
  return one.key < other.key
}

const tierOf = ({ holds, tier }: Ranked): number => {
  if (tier === undefined) return holds ? 0 : 3
  return tier === 'pinned' ? 1 : 2
}

const isFirstTier = (entry: Entry | undefined): boolean =>
  entry !== undefined && tierOf(entry) === 0

/** Of one Service, all that it is asked about comes before itself. */
const comesFirst = (one: Entry, other: Entry): boolean =>
  goesBefore(one, other) || (!goesBefore(other, one) && 'what' in one && !('what' in other))
