// How is one step of a field's path written? As in FieldsV1: `f:name` for a field, `k:{...}` for
// the item of a list with these keys, `v:...` for the item of a set, `i:0` for an index.
import { isRecord } from '../../../kube/decode/fields.ts'
import { goJson } from '../../values/goText.ts'
import { longestMessage } from '../../values/longestMessage.ts'

type Keys = Readonly<Record<string, unknown>>

export const fieldElement = (name: string): string => `f:${name}`
export const keyElement = (keys: Keys): string => `k:${goJson(keys)}`
export const valueElement = (value: unknown): string => `v:${goJson(value)}`

/** In canonical form, so that equal steps are equal texts; null for an unknown kind of step. */
export function elementOf(text: string): string | null | undefined {
  const rest = text.slice(2)
  if (text[1] !== ':') return undefined
  if (text[0] === 'f') return text
  if (text[0] === 'i') return /^[+-]?[0-9]+$/.test(rest) ? `i:${Number(rest)}` : undefined
  if (text[0] !== 'k' && text[0] !== 'v') return null
  const json = parsed(rest)
  if (text[0] === 'v') return json && valueElement(json.value)
  return json && isRecord(json.value) ? keyElement(json.value) : undefined
}

/** As in messages: `.spec`, `[port=80,protocol="TCP"]`, `[="a"]`, `[0]`. */
export function elementText(element: string): string {
  const rest = element.slice(2)
  if (element[0] === 'f') return `.${rest}`
  if (element[0] === 'i') return `[${rest}]`
  const value = parsed(rest)?.value
  if (element[0] === 'v') return `[=${valueText(value)}]`
  const keys = isRecord(value) ? Object.entries(value) : []
  return `[${keys.map(([name, key]) => `${name}=${valueText(key)}`).join(',')}]`
}

/** In a message. A long one is not made longer: thousands of fields may be below it. */
export const pathBelow = (path: string, step: string): string =>
  path.length > longestMessage ? path : path + step.slice(0, longestMessage)

const valueText = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value) : goJson(value)

/** Fields first, then items by key, by value and by index; numbers by size, texts by letters. */
export function sortedElements(elements: Iterable<string>): readonly string[] {
  const all = [...elements]
  if (all.length < 2) return all
  if (all.every((element) => element[0] === 'f')) return all.sort()
  const read = all.map((element) => ({ element, value: sortedBy(element) }))
  return read.sort(compareElements).map(({ element }) => element)
}

type Read = { readonly element: string; readonly value: unknown }

const sortedBy = (element: string): unknown =>
  element[0] === 'f' ? element : parsed(element.slice(2))?.value

function compareElements(
  { element: one, value: left }: Read,
  { element: other, value: right }: Read,
) {
  if (one[0] !== other[0]) return kinds.indexOf(one[0] ?? '') - kinds.indexOf(other[0] ?? '')
  return isRecord(left) && isRecord(right) ? compareKeys(left, right) : compareValues(left, right)
}

const kinds = 'fkvi'

/** The keys of both are sorted. */
function compareKeys(one: Keys, other: Keys): number {
  const [left, right] = [Object.entries(one), Object.entries(other)]
  for (const [at, [name, value]] of left.entries()) {
    const against = right[at]
    if (against === undefined) return 1
    const order = compareValues(name, against[0]) || compareValues(value, against[1])
    if (order !== 0) return order
  }
  return left.length - right.length
}

const types = ['number', 'string', 'boolean', 'object']

function compareValues(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one !== typeof other) return types.indexOf(typeof one) - types.indexOf(typeof other)
  const [left, right] = [lettersOf(one), lettersOf(other)]
  return left === right ? 0 : left < right ? -1 : 1
}

const lettersOf = (value: unknown): string => (typeof value === 'string' ? value : goJson(value))

function parsed(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(json) }
  } catch {
    return undefined
  }
}
