// What is an object once the schema's defaults are filled in?
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../decode/fields.ts'
import type { Schema } from './schema.ts'
import { fieldSchema, mapFields, mapItems, perNode, propertiesOf } from './schemaNodes.ts'

export function withDefaults(schema: Schema, value: unknown): unknown {
  if (isRecord(value)) return fieldsWithDefaults(schema, value)
  const { items } = schema
  if (!Array.isArray(value) || !items) return value
  return mapItems(value, (item) => given(items, item) ?? null)
}

function fieldsWithDefaults(schema: Schema, object: JsonObject): JsonObject {
  const present = mapFields(object, (name, value) => {
    const field = fieldSchema(schema, name)
    return field ? given(field, value) : value
  })
  const missing = defaultedOf(schema).filter(([name]) => !Object.hasOwn(present, name))
  if (missing.length === 0) return present
  const added = missing.map(([name, field]) => [name, defaultOf(field)] as const)
  return Object.fromEntries([...Object.entries(present), ...added])
}

/** Null counts as absent unless it is allowed. */
function given(schema: Schema, value: unknown): unknown {
  const isAbsent = value === null && schema.nullable !== true
  return isAbsent ? defaultOf(schema) : withDefaults(schema, value)
}

/** A copy, because the schema's own must not change; defaults inside it are filled in too. */
const defaultOf = (schema: Schema): unknown =>
  schema.default === null ? undefined : withDefaults(schema, structuredClone(schema.default))

const defaultedOf = perNode((schema) =>
  [...propertiesOf(schema)].filter(([, field]) => (field.default ?? null) !== null),
)
