// Where does an address go when its prefix is renumbered? As far from the start as it was.
import { contains, covers, overlap, rangeText } from '../../net/intervals.ts'
import { fromBigInt, parseIp, toBigInt } from '../../net/ip.ts'
import { type Parsed, parsed, refused } from '../../net/parsed.ts'
import { type Prefix, parsePrefix, parseRange, prefixText, rangeOf } from '../../net/range.ts'

export type Shift = { readonly from: Prefix; readonly to: Prefix }

export function shiftOf(from: string, to: string): Parsed<Shift> {
  const [first, second] = [parsePrefix(from), parsePrefix(to)]
  if (!first.ok) return first
  if (!second.ok) return second
  const shift = { from: first.value, to: second.value }
  for (const [text, prefix] of [
    [from, shift.from],
    [to, shift.to],
  ] as const) {
    if (prefixText(prefix) !== text) {
      return refused(`${text} is not a network: did you mean ${prefixText(prefix)}?`)
    }
  }
  const { family, length } = shift.from
  if (family !== shift.to.family) return refused(`${from} and ${to} are of different families`)
  if (length !== shift.to.length) return refused(`${from} and ${to} are of different sizes`)
  if (shift.from.base === shift.to.base) return refused(`${from} and ${to} are the same`)
  return parsed(shift)
}

/** As it was, if it lies elsewhere or is no address. */
export function shiftedIp({ from, to }: Shift, text: string): string {
  const ip = parseIp(text.trim())
  if (!ip.ok || !contains(rangeOf(from), ip.value)) return text
  return fromBigInt(to.family, toBigInt(ip.value) - from.base + to.base)
}

/** Each address of a list with commas. */
export const shiftedIps = (shift: Shift, text: string): string => {
  const parts = text.split(',')
  const moved = parts.map((part) => shiftedIp(shift, part))
  return moved.every((part, index) => part === parts[index])
    ? text
    : moved.map((part) => part.trim()).join(',')
}

/** A range or a prefix; one that lies partly inside cannot move as a whole. */
export function shiftedRange(shift: Shift, text: string): Parsed<string> {
  const range = parseRange(text)
  if (!range.ok || overlap(range.value, rangeOf(shift.from)) === undefined) return parsed(text)
  if (!covers(rangeOf(shift.from), range.value)) {
    return refused(`${text} is larger than ${prefixText(shift.from)}: renumber all of it at once`)
  }
  const by = shift.to.base - shift.from.base
  const { family, first, last } = range.value
  const prefix = parsePrefix(text)
  if (prefix.ok) return parsed(prefixText({ ...prefix.value, base: prefix.value.base + by }))
  const moved = { family, first: first + by, last: last + by }
  return parsed(first === last ? `${rangeText(moved)}-${rangeText(moved)}` : rangeText(moved))
}
