// What does a JSON merge patch make of an object? RFC 7386, with Kubernetes' refusals.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../../kube/decode/fields.ts'
import { jsonType } from '../values/goText.ts'
import { badRequest, done, type Outcome } from '../values/status.ts'
import { withoutNulls } from './withoutNulls.ts'

/** Parts that the patch does not name are shared with the target, which is not changed. */
export function mergePatch(target: JsonObject, patch: unknown): Outcome<JsonObject> {
  if (patch === null) return badRequest('Invalid JSON Patch')
  if (isRecord(patch)) return done(merged(target, patch))
  const found = `json: cannot unmarshal ${jsonType(patch)} into Go value`
  return badRequest(`error decoding patch: ${found} of type map[string]interface {}`)
}

function merged(target: JsonObject, patch: JsonObject): JsonObject {
  const fields = new Map(Object.entries(target))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) fields.delete(name)
    else fields.set(name, mergedValue(fields.get(name), value))
  }
  return Object.fromEntries(fields)
}

function mergedValue(before: unknown, value: unknown): unknown {
  if (!isRecord(before)) return withoutNulls(value)
  return isRecord(value) ? merged(before, value) : value
}
