// What are the union, intersection and difference of two sets of fields?
import { type FieldSet, isEmpty, nothing } from './fieldSet.ts'

export function union(one: FieldSet, other: FieldSet): FieldSet {
  if (isEmpty(one)) return other
  if (isEmpty(other)) return one
  const under = new Map(one.under)
  for (const [name, node] of other.under) under.set(name, union(under.get(name) ?? nothing, node))
  return { isOwned: one.isOwned || other.isOwned, under }
}

type Draft = { isOwned: boolean; readonly under: Map<string, Draft> }

/** In time that grows with what is in them: `union`, over and over, copies the result each time. */
export function unionOf(sets: Iterable<FieldSet>): FieldSet {
  const whole: Draft = { isOwned: false, under: new Map() }
  for (const set of sets) addTo(whole, set)
  return whole
}

function addTo(draft: Draft, { isOwned, under }: FieldSet): void {
  draft.isOwned ||= isOwned
  for (const [name, node] of under) {
    const inside = draft.under.get(name) ?? { isOwned: false, under: new Map() }
    draft.under.set(name, inside)
    addTo(inside, node)
  }
}

export const intersection = (one: FieldSet, other: FieldSet): FieldSet =>
  kept(one, one.isOwned && other.isOwned, (name, node) =>
    intersection(node, other.under.get(name) ?? nothing),
  )

/** Removes single nodes; what is below a node of `other` stays. */
export const difference = (one: FieldSet, other: FieldSet): FieldSet =>
  isEmpty(other)
    ? one
    : kept(one, one.isOwned && !other.isOwned, (name, node) =>
        difference(node, other.under.get(name) ?? nothing),
      )

/** Removes each node of `other` with everything below it. */
export const withoutTrees = (one: FieldSet, other: FieldSet): FieldSet =>
  other.isOwned
    ? nothing
    : kept(one, one.isOwned, (name, node) => {
        const cut = other.under.get(name)
        return cut === undefined ? node : withoutTrees(node, cut)
      })

function kept(
  { under }: FieldSet,
  isOwned: boolean,
  map: (name: string, node: FieldSet) => FieldSet,
): FieldSet {
  const left = new Map<string, FieldSet>()
  for (const [name, node] of under) {
    const after = map(name, node)
    if (!isEmpty(after)) left.set(name, after)
  }
  return { isOwned, under: left }
}
