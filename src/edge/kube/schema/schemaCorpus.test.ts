// The conformance corpus is written for these schemas, so it contains no unknown fields.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { loadAll } from 'js-yaml'
import { expect, test } from 'vitest'
import { shippedCrds } from '../../../../test/build/shippedCrds.ts'
import { coreKinds } from './coreSchemas.ts'
import { type Schema, walkSchema } from './schema.ts'

type Manifest = { apiVersion: string; kind: string; metadata: { name: string } }
type Step = { name?: string; apply?: Manifest[]; expect?: { rejected?: unknown } }
type Scenario = Manifest & { spec: { given?: Manifest[]; steps?: Step[] } }

const definitions = shippedCrds.flatMap(({ crd }) =>
  crd.versions.map(({ name, schema }) => ({ title: `${crd.group}/${name} ${crd.kind}`, schema })),
)
const known = [
  ...definitions,
  ...coreKinds.map(({ group, version, kind, schema }) => ({
    title: `${group === '' ? version : `${group}/${version}`} ${kind}`,
    schema,
  })),
]
const schemas = new Map<string, Schema>(known.map(({ title, schema }) => [title, schema]))

const corpus = 'test/conformance'
const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
const scenarios = files
  .filter((file) => file.endsWith('.yaml'))
  .flatMap((file) => loadAll(readFileSync(join(corpus, file), 'utf8')) as Scenario[])
  .filter((scenario) => scenario !== null)

function walk(object: Manifest) {
  const schema = schemas.get(`${object.apiVersion} ${object.kind}`)
  if (!schema) throw new Error(`${object.apiVersion} ${object.kind} has no schema`)
  const { errors, unknownFields } = walkSchema(schema, object)
  return { object, errors, unknownFields }
}

test.each(scenarios)('$metadata.name', (scenario) => {
  const { given = [], steps = [] } = scenario.spec
  const welcome = steps.filter(({ expect }) => expect?.rejected === undefined)
  const objects = [scenario, ...given, ...welcome.flatMap(({ apply = [] }) => apply)]
  for (const object of objects) {
    expect(walk(object)).toEqual({ object, errors: [], unknownFields: [] })
  }
  for (const object of steps.flatMap(({ apply = [] }) => apply)) {
    expect(walk(object).unknownFields).toEqual([])
  }
})

/** Values that mostly fit, so that the walk goes below the surface. */
function near(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 6, arbitrary: fitting(schema) },
    { weight: 1, arbitrary: fc.jsonValue() },
  )
}

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const { properties, additionalProperties, items } = schema
  if (items) return fc.array(near(items), { maxLength: 2 })
  if (typeof additionalProperties === 'object') {
    return fc.dictionary(fc.string({ maxLength: 4 }), near(additionalProperties), { maxKeys: 2 })
  }
  if (!properties) return fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.jsonValue())
  const fields = Object.entries(properties).map(([name, field]) => [name, near(field)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] })
}

test.each(known)('$title never throws and is idempotent', ({ schema }) => {
  fc.assert(
    fc.property(near(schema), (json) => {
      const once = walkSchema(schema, json)
      const again = walkSchema(schema, once.value)
      expect(again.value).toBe(once.value)
      expect(again.unknownFields).toEqual([])
      expect(again.errors).toEqual(once.errors)
    }),
    { numRuns: 40 },
  )
})
