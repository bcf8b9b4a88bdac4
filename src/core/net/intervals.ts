// How do ranges overlap, and how are they written? By their ends, never address by address.
import { bitsOf, familyOf, fromBigInt, type Ip, toBigInt } from './ip.ts'
import type { Prefix, Range } from './range.ts'

export function contains(range: Range, ip: Ip): boolean {
  if (range.family !== familyOf(ip)) return false
  const value = toBigInt(ip)
  return range.first <= value && value <= range.last
}

export const covers = (outer: Range, inner: Range): boolean =>
  outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last

export function overlap(one: Range, other: Range): Range | undefined {
  if (one.family !== other.family) return undefined
  const first = one.first > other.first ? one.first : other.first
  const last = one.last < other.last ? one.last : other.last
  return first <= last ? { family: one.family, first, last } : undefined
}

export const sameRange = (one: Range, other: Range): boolean =>
  one.family === other.family && one.first === other.first && one.last === other.last

export function rangeText({ family, first, last }: Range): string {
  const start = fromBigInt(family, first)
  return first === last ? start : `${start}-${fromBigInt(family, last)}`
}

/** The smallest set of prefixes that covers exactly the range, in ascending order. */
export function prefixesOf({ family, first, last }: Range): Prefix[] {
  const prefixes: Prefix[] = []
  const bits = bitsOf(family)
  for (let base = first; base <= last; ) {
    let hostBits = 0
    while (hostBits < bits && fits(base, hostBits + 1, last)) hostBits++
    prefixes.push({ family, base, length: bits - hostBits })
    base += 1n << BigInt(hostBits)
  }
  return prefixes
}

function fits(base: bigint, hostBits: number, last: bigint): boolean {
  const size = 1n << BigInt(hostBits)
  return base % size === 0n && base + size - 1n <= last
}
