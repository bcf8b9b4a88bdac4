// Which objects of one resource exist, in order? Those of a namespace are a range.
import type { Stored } from './stored.ts'

export type Spot = { readonly namespace: string; readonly name: string }

export const keyOf = ({ namespace, name }: Spot): string => `${namespace}/${name}`

export function spotOf(key: string): Spot {
  const slash = key.indexOf('/')
  return { namespace: key.slice(0, Math.max(slash, 0)), name: key.slice(slash + 1) }
}

const slash = '/'.charCodeAt(0)

/** The order of keys in etcd, and so of lists in Kubernetes: `a-b/x` comes before `a/x`. Names are
 * ASCII, so JavaScript's order is that of their bytes. */
export function isBefore(one: Spot, other: Spot): boolean {
  const [a, b] = [one.namespace, other.namespace]
  if (a === b) return one.name < other.name
  // Keys are compared in parts: joining them makes sorting 100,000 objects take three times as
  // long.
  return a < b ? !goesOnBelowSlash(b, a) : goesOnBelowSlash(a, b)
}

const goesOnBelowSlash = (text: string, start: string): boolean =>
  text.charCodeAt(start.length) < slash && text.startsWith(start)

/** A larger chunk is split: inserting into one long list takes ten times as long. */
const mostInChunk = 512

type ShelfPosition = { readonly chunk: number; readonly at: number }

export class Shelf {
  /** In order; only a single chunk may be empty. */
  #chunks: Stored[][] = [[]]

  find(spot: Spot): Stored | undefined {
    return this.#storedAt(this.#placeOf(spot), spot)
  }

  /** Returns the replaced object. */
  put(stored: Stored): Stored | undefined {
    const place = this.#placeOf(stored)
    const chunk = this.#chunks[place.chunk] ?? []
    const before = this.#storedAt(place, stored)
    if (before !== undefined) chunk[place.at] = stored
    else chunk.splice(place.at, 0, stored)
    if (chunk.length > mostInChunk) {
      this.#chunks.splice(place.chunk + 1, 0, chunk.splice(mostInChunk / 2))
    }
    return before
  }

  take(spot: Spot): Stored | undefined {
    const place = this.#placeOf(spot)
    const stored = this.#storedAt(place, spot)
    const chunk = this.#chunks[place.chunk]
    if (stored === undefined || chunk === undefined) return undefined
    chunk.splice(place.at, 1)
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(place.chunk, 1)
    return stored
  }

  /** Adds many in any order; call `sort` afterwards. */
  append(stored: Stored): void {
    this.#chunks[0]?.push(stored)
  }

  /** Returns a duplicate, if there is one. */
  sort(): Stored | undefined {
    const all = this.#chunks.flat()
    all.sort((one, other) => (isBefore(one, other) ? -1 : 1))
    this.#chunks = [all.slice(0, mostInChunk)]
    for (let at = mostInChunk; at < all.length; at += mostInChunk) {
      this.#chunks.push(all.slice(at, at + mostInChunk))
    }
    return all.find((stored, index) => {
      const next = all[index + 1]
      return next !== undefined && !isBefore(stored, next)
    })
  }

  /** The range of a namespace, or of all objects. */
  range(namespace: string | undefined): readonly [first: number, end: number] {
    if (namespace === undefined) return [0, this.#indexOf({ chunk: this.#chunks.length, at: 0 })]
    const first = { namespace, name: '' }
    const isIn = (stored: Stored): boolean =>
      stored.namespace === namespace || isBefore(stored, first)
    return [this.#indexOf(this.#placeOf(first)), this.#indexOf(this.#firstNot(isIn))]
  }

  indexAfter(spot: Spot): number {
    return this.#indexOf(this.#firstNot((stored) => !isBefore(spot, stored)))
  }

  *between(first: number, end: number): Generator<Stored> {
    let start = 0
    for (const chunk of this.#chunks) {
      if (start >= end) return
      const from = Math.max(first - start, 0)
      const to = Math.min(end - start, chunk.length)
      for (let at = from; at < to; at++) {
        const stored = chunk[at]
        if (stored !== undefined) yield stored
      }
      start += chunk.length
    }
  }

  #indexOf(place: ShelfPosition): number {
    const before = this.#chunks.slice(0, place.chunk)
    return before.reduce((sum, chunk) => sum + chunk.length, place.at)
  }

  #storedAt({ chunk, at }: ShelfPosition, { namespace, name }: Spot): Stored | undefined {
    const stored = this.#chunks[chunk]?.[at]
    return stored?.name === name && stored.namespace === namespace ? stored : undefined
  }

  /** Where the object is, or would be inserted. */
  #placeOf(spot: Spot): ShelfPosition {
    return this.#firstNot((stored) => isBefore(stored, spot))
  }

  /** The first index at which `holds` is false; it is true for all before. */
  #firstNot(holds: (stored: Stored) => boolean): ShelfPosition {
    const isPassed = (chunk: readonly Stored[]): boolean => {
      const last = chunk.at(-1)
      return last !== undefined && holds(last)
    }
    const chunk = Math.min(firstNot(this.#chunks, isPassed), this.#chunks.length - 1)
    return { chunk, at: firstNot(this.#chunks[chunk] ?? [], holds) }
  }
}

function firstNot<T>(list: readonly T[], holds: (one: T) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const one = list[middle]
    if (one !== undefined && holds(one)) low = middle + 1
    else high = middle
  }
  return low
}
