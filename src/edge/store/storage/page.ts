// Which objects are on a page of a list? All pages show the revision of the first: later changes
// are undone for them.
import { isBefore, keyOf, type Shelf, spotOf } from './shelf.ts'
import type { Change, Stored } from './stored.ts'

export type Query = {
  readonly resource: string
  readonly namespace?: string | undefined
  /** The revision to list at; by default, the current one. */
  readonly at?: number | undefined
  /** The `next` of the previous page. */
  readonly after?: string | undefined
  /** Unset or 0 for all. */
  readonly limit?: number | undefined
  readonly matches?: ((stored: Stored) => boolean) | undefined
}

export type Page = {
  /** In Kubernetes' order: by the bytes of namespace/name. */
  readonly items: readonly Stored[]
  readonly revision: number
  readonly next: string | undefined
  /** How many follow; not counted with `matches`. */
  readonly remaining: number | undefined
}

/** What happened to an object since: its old state, and whether it still exists. */
type Since = { readonly then: Stored | undefined; readonly isThere: boolean }
type Undone = ReadonlyMap<string, Since>

export function undo(changes: Iterable<Change>, resource: string): Undone {
  const undone = new Map<string, Since>()
  for (const { type, stored, before } of changes) {
    if (stored.resource !== resource) continue
    const key = keyOf(stored)
    const known = undone.get(key)
    const then = known === undefined ? before : known.then
    undone.set(key, { then, isThere: type !== 'DELETED' })
  }
  return undone
}

export function pageOf(shelf: Shelf, query: Query, undone: Undone): Omit<Page, 'revision'> {
  const { limit = 0, matches } = query
  const part = partOf(shelf, query, undone)
  const items: Stored[] = []
  for (const stored of inOrder(shelf, part, undone)) {
    if (matches?.(stored) === false) continue
    const last = items.at(-1)
    if (last !== undefined && items.length === limit) {
      const remaining = matches === undefined ? part.size - limit : undefined
      return { items, next: keyOf(last), remaining }
    }
    items.push(stored)
  }
  return { items, next: undefined, remaining: undefined }
}

type Part = {
  readonly first: number
  readonly end: number
  /** Objects that were different at that revision, in order. */
  readonly then: readonly Stored[]
  readonly size: number
}

/** What remains to be listed after `after`. */
function partOf(shelf: Shelf, { namespace, after }: Query, undone: Undone): Part {
  const [start, end] = shelf.range(namespace)
  const from = after === undefined ? undefined : spotOf(after)
  const first = from === undefined ? start : Math.max(start, shelf.indexAfter(from))
  const then: Stored[] = []
  let size = Math.max(end - first, 0)
  for (const [key, since] of undone) {
    const spot = spotOf(key)
    if (namespace !== undefined && spot.namespace !== namespace) continue
    if (from !== undefined && !isBefore(from, spot)) continue
    if (since.then !== undefined) then.push(since.then)
    if (since.isThere) size--
  }
  then.sort((one, other) => (isBefore(one, other) ? -1 : 1))
  return { first, end, then, size: size + then.length }
}

function* inOrder(shelf: Shelf, { first, end, then }: Part, undone: Undone): Generator<Stored> {
  let next = 0
  for (const kept of shelf.between(first, end)) {
    for (let old = then[next]; old !== undefined && isBefore(old, kept); old = then[next]) {
      next++
      yield old
    }
    if (undone.size === 0 || !undone.has(keyOf(kept))) yield kept
  }
  yield* then.slice(next)
}
