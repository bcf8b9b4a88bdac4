// Are the definitions that we ship complete, and accepted by a cluster?
import { expect, test } from 'vitest'
import { shippedCrds, shippedVersion, shippedVersions } from '../../../../test/build/shippedCrds.ts'
import { type Schema, walkSchema } from './schema.ts'

test('the shipped definitions are these', () => {
  const shown = shippedCrds.map(
    ({ crd }) => `${crd.kind} ${crd.scope} ${crd.versions.map((one) => one.name)}`,
  )
  expect(shown.sort()).toEqual([
    'Address Cluster v1alpha1',
    'AddressBlock Cluster v1alpha1',
    'BFDProfile Namespaced v1beta1',
    'BGPAdvertisement Namespaced v1beta1',
    'BGPConfiguration Namespaced v1beta1',
    'BGPPeer Namespaced v1beta1,v1beta2',
    'BGPSession Cluster v1alpha1',
    'Community Namespaced v1beta1',
    'ConfigurationState Namespaced v1beta1',
    'DNSData Namespaced v1beta1',
    'DNSMasq Namespaced v1beta1',
    'IPAddressPool Namespaced v1beta1',
    'IPSet Namespaced v1beta1',
    'L2Advertisement Namespaced v1beta1',
    'NetConfig Namespaced v1beta1',
    'NodeInterfaces Cluster v1alpha1',
    'ReleasedPool Cluster v1alpha1',
    'Reservation Namespaced v1beta1',
    'Scenario Namespaced v1alpha1',
    'ServiceBGPStatus Namespaced v1beta1',
    'ServiceL2Status Namespaced v1beta1',
    'Site Cluster v1alpha1',
    'Tenant Cluster v1alpha1',
  ])
})

test.each(shippedCrds)('$file is named after what it defines', ({ file, json, crd }) => {
  expect(file).toBe(`${crd.group}_${crd.plural}.yaml`)
  expect(json).toHaveProperty('metadata.name', `${crd.plural}.${crd.group}`)
})

test.each(shippedVersions)('$title has a structural schema', ({ version }) => {
  expect(version.schema).toMatchObject({
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
    },
  })
  expect(faults(version.schema, '')).toEqual([])
})

test.each(shippedVersions)('$title has defaults that match its schema', ({ version }) => {
  for (const [path, node] of nodes(version.schema, '')) {
    if (node.default === undefined) continue
    const around: Schema = { type: 'object', properties: { it: node } }
    const { errors, unknownFields } = walkSchema(around, {})
    expect({ path, errors, unknownFields }).toEqual({ path, errors: [], unknownFields: [] })
  }
})

test.each(shippedVersions.filter(({ title }) => title !== 'BGPPeer v1beta1'))(
  '$title has complete label selectors',
  ({ version }) => {
    const list = { type: 'array', 'x-kubernetes-list-type': 'atomic' }
    for (const [, node] of nodes(version.schema, '')) {
      if (!node.properties?.['matchLabels']) continue
      expect(node).toMatchObject({
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        properties: {
          matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
          matchExpressions: {
            ...list,
            items: { required: ['key', 'operator'], properties: { values: list } },
          },
        },
      })
    }
  },
)

test.each(shippedVersions)('$title has printer columns for existing fields', ({ version }) => {
  for (const { jsonPath } of version.columns) {
    const names = jsonPath
      .replace(/\[[^\]]*\]/g, '')
      .split('.')
      .slice(1)
    if (names[0] === 'metadata') continue
    const reached = names.reduce<Schema | undefined>(
      (node, name) => (node?.items ?? node)?.properties?.[name],
      version.schema,
    )
    expect(reached, jsonPath).toBeDefined()
  }
})

test('[M1.4] BGPPeer stores v1beta2 and warns about v1beta1', () => {
  expect(shippedVersion('BGPPeer v1beta1')).toMatchObject({
    served: true,
    storage: false,
    deprecationWarning: 'v1beta1 is deprecated, please use v1beta2',
  })
  expect(shippedVersion('BGPPeer v1beta2')).toMatchObject({ served: true, storage: true })
})

function* nodes(schema: Schema, path: string): Generator<readonly [string, Schema]> {
  yield [path, schema]
  if (schema.items) yield* nodes(schema.items, `${path}[]`)
  if (typeof schema.additionalProperties === 'object') {
    yield* nodes(schema.additionalProperties, `${path}.*`)
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield* nodes(field, `${path}.${name}`)
  }
}

/** The rules for structural schemas, as far as our schemas could break them. */
function faults(root: Schema, at: string): string[] {
  return [...nodes(root, at)].flatMap(([path, node]) => {
    const mayBeUntyped =
      node['x-kubernetes-int-or-string'] ?? node['x-kubernetes-preserve-unknown-fields']
    const keys = node['x-kubernetes-list-map-keys'] ?? []
    const found = {
      'has no type': node.type === undefined && !mayBeUntyped,
      'is a list without items': node.type === 'array' && node.items === undefined,
      'is both object and map': Boolean(node.properties && node.additionalProperties),
      'has alternatives': Boolean(node.allOf ?? node.anyOf ?? node.oneOf ?? node.not),
      'has unique items': node.uniqueItems === true,
      'has optional keys': keys.some((key) => !node.items?.required?.includes(key)),
      'is a list of unknown kind': (node['x-kubernetes-list-type'] === 'map') !== keys.length > 0,
      'requires a field it does not have': (node.required ?? []).some(
        (name) => !node.properties?.[name],
      ),
    }
    return Object.entries(found).flatMap(([fault, isThere]) =>
      isThere ? [`${path} ${fault}`] : [],
    )
  })
}
