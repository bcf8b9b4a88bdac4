import { expect, test } from 'vitest'
import { Kinds } from './kinds.ts'
import { resourceOf } from './storedKind.ts'

const version = (name: string, more: object = {}) => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
})
const crd = (given: {
  versions?: object[]
  conversion?: string
  status?: string
  meta?: object
}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.sea.dev', ...given.meta },
  spec: {
    group: 'sea.dev',
    scope: 'Namespaced',
    names: { kind: 'Boat', plural: 'boats', shortNames: ['bt'], categories: ['fleet'] },
    versions: given.versions ?? [version('v1', { storage: true })],
    conversion: { strategy: given.conversion ?? 'None' },
  },
  status: { conditions: [{ type: 'Established', status: given.status ?? 'True' }] },
})

test('built-in kinds are served from the start, and stay', () => {
  const kinds = new Kinds()
  expect(kinds.find('', 'v1', 'services')?.kind).toMatchObject({ kind: 'Service', isBuiltIn: true })
  expect(kinds.find('apps', 'v1', 'deployments')?.version.hasStatus).toBe(true)
  expect(kinds.find('apps', 'v1beta1', 'deployments')).toBeUndefined()
  expect(kinds.find('rbac.authorization.k8s.io', 'v1', 'roles')).toBeUndefined()
  expect(kinds.named('coordination.k8s.io', 'Lease')?.plural).toBe('leases')
  kinds.forget('services')
  expect(kinds.get('services')).toBeDefined()
  expect(kinds.generation).toBe(0)
})

test('[C95] a definition adds a kind under its names; the kind goes with it', () => {
  const kinds = new Kinds()
  let changes = 0
  const stop = kinds.onChange(() => changes++)
  kinds.define(crd({}))
  expect(kinds.find('sea.dev', 'v1', 'boats')?.kind).toMatchObject({
    kind: 'Boat',
    listKind: 'BoatList',
    singular: 'boat',
    shortNames: ['bt'],
    categories: ['fleet'],
    isNamespaced: true,
    isBuiltIn: false,
    storage: 'v1',
  })
  expect(kinds.all().map(resourceOf).at(-1)).toBe('boats.sea.dev')
  kinds.forget('boats.sea.dev')
  expect(kinds.get('boats.sea.dev')).toBeUndefined()
  expect(changes).toBe(2)
  stop()
  kinds.define(crd({}))
  expect(changes).toBe(2)
})

test('a definition that changes nothing about its kind keeps the same value', () => {
  const kinds = new Kinds()
  kinds.define(crd({}))
  const [before, generation] = [kinds.get('boats.sea.dev'), kinds.generation]
  kinds.define(crd({ meta: { labels: { a: 'b' } } }))
  expect(kinds.get('boats.sea.dev')).toBe(before)
  expect(kinds.generation).toBe(generation)
  kinds.define(crd({ versions: [version('v2', { storage: true })] }))
  expect(kinds.get('boats.sea.dev')).not.toBe(before)
})

test('no definition replaces a built-in kind', () => {
  const kinds = new Kinds()
  const name = 'leases.coordination.k8s.io'
  const before = kinds.get(name)
  const definition = crd({ meta: { name, deletionTimestamp: '2026-01-01T00:00:00Z' } })
  const names = { kind: 'Lease', plural: 'leases' }
  kinds.define({ ...definition, spec: { ...definition.spec, group: 'coordination.k8s.io', names } })
  expect(kinds.get(name)).toBe(before)
  expect(before && kinds.isGoing(before)).toBe(false)
})

test('a definition is served only while it is established', () => {
  const kinds = new Kinds()
  kinds.define(crd({ status: 'False' }))
  expect(kinds.get('boats.sea.dev')).toBeUndefined()
  kinds.define(crd({}))
  kinds.define(crd({ status: 'False' }))
  expect(kinds.get('boats.sea.dev')).toBeUndefined()
})

test('a kind that is being withdrawn accepts no new objects', () => {
  const kinds = new Kinds()
  kinds.define(crd({}))
  const kind = kinds.get('boats.sea.dev')
  expect(kind && kinds.isGoing(kind)).toBe(false)
  kinds.define(crd({ meta: { deletionTimestamp: '2026-01-01T00:00:00Z' } }))
  expect(kind && kinds.isGoing(kind)).toBe(true)
  kinds.forget('boats.sea.dev')
  kinds.define(crd({}))
  expect(kind && kinds.isGoing(kind)).toBe(false)
})

const versions = [
  version('v1alpha1'),
  version('v2', { served: false }),
  version('v1beta2', { storage: true }),
  version('v1'),
]
test.each([
  { conversion: 'None', served: ['v1', 'v1beta2', 'v1alpha1'] },
  { conversion: 'Webhook', served: ['v1beta2'] },
])('with conversion $conversion the versions $served are served', ({ conversion, served }) => {
  const kinds = new Kinds()
  kinds.define(crd({ versions, conversion }))
  expect(kinds.get('boats.sea.dev')?.versions.map(({ name }) => name)).toEqual(served)
})

test('every object of a custom kind has metadata, whatever its definition says', () => {
  const kinds = new Kinds()
  kinds.define(crd({}))
  const schema = kinds.find('sea.dev', 'v1', 'boats')?.version.schema
  const metadata = schema?.properties?.['metadata']
  expect(Object.keys(metadata?.properties ?? {})).toContain('ownerReferences')
})
