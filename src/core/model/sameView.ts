// Does an object say the same as before? What we write ourselves into a status comes back as a
// change that changes nothing.
import type { View } from './view.ts'

/** Nobody nests deeper; one that does counts as changed, so that no text can exhaust the stack. */
const mostDeep = 100

/** Plain values only: what views and JSON are made of. Ends at the first difference. */
export function isSame(one: unknown, other: unknown, depth = 0): boolean {
  if (one === other) return true
  if (!isRecord(one) || !isRecord(other) || depth > mostDeep) return false
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, index) => isSame(item, other[index], depth + 1))
  }
  const names = Object.keys(one)
  if (Array.isArray(other) || names.length !== Object.keys(other).length) return false
  return names.every(
    (name) => Object.hasOwn(other, name) && isSame(one[name], other[name], depth + 1),
  )
}

/** Services and Addresses come with a new version each time, so comparing them saves nothing. */
export const saysNothingNew = (before: View | undefined, after: View | undefined): boolean =>
  before?.kind !== 'Service' && before?.kind !== 'Address' && isSame(before, after)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
