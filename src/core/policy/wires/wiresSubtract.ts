// What is left of a range without others? By its ends, never address by address.
import type { Range } from '../../net/range.ts'

/** The parts that none of the others covers, in ascending order. */
export function without(range: Range, others: readonly Range[]): readonly Range[] {
  const { family, last } = range
  const left: Range[] = []
  let first = range.first
  for (const other of merged(others)) {
    if (other.family !== family || other.last < first) continue
    if (other.first > last) break
    if (other.first > first) left.push({ family, first, last: other.first - 1n })
    first = other.last + 1n
  }
  return first <= last ? [...left, { family, first, last }] : left
}

/** The same addresses in as few ranges as possible, in ascending order, family by family. */
export function merged(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = []
  for (const range of [...ranges].sort(byFirst)) {
    const before = result.at(-1)
    const touches = before?.family === range.family && range.first <= before.last + 1n
    if (before === undefined || !touches) result.push(range)
    else if (range.last > before.last) result[result.length - 1] = { ...before, last: range.last }
  }
  return result
}

export function byFirst(one: Range, other: Range): number {
  if (one.family !== other.family) return one.family < other.family ? -1 : 1
  if (one.first !== other.first) return one.first < other.first ? -1 : 1
  return one.last === other.last ? 0 : one.last < other.last ? -1 : 1
}
