// How is a field of an object changed? In a copy, because stored objects never change.
import type { JsonObject } from '../../../core/model/gate.ts'
import { metaOf, recordOf } from '../values/jsonRead.ts'

/** Undefined removes a field. */
export function changed(object: JsonObject, change: JsonObject): JsonObject {
  const after: Record<string, unknown> = { ...object }
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) delete after[name]
    else after[name] = value
  }
  return after
}

export const withMeta = (object: JsonObject, change: JsonObject): JsonObject => ({
  ...object,
  metadata: changed(metaOf(object), change),
})

export const withSpec = (object: JsonObject, change: JsonObject): JsonObject => ({
  ...object,
  spec: changed(recordOf(object['spec']), change),
})
