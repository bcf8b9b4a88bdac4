// What is left of an object when fields that its schema does not know are removed?
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../decode/fields.ts'
import type { Schema } from './schema.ts'
import { fieldPath, fieldSchema, mapFields, mapItems } from './schemaNodes.ts'

/** Left to the caller at the root, and kept wherever a whole object is embedded. */
const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

type Pruned = { readonly value: unknown; readonly unknownFields: readonly string[] }

/** Only as deep as the schema goes: preserved and untyped parts are kept whole. */
export function prune(root: Schema, json: unknown): Pruned {
  const unknownFields: string[] = []

  function pruneValue(schema: Schema, value: unknown, path: string): unknown {
    if (isRecord(value)) return pruneFields(schema, value, path)
    const { items } = schema
    if (!Array.isArray(value) || !items) return value
    return mapItems(value, (item, index) => pruneValue(items, item, `${path}[${index}]`))
  }

  function pruneFields(schema: Schema, object: JsonObject, path: string): JsonObject {
    const isResource = path === '' || schema['x-kubernetes-embedded-resource'] === true
    return mapFields(object, (name, value) => {
      if (isResource && metaFields.has(name)) return value
      const field = fieldSchema(schema, name)
      if (field) return pruneValue(field, value, fieldPath(path, name))
      if (keepsUnknown(schema)) return value
      unknownFields.push(fieldPath(path, name))
      return undefined
    })
  }

  return { value: pruneValue(root, json, ''), unknownFields }
}

/** Under additionalProperties: true Kubernetes keeps scalars only; no schema of ours uses that. */
const keepsUnknown = (schema: Schema): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true
