// What is left of ranges whose order counts? Each without what others cover, where it stood; by
// binary search, since others write them, as many as an object can hold.
import type { Range } from './range.ts'
import { byFirst, merged } from './subtract.ts'

/** The parts of each range that none of the others covers, in the order of the ranges. */
export function withoutEach(ranges: readonly Range[], others: readonly Range[]): Range[] {
  const taken = merged(others)
  return ranges.flatMap((range) => lessOf(range, taken))
}

/** Each without what an earlier one has. */
export function apart(ranges: readonly Range[]): Range[] {
  const taken: Range[] = []
  return ranges.flatMap((range) => {
    const left = lessOf(range, taken)
    if (left.length > 0) unite(taken, range)
    return left
  })
}

/** In place: those that it overlaps or touches become one, so that none is met twice. */
function unite(taken: Range[], range: Range): void {
  let { first, last } = range
  let from = placeOf(taken, range)
  const before = taken[from - 1]
  if (before?.family === range.family && before.last + 1n >= first) from--
  let to = from
  for (let other = taken[to]; other !== undefined; other = taken[++to]) {
    if (other.family !== range.family || other.first > last + 1n) break
    if (other.first < first) first = other.first
    if (other.last > last) last = other.last
  }
  taken.splice(from, to - from, { ...range, first, last })
}

/** `taken` is ascending, and no two of them overlap. */
function lessOf(range: Range, taken: readonly Range[]): Range[] {
  const left: Range[] = []
  let { first } = range
  const from = Math.max(0, placeOf(taken, { ...range, last: range.first }) - 1)
  for (let at = from; at < taken.length && first <= range.last; at++) {
    const other = taken[at]
    if (other === undefined || other.family > range.family) break
    if (other.family !== range.family || other.last < first) continue
    if (other.first > range.last) break
    if (other.first > first) left.push({ ...range, first, last: other.first - 1n })
    first = other.last + 1n
  }
  return first <= range.last ? [...left, { ...range, first }] : left
}

/** Where it would stand. */
function placeOf(ranges: readonly Range[], range: Range): number {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = ranges[middle]
    if (other !== undefined && byFirst(other, range) < 0) low = middle + 1
    else high = middle
  }
  return low
}
