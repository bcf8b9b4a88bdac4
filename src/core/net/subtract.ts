// What is left of ranges without others? By their ends, never address by address, and in one walk:
// others write them, as many as an object can hold.
import type { Range } from './range.ts'

/** The parts that none of the others covers, merged, in ascending order. */
export function without(ranges: readonly Range[], others: readonly Range[]): readonly Range[] {
  const left: Range[] = []
  const taken = merged(others)
  let at = 0
  for (const { family, first, last } of merged(ranges)) {
    let next = first
    for (let other = taken[at]; other !== undefined && next <= last; other = taken[at]) {
      const [isBefore, isBehind] = [other.family < family, other.family > family]
      if (isBehind || (!isBefore && other.first > last)) break
      if (!isBefore && other.last >= next) {
        if (other.first > next) left.push({ family, first: next, last: other.first - 1n })
        next = other.last + 1n
      }
      // One that reaches further may take from the next range too.
      if (isBefore || other.last <= last) at += 1
    }
    if (next <= last) left.push({ family, first: next, last })
  }
  return left
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
