// How are a live and an applied object merged? Nothing is removed, applied values win, and atomic
// values are taken as a whole.

import { itemOf } from './itemOf.ts'
import { type ListShape, type MapShape, type Shape, untyped } from './shape.ts'
import { isVoid, listIn, mapIn, valueAs } from './valueAs.ts'

/** Undefined for an absent value. */
export function mergeTyped(shape: Shape, live: unknown, applied: unknown): unknown {
  if (live === applied) return live
  const as = valueAs(shape, applied === undefined ? live : applied)
  if (as === 'map' && shape.map) return mergeMaps(shape.map, live, applied)
  if (as === 'list' && shape.list) return mergeTypedLists(shape.list, live, applied)
  return applied === undefined ? live : applied
}

function mergeMaps(map: MapShape, live: unknown, applied: unknown): unknown {
  const [left, right] = [mapIn(live), mapIn(applied)]
  if (map.isAtomic || (isVoid(left) && isVoid(right))) return applied === undefined ? live : applied
  if (applied === undefined) return live
  const fields = new Map(Object.entries(left))
  for (const [name, value] of Object.entries(right)) {
    fields.set(name, mergeTyped(map.field(name) ?? untyped, fields.get(name), value))
  }
  return Object.fromEntries(fields)
}

function mergeTypedLists(list: ListShape, live: unknown, applied: unknown): unknown {
  const [left, right] = [listIn(live), listIn(applied)]
  if (list.type === 'atomic' || (isVoid(left) && isVoid(right))) {
    return applied === undefined ? live : applied
  }
  if (applied === undefined) return live
  const [ours, theirs] = [known(list, left), known(list, right)]
  const [inLive, inApplied] = [indexed(ours), indexed(theirs)]
  return inOrder(ours, theirs).map(({ element, item }) => {
    const found = inApplied.get(element)
    if (found === undefined) return item
    return mergeTyped(list.items, inLive.get(element)?.item, found.item)
  })
}

type Known = { readonly element: string; readonly item: unknown }

const known = (list: ListShape, items: readonly unknown[]): readonly Known[] =>
  items.flatMap((item) => {
    const found = itemOf(list, item)
    return 'wrong' in found ? [] : [{ element: found.element, item }]
  })

/** Duplicate items are not merged. */
function indexed(items: readonly Known[]): ReadonlyMap<string, { readonly item: unknown }> {
  const found = new Map<string, { readonly item: unknown }>()
  for (const { element, item } of items) {
    found.set(element, { item: found.has(element) ? null : item })
  }
  return found
}

/** Applied items keep their order; live ones keep their place between the shared ones. */
function inOrder(live: readonly Known[], applied: readonly Known[]): readonly Known[] {
  const [inLive, inApplied] = [elementsOf(live), elementsOf(applied)]
  const shared = applied.filter(({ element }) => inLive.has(element))
  const merged: Known[] = []
  const placed = new Set<string>()
  let due = 0
  const place = (item: Known): void => {
    merged.push(item)
    placed.add(item.element)
    if (item.element === shared[due]?.element) due += 1
  }
  for (let [old, next] = [0, 0]; old < live.length || next < applied.length; ) {
    const [ours, theirs] = [live[old], applied[next]]
    if (ours !== undefined && !inApplied.has(ours.element)) {
      merged.push(ours)
      old += 1
    } else if (ours !== undefined && isPassed(ours, shared[due], theirs)) {
      old += 1
    } else {
      if (ours !== undefined && (ours.element === theirs?.element || placed.has(ours.element)))
        old += 1
      if (theirs !== undefined) place(theirs)
      next += 1
    }
  }
  return merged
}

/** Shared, but another shared item comes before it. */
const isPassed = (ours: Known, due: Known | undefined, theirs: Known | undefined): boolean =>
  theirs === undefined || (due !== undefined && due.element !== ours.element)

const elementsOf = (items: readonly Known[]): ReadonlySet<string> =>
  new Set(items.map(({ element }) => element))
