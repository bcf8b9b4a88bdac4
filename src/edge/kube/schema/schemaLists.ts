// Are the entries of keyed lists (x-kubernetes-list-type map) and of sets unique?

import type { FieldError } from '../../../core/model/admission.ts'
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../decode/fields.ts'
import type { Schema } from './schema.ts'
import { duplicate, invalid, jsonText } from './schemaMessages.ts'
import { fieldPath, fieldSchema, perNode, propertiesOf } from './schemaNodes.ts'

/** After all other errors, as in Kubernetes; fields of a map are written `path[name]` here. */
export function checkLists(schema: Schema, value: unknown, path: string): readonly FieldError[] {
  if (!hasKeyedLists(schema)) return []
  if (Array.isArray(value)) {
    return [...repeats(schema, value, path), ...inItems(schema, value, path)]
  }
  return isRecord(value) ? inFields(schema, value, path) : []
}

const hasKeyedLists = perNode((schema): boolean => {
  const inside = [schema.items, schema.additionalProperties, ...propertiesOf(schema).values()]
  const listType = schema['x-kubernetes-list-type'] ?? 'atomic'
  return (
    listType !== 'atomic' || inside.some((one) => typeof one === 'object' && hasKeyedLists(one))
  )
})

function inItems({ items }: Schema, list: readonly unknown[], path: string): FieldError[] {
  return items ? list.flatMap((item, index) => checkLists(items, item, `${path}[${index}]`)) : []
}

function inFields(schema: Schema, object: JsonObject, path: string): FieldError[] {
  return Object.keys(object)
    .sort()
    .flatMap((name) => {
      const field = fieldSchema(schema, name)
      const isOwn = propertiesOf(schema).has(name)
      const at = isOwn ? fieldPath(path, name) : `${path}[${name}]`
      return field ? checkLists(field, object[name], at) : []
    })
}

function repeats(schema: Schema, list: readonly unknown[], path: string): readonly FieldError[] {
  if (schema['x-kubernetes-list-type'] === 'set') return repeated(list, path)
  if (schema['x-kubernetes-list-type'] !== 'map') return []
  const stray = list.findIndex((item) => item !== null && !isRecord(item))
  if (stray >= 0) {
    const detail = 'must be an object for an array of list-type map'
    return [invalid(`${path}[${stray}]`, list[stray], detail)]
  }
  const keys = list.map((item) => keyOf(schema, item))
  return repeated(keys, path)
}

function keyOf(schema: Schema, item: unknown): JsonObject {
  const object = isRecord(item) ? item : {}
  const names = schema['x-kubernetes-list-map-keys'] ?? []
  const present = names.filter((name) => Object.hasOwn(object, name))
  return Object.fromEntries(present.map((name) => [name, object[name]]))
}

/** Each duplicate value is reported once, at its first repetition. */
function repeated(values: readonly unknown[], path: string): FieldError[] {
  const seen = new Map<string, number>()
  return values.flatMap((value, index) => {
    const text = jsonText(value)
    const times = seen.get(text) ?? 0
    seen.set(text, times + 1)
    return times === 1 ? [duplicate(`${path}[${index}]`, value)] : []
  })
}
