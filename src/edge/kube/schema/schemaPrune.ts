// What is left of an object when the fields that its schema does not know are removed?
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../decode/fields.ts'
import type { Schema } from './schema.ts'
import { fieldPath, fieldSchema, mapFields, mapItems } from './schemaNodes.ts'

/** The caller's at the root, and wherever a whole object is embedded. */
const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

/** Only as deep as the schema goes: what it preserves or says nothing of is kept whole. */
export function prune(
  schema: Schema,
  value: unknown,
  path: string,
  unknownFields: string[],
): unknown {
  if (isRecord(value)) return pruneFields(schema, value, path, unknownFields)
  const { items } = schema
  if (!Array.isArray(value) || !items) return value
  return mapItems(value, (item, index) => prune(items, item, `${path}[${index}]`, unknownFields))
}

function pruneFields(
  schema: Schema,
  object: JsonObject,
  path: string,
  unknownFields: string[],
): JsonObject {
  const isResource = path === '' || schema['x-kubernetes-embedded-resource'] === true
  return mapFields(object, (name, value) => {
    if (isResource && metaFields.has(name)) return value
    const field = fieldSchema(schema, name)
    if (field) return prune(field, value, fieldPath(path, name), unknownFields)
    if (keepsUnknown(schema)) return value
    unknownFields.push(fieldPath(path, name))
    return undefined
  })
}

/** Under additionalProperties: true Kubernetes keeps scalars only; nothing of ours says that. */
const keepsUnknown = (schema: Schema): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true
