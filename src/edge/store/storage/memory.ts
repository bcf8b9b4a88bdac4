// Which objects are there now? Each once, by resource and key, and by the uids of its owners.
import { Arena } from './arena.ts'
import { Kept, partsOf, storedOf } from './kept.ts'
import { type Common, Shared, tagsFrom, tagsText } from './shared.ts'
import { isBefore, Shelf, type Spot } from './shelf.ts'
import type { Stored } from './stored.ts'

/** A Stored, with what it is searched by still as text. */
export type Row = Omit<Stored, 'labels' | 'fields' | 'owners' | 'copyInto'> & {
  readonly tags: string
}

export function rowOf(stored: Stored): Row {
  const { resource, namespace, name, uid, revision, bytes } = stored
  const lengthBytes = bytes.length
  return { resource, namespace, name, uid, revision, bytes, lengthBytes, tags: tagsText(stored) }
}

/** Of the row of this revision. */
export type Fetch = (revision: number) => Pick<Stored, 'bytes' | 'uid'>

const nothing = new Shelf()

/** As lists are read: of one resource, in the order of their keys. */
const isNeighbourBefore = (one: Kept, other: Kept): boolean =>
  one.resource === other.resource ? isBefore(one, other) : one.resource < other.resource

export class Memory {
  readonly #shelves = new Map<string, Shelf>()
  readonly #owned = new Map<string, Set<Kept>>()
  readonly #arena: Arena<Kept>
  readonly #words = new Shared((text) => text)
  readonly #common = new Shared((text) => this.#commonFrom(text))

  constructor(fetch: Fetch) {
    this.#arena = new Arena({
      isBefore: isNeighbourBefore,
      fetch: ({ revision }) => partsOf(fetch(revision)),
    })
  }

  shelf(resource: string): Shelf {
    return this.#shelves.get(resource) ?? nothing
  }

  find(resource: string, spot: Spot): Stored | undefined {
    const kept = this.#shelves.get(resource)?.find(spot)
    return kept === undefined ? undefined : storedOf(kept)
  }

  /** In the order in which they were written. */
  ownedBy(uid: string): readonly Stored[] {
    const owned = [...(this.#owned.get(uid) ?? [])]
    return owned.sort((one, other) => one.revision - other.revision).map(storedOf)
  }

  /** Answers it as it is kept, and what it replaces. */
  place(stored: Stored): { readonly kept: Stored; readonly before: Stored | undefined } {
    const row = rowOf(stored)
    const kept = this.#keptOf(row)
    this.#arena.hold(kept, partsOf(row))
    const before = this.#forget(this.#shelfFor(kept.resource).put(kept))
    this.#own(kept)
    return { kept, before }
  }

  /** Answers what was there. */
  drop(resource: string, spot: Spot): Stored | undefined {
    return this.#forget(this.#shelves.get(resource)?.take(spot))
  }

  /** One that is not there, for who is told of it: what was given may be part of a large buffer. */
  remember(stored: Stored): Stored {
    const row = rowOf(stored)
    const { resource, namespace, labels, fields, owners } = stored
    const kept = new Kept(row, { resource, namespace, labels, fields, owners })
    this.#arena.remember(kept, partsOf(row))
    return kept
  }

  /** In any order; `finish` has to follow. To pack them would take most of the time of a start, so
   * their bytes stay on disk until they are read; who looks for what is unfinished reads all. */
  fill(row: Row): void {
    const kept = this.#keptOf(row)
    this.#arena.leave(kept)
    this.#shelfFor(kept.resource).append(kept)
    this.#own(kept)
  }

  /** Answers one that was filled in twice. */
  finish(): Kept | undefined {
    const doubles = [...this.#shelves.values()].map((shelf) => shelf.sort())
    return doubles.find((kept) => kept !== undefined)
  }

  #keptOf(row: Row): Kept {
    const { resource, namespace, tags } = row
    return new Kept(row, this.#common.of(`${resource}\n${namespace}\n${tags}`))
  }

  /** No name has a line break in it. */
  #commonFrom(text: string): Common {
    const [resource = '', namespace = '', tags = ''] = text.split('\n')
    const words = this.#words
    return { resource: words.of(resource), namespace: words.of(namespace), ...tagsFrom(tags) }
  }

  #own(kept: Kept): void {
    for (const uid of kept.owners) {
      const owned = this.#owned.get(uid)
      if (owned === undefined) this.#owned.set(uid, new Set([kept]))
      else owned.add(kept)
    }
  }

  #forget(kept: Kept | undefined): Kept | undefined {
    if (kept === undefined) return undefined
    this.#arena.release(kept)
    for (const uid of kept.owners) {
      const owned = this.#owned.get(uid)
      owned?.delete(kept)
      if (owned?.size === 0) this.#owned.delete(uid)
    }
    return kept
  }

  #shelfFor(resource: string): Shelf {
    const known = this.#shelves.get(resource)
    if (known !== undefined) return known
    const shelf = new Shelf()
    this.#shelves.set(resource, shelf)
    return shelf
  }
}
