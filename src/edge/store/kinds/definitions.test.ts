import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { builtInKinds, publishedAs } from './builtIn.ts'
import { definition, published } from './definitions.ts'

const folder = fileURLToPath(new URL('../../../../deploy/openapi', import.meta.url))
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => Object.keys(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))))

test.each(builtInKinds.map((kind) => publishedAs(kind)))(
  '%s and its list are published',
  (name) => {
    expect(published(name).properties).toHaveProperty('metadata')
    expect(published(`${name}List`).properties).toHaveProperty('items')
  },
)

test('every definition is resolved: nothing refers to another any more', () => {
  const seen = new Set<unknown>()
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return
    seen.add(node)
    if ('$ref' in node) expect(node.$ref, path).not.toBeTypeOf('string')
    for (const [name, inside] of Object.entries(node)) {
      if (name !== 'default' && name !== 'enum') visit(inside, `${path}.${name}`)
    }
  }
  for (const name of names) visit(definition(name), name)
  expect(seen.size).toBeGreaterThan(1000)
})

test('[C45] lists keep their keys, and what a field says of itself goes before its type', () => {
  const spec = definition('io.k8s.api.core.v1.Service').properties?.['spec']
  const ports = spec?.properties?.['ports']
  expect(ports).toMatchObject({
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
    'x-kubernetes-patch-merge-key': 'port',
  })
  expect(spec?.description).toContain('defines the behavior of a service')
  expect(ports?.items?.properties?.['protocol']?.default).toBe('TCP')
  expect(ports?.items?.['x-berth-type']).toBe('ServicePort')
})

test('the schema of schemas contains itself', () => {
  const name = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps'
  const schema = definition(name)
  expect(schema.properties?.['items']?.properties).toBe(schema.properties)
  expect(schema.properties?.['additionalProperties']?.['x-berth-form']).toBe('SchemaOrBool')
})

test('an unknown definition is a bug', () => {
  expect(() => published('io.k8s.api.core.v1.Nothing')).toThrow('does not define')
})
