// Which objects exist now? By resource and key, and by the uids of their owners.
import { held } from './held.ts'
import { Shelf, type Spot } from './shelf.ts'
import type { Stored } from './stored.ts'
import { tagsText } from './tags.ts'

const nothing = new Shelf()

/** Memory of an object besides its bytes. */
const entryBytes = 1_024
const sizeOf = ({ bytes }: Stored): number => bytes.length + entryBytes

export class Memory {
  readonly #shelves = new Map<string, Shelf>()
  readonly #owned = new Map<string, Set<Stored>>()
  readonly #bytes = new Map<string, number>()

  shelf(resource: string): Shelf {
    return this.#shelves.get(resource) ?? nothing
  }

  find(resource: string, spot: Spot): Stored | undefined {
    return this.#shelves.get(resource)?.find(spot)
  }

  /** Oldest write first. */
  ownedBy(uid: string): readonly Stored[] {
    const owned = [...(this.#owned.get(uid) ?? [])]
    return owned.sort((one, other) => one.revision - other.revision)
  }

  /** Of what is in this namespace. */
  bytesIn(namespace: string): number {
    return this.#bytes.get(namespace) ?? 0
  }

  /** Returns the object as it is held, and the one that it replaces. */
  place(given: Stored): { readonly stored: Stored; readonly before: Stored | undefined } {
    const stored = held(given, tagsText(given))
    const before = this.#disown(this.#shelfFor(stored.resource).put(stored))
    this.#own(stored)
    return { stored, before }
  }

  /** Returns the removed object. */
  drop(resource: string, spot: Spot): Stored | undefined {
    return this.#disown(this.#shelves.get(resource)?.take(spot))
  }

  /** In any order; call `finish` afterwards. */
  fill(stored: Stored): void {
    this.#shelfFor(stored.resource).append(stored)
    this.#own(stored)
  }

  /** Returns an object that was filled in twice, if there is one. */
  finish(): Stored | undefined {
    const doubles = [...this.#shelves.values()].map((shelf) => shelf.sort())
    return doubles.find((stored) => stored !== undefined)
  }

  #own(stored: Stored): void {
    this.#count(stored.namespace, sizeOf(stored))
    for (const uid of stored.owners) {
      const owned = this.#owned.get(uid)
      if (owned === undefined) this.#owned.set(uid, new Set([stored]))
      else owned.add(stored)
    }
  }

  #count(namespace: string, bytes: number): void {
    const left = this.bytesIn(namespace) + bytes
    if (left === 0) this.#bytes.delete(namespace)
    else this.#bytes.set(namespace, left)
  }

  #disown(stored: Stored | undefined): Stored | undefined {
    if (stored !== undefined) this.#count(stored.namespace, -sizeOf(stored))
    for (const uid of stored?.owners ?? []) {
      const owned = this.#owned.get(uid)
      if (stored !== undefined) owned?.delete(stored)
      if (owned?.size === 0) this.#owned.delete(uid)
    }
    return stored
  }

  #shelfFor(resource: string): Shelf {
    const known = this.#shelves.get(resource)
    if (known !== undefined) return known
    const shelf = new Shelf()
    this.#shelves.set(resource, shelf)
    return shelf
  }
}
