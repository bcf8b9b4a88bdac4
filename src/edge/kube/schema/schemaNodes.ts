// What does the walk need from every schema node and JSON value?
import type { JsonObject } from '../../../core/model/gate.ts'
import type { Schema } from './schema.ts'

/** Schemas are read once and walked often, so values derived from a node are cached. */
export function perNode<T>(derive: (schema: Schema) => T): (schema: Schema) => T {
  const known = new WeakMap<Schema, { readonly derived: T }>()
  return (schema) => {
    const before = known.get(schema)
    if (before) return before.derived
    const derived = derive(schema)
    known.set(schema, { derived })
    return derived
  }
}

/** A Map, because a field may be called `constructor`; sorted, so errors have a fixed order. */
export const propertiesOf = perNode<ReadonlyMap<string, Schema>>(
  ({ properties = {} }) => new Map(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1))),
)

/** The schema of a field: its own, or the one for all other fields. */
export function fieldSchema(schema: Schema, name: string): Schema | undefined {
  const own = propertiesOf(schema).get(name)
  if (own) return own
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

export const fieldPath = (path: string, name: string): string =>
  path === '' ? name : `${path}.${name}`

/** Replaces each field, or drops it for undefined; returns the input if nothing changes. */
export function mapFields(
  object: JsonObject,
  replace: (name: string, value: unknown) => unknown,
): JsonObject {
  const fields: [string, unknown][] = []
  let isSame = true
  for (const [name, value] of Object.entries(object)) {
    const after = replace(name, value)
    if (after !== value || after === undefined) isSame = false
    if (after !== undefined) fields.push([name, after])
  }
  return isSame ? object : Object.fromEntries(fields)
}

export function mapItems(
  list: readonly unknown[],
  replace: (value: unknown, index: number) => unknown,
): readonly unknown[] {
  const after = list.map(replace)
  return after.every((value, index) => value === list[index]) ? list : after
}
