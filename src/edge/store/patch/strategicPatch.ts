// What does a strategic merge patch make of an object? Like a merge patch, but lists are merged as
// the schema says, and fields that start with `$` are directives. Errors are worded as in
// Kubernetes.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../../kube/decode/fields.ts'
import type { Schema } from '../../kube/schema/schema.ts'
import { fieldSchema } from '../../kube/schema/schemaNodes.ts'
import { goText, goType, jsonType } from '../values/goText.ts'
import { badRequest, done, type Outcome } from '../values/status.ts'
import { FirstRefusal, unexplained } from './refusals.ts'
import { orderIn, removedIn, withoutDirectives } from './strategic/instructions.ts'
import { mergeLists, ruleOf, withoutItems } from './strategic/mergeLists.ts'
import { setElementOrder } from './strategic/setElementOrder.ts'
import { withoutNulls } from './withoutNulls.ts'

/** Parts that the patch does not name are shared with the target, which is not changed. */
export function strategicPatch(
  schema: Schema,
  target: JsonObject,
  patch: unknown,
): Outcome<JsonObject> {
  if (patch === null) return done(target)
  if (!isRecord(patch)) {
    const found = `json: cannot unmarshal ${jsonType(patch)}`
    return badRequest(`${found} into Go value of type map[string]interface {}`)
  }
  const walk = new FirstRefusal()
  const value = mergedObject(walk, { schema, target, patch })
  return walk.first ?? done(value)
}

type Merge = {
  /** Undefined without a schema. */
  readonly schema: Schema | undefined
  readonly target: JsonObject
  readonly patch: JsonObject
}
type Fields = Map<string, unknown>

function mergedObject(walk: FirstRefusal, { schema, target, patch }: Merge): JsonObject {
  if (walk.first !== undefined) return target
  if (Object.hasOwn(patch, '$patch')) return directed(walk, patch)
  const fields: Fields = new Map(Object.entries(retained(walk, target, patch)))
  const changes: Fields = new Map(Object.entries(patch))
  walk.spend(fields.size + changes.size)
  changes.delete('$retainKeys')
  for (const [key, order] of [...changes]) {
    const name = orderIn(walk, key)
    if (name === undefined) continue
    changes.delete(key)
    const field = schema && fieldSchema(schema, name)
    mergeInOrder(walk, { schema: field, name, order, fields, changes })
  }
  for (const [key, value] of changes) mergeField(walk, { schema, key, value, fields })
  return Object.fromEntries(fields)
}

function directed(walk: FirstRefusal, patch: JsonObject): JsonObject {
  const { $patch, ...rest } = patch
  if ($patch === 'replace') return rest
  if ($patch !== 'delete') {
    walk.add(unexplained(`unknown patch type: ${goText($patch)} in map: ${goText(patch)}`))
  }
  return {}
}

/** `$retainKeys` removes all other keys; every key that the patch sets must be listed. */
function retained(walk: FirstRefusal, target: JsonObject, patch: JsonObject): JsonObject {
  if (!Object.hasOwn(patch, '$retainKeys')) return target
  const { $retainKeys: kept, ...changes } = patch
  const names = new Set<unknown>(Array.isArray(kept) ? kept : [])
  const isKept = ([key, value]: readonly [string, unknown]): boolean =>
    names.has(key) || value === null || /^\$(deleteFromPrimitiveList|setElementOrder)/.test(key)
  if (!Array.isArray(kept) || !Object.entries(changes).every(isKept)) {
    walk.add(badRequest('invalid patch format of retainKeys'))
  }
  return Object.fromEntries(Object.entries(target).filter(([name]) => names.has(name)))
}

type Ordering = {
  readonly schema: Schema | undefined
  readonly name: string
  readonly order: unknown
  readonly fields: Fields
  readonly changes: Fields
}

/** Merges a list together with its `$setElementOrder`. */
function mergeInOrder(walk: FirstRefusal, ordering: Ordering): void {
  const { schema, name, order, fields, changes } = ordering
  const [before, change] = [fields.get(name), changes.get(name)]
  const [stray] = [order, before, change].filter((list) => !isListOrNone(list))
  if (stray !== undefined) {
    walk.add(unexplained(`expected a []interface {}, but received a ${goType(stray)}`))
  } else if (schema === undefined) {
    walk.add(unexplained(`unable to find api field for the json field ${JSON.stringify(name)}`))
  } else if (before !== undefined || change !== undefined) {
    const merged = listOf(mergedValue(walk, { schema, before, value: change }))
    const lists = { order: listOf(order), before: listOf(before), change: listOf(change), merged }
    fields.set(name, setElementOrder(walk, { ...lists, mergeKey: ruleOf(schema).mergeKey }))
    changes.delete(name)
  }
}

const isListOrNone = (json: unknown): boolean => json === undefined || Array.isArray(json)
const listOf = (json: unknown): readonly unknown[] => (Array.isArray(json) ? json : [])

type Change = {
  readonly schema: Schema | undefined
  readonly key: string
  readonly value: unknown
  readonly fields: Fields
}

function mergeField(walk: FirstRefusal, { schema, key, value, fields }: Change): void {
  const removed = removedIn(walk, key)
  const name = removed ?? key
  const before = fields.get(name)
  if (value === null) {
    fields.delete(name)
  } else if (removed === undefined) {
    const field = schema && fieldSchema(schema, name)
    const after = mergedValue(walk, { schema: field, before, value })
    if (after === undefined) fields.delete(name)
    else fields.set(name, after)
  } else if (Array.isArray(before) && Array.isArray(value)) {
    fields.set(name, withoutItems(walk, { before, change: value }))
  }
}

type Values = {
  readonly schema: Schema | undefined
  readonly before: unknown
  readonly value: unknown
}

/** A value of another type, or a new one, is taken as it is. */
function mergedValue(walk: FirstRefusal, { schema, before, value }: Values): unknown {
  if (value === undefined) return before
  if (goType(before) !== goType(value)) return withoutDirectives(withoutNulls(value))
  const rule = ruleOf(schema)
  if (Array.isArray(before) && Array.isArray(value) && rule.isMerged) {
    const mergeItem = (target: JsonObject, patch: JsonObject): JsonObject =>
      mergedObject(walk, { schema: rule.items, target, patch })
    return mergeLists(walk, { before, change: value, rule, mergeItem })
  }
  if (!isRecord(before) || !isRecord(value) || rule.isReplaced) return value
  return mergedObject(walk, { schema, target: before, patch: value })
}
