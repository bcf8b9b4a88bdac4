// Which definitions are accepted, and what is read from them?
import { expect, test } from 'vitest'
import { readCrd } from './crd.ts'

const version = (change: object = {}): object => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...change,
})
const definition = (spec: object = {}, root: object = {}): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'berths.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { kind: 'Berth', plural: 'berths' },
    versions: [version()],
    ...spec,
  },
  ...root,
})
const schema = (openAPIV3Schema: unknown) => ({
  versions: [version({ schema: { openAPIV3Schema } })],
})

test("fills in the API server's defaults", () => {
  expect(readCrd(definition())).toEqual({
    group: 'example.com',
    kind: 'Berth',
    listKind: 'BerthList',
    plural: 'berths',
    singular: 'berth',
    scope: 'Cluster',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { type: 'object' },
        columns: [],
        hasStatus: false,
      },
    ],
  })
})

test('reads what is written', () => {
  const columns = [
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', priority: 1 },
  ]
  const old = version({
    name: 'v1beta1',
    storage: false,
    deprecated: true,
    subresources: { status: {} },
  })
  const warned = version({
    additionalPrinterColumns: columns,
    deprecated: true,
    deprecationWarning: 'go',
  })
  const names = { kind: 'Berth', plural: 'berths', singular: 'one', listKind: 'All' }
  const crd = readCrd(definition({ names, versions: [warned, old] }))
  expect(crd).toMatchObject({ singular: 'one', listKind: 'All' })
  expect(crd?.versions).toMatchObject([
    { columns, deprecationWarning: 'go', hasStatus: false },
    { deprecationWarning: 'example.com/v1beta1 Berth is deprecated', hasStatus: true },
  ])
})

const refused: { why: string; json: unknown }[] = [
  { why: 'nothing', json: undefined },
  { why: 'a list', json: [definition()] },
  { why: 'another API', json: definition({}, { apiVersion: 'apiextensions.k8s.io/v1beta1' }) },
  { why: 'another kind', json: definition({}, { kind: 'Service' }) },
  { why: 'no spec', json: definition({}, { spec: null }) },
  { why: 'no group', json: definition({ group: 7 }) },
  { why: 'no names', json: definition({ names: { kind: 'Berth' } }) },
  { why: 'an unknown scope', json: definition({ scope: 'Both' }) },
  { why: 'no stored version', json: definition({ versions: [version({ storage: false })] }) },
  {
    why: 'two stored versions',
    json: definition({ versions: [version(), version({ name: 'v2' })] }),
  },
  { why: 'a version without a schema', json: definition({ versions: [version({ schema: {} })] }) },
  {
    why: 'a column without a path',
    json: definition({
      versions: [version({ additionalPrinterColumns: [{ name: 'A', type: 'string' }] })],
    }),
  },
  { why: 'an unknown type', json: definition(schema({ type: 'text' })) },
  {
    why: 'a bound that is not a number',
    json: definition(schema({ type: 'integer', minimum: '1' })),
  },
  { why: 'a bad schema inside', json: definition(schema({ properties: { a: { items: [] } } })) },
  {
    why: 'a bad rule',
    json: definition(schema({ 'x-kubernetes-validations': [{ message: 'a' }] })),
  },
]
test.each(refused)('refuses $why', ({ json }) => {
  expect(readCrd(json)).toBeUndefined()
})
