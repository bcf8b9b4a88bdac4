// Which objects are there now? Each once, by resource and key, and by the uids of its owners.
import { Arena } from './arena.ts'
import { Shared, tagsFrom, tagsText } from './shared.ts'
import { isBefore, Kept, Shelf, type Spot, storedOf } from './shelf.ts'
import type { Stored } from './stored.ts'

/** A Stored, with what it is searched by still as text. */
export type Row = Omit<Stored, 'lengthBytes' | 'labels' | 'fields' | 'owners'> & {
  readonly tags: string
}

export function rowOf(stored: Stored): Row {
  const { resource, namespace, name, uid, revision, bytes } = stored
  return { resource, namespace, name, uid, revision, bytes, tags: tagsText(stored) }
}

const nothing = new Shelf()

/** As lists are read: of one resource, in the order of their keys. */
const isNeighbourBefore = (one: Kept, other: Kept): boolean =>
  one.resource === other.resource ? isBefore(one, other) : one.resource < other.resource

export class Memory {
  readonly #shelves = new Map<string, Shelf>()
  readonly #owned = new Map<string, Set<Kept>>()
  readonly #arena = new Arena(isNeighbourBefore)
  readonly #words = new Shared((text) => text)
  readonly #tags = new Shared(tagsFrom)

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
    const kept = this.#keep(rowOf(stored))
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
    const { labels, fields, owners } = stored
    const kept = new Kept(stored, { labels, fields, owners })
    this.#arena.remember(kept, stored.bytes)
    return kept
  }

  /** In any order; `finish` has to follow. */
  fill(row: Row): void {
    const kept = this.#keep(row)
    this.#shelfFor(kept.resource).append(kept)
    this.#own(kept)
  }

  /** Answers one that was filled in twice. */
  finish(): Kept | undefined {
    const doubles = [...this.#shelves.values()].map((shelf) => shelf.sort())
    return doubles.find((kept) => kept !== undefined)
  }

  #keep({ resource, namespace, name, uid, revision, bytes, tags }: Row): Kept {
    const shared = { resource: this.#words.of(resource), namespace: this.#words.of(namespace) }
    const kept = new Kept({ ...shared, name, uid, revision }, this.#tags.of(tags))
    this.#arena.hold(kept, bytes)
    return kept
  }

  #own(kept: Kept): void {
    for (const uid of kept.tags.owners) {
      const owned = this.#owned.get(uid)
      if (owned === undefined) this.#owned.set(uid, new Set([kept]))
      else owned.add(kept)
    }
  }

  #forget(kept: Kept | undefined): Kept | undefined {
    if (kept === undefined) return undefined
    this.#arena.release(kept)
    for (const uid of kept.tags.owners) {
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
