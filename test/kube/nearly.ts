// Which objects come close to a schema? Mostly right, so that a check gets below the surface.
import fc from 'fast-check'
import type { Schema } from '../../src/edge/kube/schema/schema.ts'

/** Only what JSON can carry. */
export function nearly(schema: Schema, count: number, seed: number): unknown[] {
  const samples = fc.sample(fitting(schema), { numRuns: count, seed })
  return samples.map((sample): unknown => JSON.parse(JSON.stringify(sample)))
}

function near(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: fitting(schema) },
    { weight: 1, arbitrary: anything(schema) },
  )
}

/** The API server takes a list for any string that has a format (C99); we do not. */
function anything({ type, format }: Schema): fc.Arbitrary<unknown> {
  const isLax = type === 'string' && format !== undefined
  return fc.jsonValue({ maxDepth: 1 }).filter((value) => !(isLax && Array.isArray(value)))
}

const texts = ['', '10s', '192.0.2.0/24', 'x', 'True', '2026-01-02T03:04:05Z', 'a-b']
const numbers = [0, 1, -1, 1.5, 2 ** 31, 2 ** 40]

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const { properties, additionalProperties, items, enum: allowed, type } = schema
  if (items) return fc.array(near(items), { maxLength: 3 })
  if (typeof additionalProperties === 'object') {
    return fc.dictionary(fc.string({ maxLength: 4 }), near(additionalProperties), { maxKeys: 2 })
  }
  if (allowed) return fc.constantFrom(...allowed)
  if (properties) return objects(schema, properties)
  if (type === 'string') return fc.oneof(fc.string(), fc.constantFrom(...texts))
  if (type === 'integer') return integers(schema)
  return type === 'boolean' ? fc.boolean() : fc.jsonValue({ maxDepth: 2 })
}

function integers({ minimum = -5, maximum = 100 }: Schema): fc.Arbitrary<number> {
  const within = fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31 - 1) })
  return fc.oneof({ weight: 5, arbitrary: within }, fc.integer(), fc.constantFrom(...numbers))
}

function objects(
  { required = [] }: Schema,
  properties: Readonly<Record<string, Schema>>,
): fc.Arbitrary<unknown> {
  const fields: Record<string, fc.Arbitrary<unknown>> = {
    stranger: fc.option(fc.integer(), { nil: undefined, freq: 8 }),
  }
  for (const [name, field] of Object.entries(properties)) fields[name] = near(field)
  const always = required.filter((name) => name in properties)
  const usual = fc.record(fields, { requiredKeys: always })
  const partial = fc.record(fields, { requiredKeys: [] })
  return fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: partial })
}
