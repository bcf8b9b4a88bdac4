// In which order are the items of a merged list? First that of the patch, then the old one.
import { isRecord } from '../../../kube/decode/fields.ts'

export const keyOf = (item: unknown, mergeKey: string): unknown =>
  mergeKey === '' || !isRecord(item) ? item : item[mergeKey]

type Mixed = {
  readonly list: readonly unknown[]
  /** Items that the order names. */
  readonly first: readonly unknown[]
  readonly before: readonly unknown[]
  readonly mergeKey: string
}

/** The others keep their order, each before the first named item that it preceded. */
export function interleave({ list, first, before, mergeKey }: Mixed): readonly unknown[] {
  const key = (item: unknown): unknown => keyOf(item, mergeKey)
  const [wanted, old] = [placesOf(first.map(key)), placesOf(before.map(key))]
  const placed = (places: ReadonlyMap<unknown, number>) => (one: unknown, other: unknown) =>
    (places.get(key(one)) ?? list.length) - (places.get(key(other)) ?? list.length)
  const named = list.filter((item) => wanted.has(key(item))).sort(placed(wanted))
  const others = list.filter((item) => !wanted.has(key(item))).sort(placed(old))
  const isBefore = (one: unknown, other: unknown): boolean =>
    (old.get(key(one)) ?? Infinity) < (old.get(key(other)) ?? -1)
  const result: unknown[] = []
  let next = 0
  for (const item of named) {
    while (next < others.length && isBefore(others[next], item)) result.push(others[next++])
    result.push(item)
  }
  return [...result, ...others.slice(next)]
}

function placesOf(keys: readonly unknown[]): ReadonlyMap<unknown, number> {
  const places = new Map<unknown, number>()
  for (const [at, key] of keys.entries()) if (!places.has(key)) places.set(key, at)
  return places
}
