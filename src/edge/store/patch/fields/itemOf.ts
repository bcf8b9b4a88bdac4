// What identifies an item of a list? Its keys or, in a set, its value.
import { isRecord } from '../../../kube/decode/fields.ts'
import { keyElement, valueElement } from './pathElement.ts'
import type { ListShape } from './shape.ts'

type Item = { readonly element: string } | { readonly wrong: string }

/** The error, worded as in Kubernetes, for an item that cannot be identified. */
export const itemOf = (list: ListShape, item: unknown): Item =>
  list.keys.length > 0 ? keyedItem(list, item) : setItem(item)

function keyedItem({ keys, keyDefault }: ListShape, item: unknown): Item {
  if (item === null) return wrong('associative list with keys may not have a null element')
  if (!isRecord(item)) return wrong('associative list with keys may not have non-map elements')
  const present = keys.flatMap((key) => {
    const value = Object.hasOwn(item, key) ? item[key] : keyDefault(key)
    return value === undefined ? [] : [[key, value] as const]
  })
  if (present.length > 0) return { element: keyElement(Object.fromEntries(present)) }
  const named = keys.map((key) => JSON.stringify(key)).join(' ')
  const none = "(and doesn't have default values for any key fields)"
  return wrong(
    `associative list with keys has an element that omits all key fields [${named}] ${none}`,
  )
}

function setItem(item: unknown): Item {
  if (isRecord(item)) return wrong("associative list without keys has an element that's a map type")
  if (Array.isArray(item)) {
    return wrong('not supported: associative list with lists as elements')
  }
  return item === null
    ? wrong("associative list without keys has an element that's an explicit null")
    : { element: valueElement(item) }
}

const wrong = (message: string): Item => ({ wrong: message })

/** Items by identity, in the order of the list; an identity can occur several times. */
export function itemsByElement(
  list: ListShape,
  items: readonly unknown[],
): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>()
  for (const item of items) {
    const known = itemOf(list, item)
    // Validation has refused items without an identity.
    if ('wrong' in known) continue
    const alike = found.get(known.element)
    if (alike === undefined) found.set(known.element, [item])
    else alike.push(item)
  }
  return found
}
