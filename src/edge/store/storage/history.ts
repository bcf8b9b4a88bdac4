// What has changed lately? The last changes, limited by number and bytes, one for each revision.
import type { Change } from './stored.ts'

export type HistoryBounds = { readonly changes: number; readonly bytes: number }

/** Memory of an entry besides the bytes of its objects. */
const entryBytes = 512

export class History {
  readonly #bounds: HistoryBounds
  /** A ring buffer by revision; revisions have no gaps. */
  readonly #ring: (Change | undefined)[]
  #oldest: number
  #newest: number
  #bytes = 0

  constructor(revision: number, bounds: HistoryBounds) {
    this.#bounds = bounds
    this.#ring = new Array(bounds.changes)
    this.#oldest = revision
    this.#newest = revision
  }

  /** All changes after this revision are known. */
  get oldest(): number {
    return this.#oldest
  }

  add(change: Change): void {
    const { changes, bytes } = this.#bounds
    if (this.#newest - this.#oldest === changes) this.#forgetOldest()
    this.#newest = change.revision
    this.#ring[change.revision % changes] = change
    this.#bytes += bytesOf(change)
    while (this.#bytes > bytes) this.#forgetOldest()
  }

  /** In order, as far as they are still known. */
  *since(revision: number): Generator<Change> {
    for (let at = Math.max(revision, this.#oldest) + 1; at <= this.#newest; at++) {
      const change = this.#ring[at % this.#bounds.changes]
      if (change !== undefined) yield change
    }
  }

  #forgetOldest(): void {
    this.#oldest++
    const slot = this.#oldest % this.#bounds.changes
    const change = this.#ring[slot]
    if (change !== undefined) this.#bytes -= bytesOf(change)
    this.#ring[slot] = undefined
  }
}

const bytesOf = ({ stored, before }: Change): number =>
  entryBytes + stored.bytes.length + (before?.bytes.length ?? 0)
