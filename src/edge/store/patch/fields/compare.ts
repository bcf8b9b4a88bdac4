// In which fields do two objects differ? Those that were removed, modified or added.
import { sameJson } from '../../values/sameJson.ts'
import { union } from './combine.ts'
import { type FieldSet, nothing, owned } from './fieldSet.ts'
import { itemsByElement } from './itemOf.ts'
import { fieldElement } from './pathElement.ts'
import { type ListShape, type MapShape, type Shape, untyped } from './shape.ts'
import { isVoid, listIn, mapIn, pairAs } from './valueAs.ts'

type Comparison = {
  readonly removed: FieldSet
  readonly modified: FieldSet
  readonly added: FieldSet
}

const same: Comparison = { removed: nothing, modified: nothing, added: nothing }
const leaf = {
  removed: { ...same, removed: owned },
  modified: { ...same, modified: owned },
  added: { ...same, added: owned },
}

/** Undefined for an absent value. */
export function compare(shape: Shape, before: unknown, after: unknown): Comparison {
  if (before === after) return same
  const [first, ...others] = pairAs(shape, before, after).map((as) => {
    if (as === 'map' && shape.map) return compareMaps(shape.map, before, after)
    if (as === 'list' && shape.list) return compareLists(shape.list, before, after)
    return compareLeaves(before, after)
  })
  return others.reduce(joined, first ?? same)
}

const joined = (one: Comparison, other: Comparison): Comparison => ({
  removed: union(one.removed, other.removed),
  modified: union(one.modified, other.modified),
  added: union(one.added, other.added),
})

function compareLeaves(before: unknown, after: unknown): Comparison {
  if (before === undefined) return leaf.added
  if (after === undefined) return leaf.removed
  return sameJson(before, after) ? same : leaf.modified
}

/** Containers that are empty on both sides are leaves, so that null and empty differ. */
function compareMaps(map: MapShape, before: unknown, after: unknown): Comparison {
  const [left, right] = [mapIn(before), mapIn(after)]
  if (map.isAtomic || (isVoid(left) && isVoid(right))) return compareLeaves(before, after)
  const changes = new Changes()
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [one, other] = [ownField(left, name), ownField(right, name)]
    if (one === other) continue
    changes.add(fieldElement(name), compare(map.field(name) ?? untyped, one, other))
  }
  return changes.within(before, after)
}

const ownField = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

function compareLists(list: ListShape, before: unknown, after: unknown): Comparison {
  const [left, right] = [listIn(before), listIn(after)]
  if (list.type === 'atomic' || (isVoid(left) && isVoid(right))) {
    return compareLeaves(before, after)
  }
  const changes = new Changes()
  const [old, now] = [itemsByElement(list, left), itemsByElement(list, right)]
  for (const element of new Set([...old.keys(), ...now.keys()])) {
    const [ones, others] = [old.get(element) ?? [], now.get(element) ?? []]
    changes.add(element, compareAlike(list, ones, others))
  }
  return changes.within(before, after)
}

/** Duplicate items are compared as a whole. */
function compareAlike(
  { items }: ListShape,
  ones: readonly unknown[],
  others: readonly unknown[],
): Comparison {
  if (ones.length > 1 && others.length > 1) return sameJson(ones, others) ? same : leaf.modified
  if (ones.length > 1) {
    const now = others.length === 0 ? same : compare(items, undefined, others[0])
    return joined(now, leaf.removed)
  }
  if (others.length > 1) {
    const old = ones.length === 0 ? same : compare(items, ones[0], undefined)
    return joined(old, leaf.added)
  }
  return compare(items, ones[0], others[0])
}

class Changes {
  readonly #removed = new Map<string, FieldSet>()
  readonly #modified = new Map<string, FieldSet>()
  readonly #added = new Map<string, FieldSet>()

  add(element: string, { removed, modified, added }: Comparison): void {
    if (removed !== nothing) this.#removed.set(element, removed)
    if (modified !== nothing) this.#modified.set(element, modified)
    if (added !== nothing) this.#added.set(element, added)
  }

  /** An added or removed container is listed itself, besides its contents. */
  within(before: unknown, after: unknown): Comparison {
    return {
      removed: node(after === undefined, this.#removed),
      modified: node(false, this.#modified),
      added: node(before === undefined, this.#added),
    }
  }
}

const node = (isOwned: boolean, under: ReadonlyMap<string, FieldSet>): FieldSet =>
  isOwned || under.size > 0 ? { isOwned, under } : nothing
