import { expect, test } from 'vitest'
import { aggregated, apiGroup, apiGroups, apiResources, apiVersions } from './discovery.ts'
import { Kinds } from './kinds.ts'
import { OpenApi } from './openapi.ts'

const boats = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.sea.dev' },
  spec: {
    group: 'sea.dev',
    scope: 'Namespaced',
    names: { kind: 'Boat', plural: 'boats', shortNames: ['bt'] },
    versions: ['v1', 'v1beta1'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: { type: 'object', description: 'What it is made of.' } },
        },
      },
    })),
  },
  status: { conditions: [{ type: 'Established', status: 'True' }] },
}
const kinds = new Kinds()
kinds.define(boats)

test('[C110] all groups in one document: resources, scopes, names and verbs', () => {
  const { items } = aggregated(kinds, 'groups') as { items: readonly { metadata: object }[] }
  expect(items.at(-1)).toMatchObject({
    metadata: { name: 'sea.dev' },
    versions: [
      {
        version: 'v1',
        freshness: 'Current',
        resources: [
          {
            resource: 'boats',
            responseKind: { group: 'sea.dev', version: 'v1', kind: 'Boat' },
            scope: 'Namespaced',
            singularResource: 'boat',
            shortNames: ['bt'],
            subresources: [{ subresource: 'status', verbs: ['get', 'patch', 'update'] }],
          },
        ],
      },
      { version: 'v1beta1' },
    ],
  })
  const core = JSON.stringify(aggregated(kinds, 'core'))
  expect(core).toContain('"resource":"services"')
  expect(core).not.toContain('sea.dev')
})

test('the older documents say the same, one for each group and version', () => {
  expect(apiVersions('10.0.0.1:6443')).toMatchObject({ kind: 'APIVersions', versions: ['v1'] })
  expect(JSON.stringify(apiGroups(kinds))).toContain('"preferredVersion":{"groupVersion":"apps/v1"')
  expect(apiGroup(kinds, 'sea.dev')).toMatchObject({
    kind: 'APIGroup',
    preferredVersion: { groupVersion: 'sea.dev/v1', version: 'v1' },
  })
  expect(apiGroup(kinds, 'land.dev')).toBeUndefined()
  expect(apiResources(kinds, 'sea.dev', 'v1')).toMatchObject({
    groupVersion: 'sea.dev/v1',
    resources: [
      { name: 'boats', singularName: 'boat', namespaced: true, kind: 'Boat', shortNames: ['bt'] },
      { name: 'boats/status', singularName: '', verbs: ['get', 'patch', 'update'] },
    ],
  })
  expect(apiResources(kinds, 'sea.dev', 'v2')).toBeUndefined()
  expect(apiResources(kinds, '', 'v1')).toMatchObject({ groupVersion: 'v1' })
})

test('review kinds, which are only posted, are listed too', () => {
  expect(apiResources(kinds, 'authorization.k8s.io', 'v1')).toMatchObject({
    resources: [
      { name: 'selfsubjectaccessreviews', kind: 'SelfSubjectAccessReview', verbs: ['create'] },
      { name: 'selfsubjectrulesreviews', namespaced: false },
    ],
  })
})

test('namespaces cannot be deleted as a collection', () => {
  const { resources } = apiResources(kinds, '', 'v1') as {
    resources: readonly { name: string; verbs: readonly string[] }[]
  }
  const verbsOf = (name: string) => resources.find((one) => one.name === name)?.verbs
  expect(verbsOf('namespaces')).not.toContain('deletecollection')
  expect(verbsOf('configmaps')).toContain('deletecollection')
})

const read = (bytes: Uint8Array = Buffer.from('{}')) =>
  JSON.parse(Buffer.from(bytes).toString('utf8'))

test('schemas are held once, however many answers wait to be read', () => {
  const openApi = new OpenApi(kinds)
  expect(openApi.older().bytes).toBe(openApi.older().bytes)
  expect(openApi.document('api/v1')?.bytes).toBe(openApi.document('api/v1')?.bytes)
})

test('[C125] schemas are published with their descriptions, and only those that are needed', () => {
  const openApi = new OpenApi(kinds)
  const { paths, components } = read(openApi.document('apis/sea.dev/v1')?.bytes)
  expect(Object.keys(paths)).toEqual([
    '/apis/sea.dev/v1/boats',
    '/apis/sea.dev/v1/namespaces/{namespace}/boats',
    '/apis/sea.dev/v1/namespaces/{namespace}/boats/{name}',
    '/apis/sea.dev/v1/namespaces/{namespace}/boats/{name}/status',
  ])
  const { schemas } = components
  expect(schemas['dev.sea.v1.Boat']).toMatchObject({
    properties: {
      spec: { description: 'What it is made of.' },
      metadata: { allOf: [{}], description: expect.stringContaining("Standard object's metadata") },
    },
    'x-kubernetes-group-version-kind': [{ group: 'sea.dev', kind: 'Boat', version: 'v1' }],
  })
  expect(schemas).toHaveProperty('dev\\.sea\\.v1\\.BoatList')
  const text = JSON.stringify({ paths, components })
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    expect(Object.keys(schemas)).toContain(name)
  }
})

test('[C116] kubectl finds how to patch, and that unknown fields can be refused', () => {
  const document = read(new OpenApi(kinds).document('api/v1')?.bytes)
  const { patch } = document.paths['/api/v1/namespaces/{namespace}/services/{name}']
  expect(Object.keys(patch.requestBody.content)).toContain('application/strategic-merge-patch+json')
  expect(patch.parameters).toContainEqual(expect.objectContaining({ name: 'fieldValidation' }))
  expect(patch['x-kubernetes-group-version-kind']).toEqual({
    group: '',
    version: 'v1',
    kind: 'Service',
  })
  const custom = read(new OpenApi(kinds).document('apis/sea.dev/v1')?.bytes)
  const boat = custom.paths['/apis/sea.dev/v1/namespaces/{namespace}/boats/{name}']
  expect(Object.keys(boat.patch.requestBody.content)).toEqual([
    'application/apply-patch+yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
  ])
})

test('the index names each document by its hash, which changes when the kinds do', () => {
  const changing = new Kinds()
  const openApi = new OpenApi(changing)
  const urls = () => openApi.index()['paths'] as Record<string, { serverRelativeURL: string }>
  const before = urls()
  expect(before).not.toHaveProperty(['apis/sea.dev/v1'])
  expect(openApi.document('apis/sea.dev/v1')).toBeUndefined()
  changing.define(boats)
  expect(urls()['apis/sea.dev/v1']?.serverRelativeURL).toMatch(/\?hash=[0-9A-F]{128}$/)
  expect(urls()['api/v1']).toEqual(before['api/v1'])
})
