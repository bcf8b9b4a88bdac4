import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { type Crd, type CrdVersion, readCrd } from './crd.ts'
import { type Schema, walkSchema } from './schema.ts'

const folder = 'deploy/crds'
const files = readdirSync(folder)
const shipped = files.map((file): { file: string; crd: Crd } => {
  const crd = readCrd(load(readFileSync(join(folder, file), 'utf8')))
  if (!crd) throw new Error(`${file} is no CustomResourceDefinition`)
  return { file, crd }
})
const versions = shipped.flatMap(({ crd }) =>
  crd.versions.map((version) => ({ title: `${crd.kind} ${version.name}`, crd, version })),
)
function versionOf(title: string): CrdVersion {
  const found = versions.find((one) => one.title === title)
  if (!found) throw new Error(`${title} is not shipped`)
  return found.version
}
const errorsOf = (title: string, fields: object): string[] =>
  walkSchema(versionOf(title).schema, fields).errors.map(
    ({ path, message }) => `${path}: ${message}`,
  )

describe('readCrd', () => {
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

  test('fills in what the API server would', () => {
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
    { why: 'a version without schema', json: definition({ versions: [version({ schema: {} })] }) },
    {
      why: 'a column without path',
      json: definition({
        versions: [version({ additionalPrinterColumns: [{ name: 'A', type: 'string' }] })],
      }),
    },
    { why: 'an unknown type', json: definition(schema({ type: 'text' })) },
    {
      why: 'a bound that is no number',
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
})

describe('the CRDs that are shipped', () => {
  test('are these', () => {
    const shown = shipped.map(
      ({ crd }) => `${crd.kind} ${crd.scope} ${crd.versions.map((one) => one.name)}`,
    )
    expect(shown.sort()).toEqual([
      'Address Cluster v1alpha1',
      'BFDProfile Namespaced v1beta1',
      'BGPAdvertisement Namespaced v1beta1',
      'BGPPeer Namespaced v1beta1,v1beta2',
      'Community Namespaced v1beta1',
      'ConfigurationState Namespaced v1beta1',
      'IPAddressPool Namespaced v1beta1',
      'L2Advertisement Namespaced v1beta1',
      'NodeInterfaces Cluster v1alpha1',
      'Scenario Namespaced v1alpha1',
      'ServiceBGPStatus Namespaced v1beta1',
      'ServiceL2Status Namespaced v1beta1',
      'Site Cluster v1alpha1',
      'Tenant Cluster v1alpha1',
    ])
  })

  test.each(shipped)('$file is named as what it defines', ({ file, crd }) => {
    expect(file).toBe(`${crd.group}_${crd.plural}.yaml`)
    expect(load(readFileSync(join(folder, file), 'utf8'))).toHaveProperty(
      'metadata.name',
      `${crd.plural}.${crd.group}`,
    )
  })

  test.each(versions)('$title has a structural schema', ({ version }) => {
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

  test.each(versions)('$title has defaults that fit', ({ version }) => {
    for (const [path, node] of nodes(version.schema, '')) {
      if (node.default === undefined) continue
      const around: Schema = { type: 'object', properties: { it: node } }
      const { errors, unknownFields } = walkSchema(around, {})
      expect({ path, errors, unknownFields }).toEqual({ path, errors: [], unknownFields: [] })
    }
  })

  test.each(versions.filter(({ title }) => title !== 'BGPPeer v1beta1'))(
    '$title has whole label selectors',
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

  test.each(versions)('$title shows columns of fields that it has', ({ version }) => {
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

  test('[M1.4] BGPPeer stores v1beta2 and warns of v1beta1', () => {
    expect(versionOf('BGPPeer v1beta1')).toMatchObject({
      served: true,
      storage: false,
      deprecationWarning: 'v1beta1 is deprecated, please use v1beta2',
    })
    expect(versionOf('BGPPeer v1beta2')).toMatchObject({ served: true, storage: true })
  })
})

describe('what they refuse', () => {
  type Case = { rule: string; of: string; fields: object; errors: string[] }
  const body = (path: string, detail: string) => `${path} in body ${detail}`
  const below = (path: string, value: number, most: number) =>
    `${path}: Invalid value: ${value}: ${body(path, `should be less than or equal to ${most}`)}`
  const above = (path: string, value: number, least: number) =>
    `${path}: Invalid value: ${value}: ${body(path, `should be greater than or equal to ${least}`)}`
  const peer = (more: object) => ({ spec: { myASN: 64512, ...more } })
  const profile = 'BFDProfile v1beta1'
  const tenant = 'Tenant v1alpha1'
  const network = (more: object) => ({ spec: { networks: [{ name: 'a', cidrs: [], ...more }] } })
  const cases: Case[] = [
    { rule: 'M1.1', of: 'IPAddressPool v1beta1', fields: {}, errors: ['spec: Required value'] },
    {
      rule: 'M1.1',
      of: 'IPAddressPool v1beta1',
      fields: { spec: {} },
      errors: ['spec.addresses: Required value'],
    },
    { rule: 'M1.1', of: 'IPAddressPool v1beta1', fields: { spec: { addresses: [] } }, errors: [] },
    {
      rule: 'M1.1',
      of: 'IPAddressPool v1beta1',
      fields: { spec: { addresses: [], serviceAllocation: { priority: -3 } } },
      errors: [],
    },
    {
      rule: 'M1.1',
      of: 'IPAddressPool v1beta1',
      fields: { spec: { addresses: [] }, status: { assignedIPv4: 1 } },
      errors: ['assignedIPv6', 'availableIPv4', 'availableIPv6'].map(
        (name) => `status.${name}: Required value`,
      ),
    },
    {
      rule: 'M1.2',
      of: 'L2Advertisement v1beta1',
      fields: { spec: { preferredNodeSelectors: [{ weight: 101 }] } },
      errors: [
        below('spec.preferredNodeSelectors[0].weight', 101, 100),
        'spec.preferredNodeSelectors[0].preference: Required value',
      ],
    },
    { rule: 'M1.2', of: 'L2Advertisement v1beta1', fields: {}, errors: [] },
    {
      rule: 'M1.3',
      of: 'BGPAdvertisement v1beta1',
      fields: { spec: { aggregationLength: 0 } },
      errors: [above('spec.aggregationLength', 0, 1)],
    },
    {
      rule: 'M1.3',
      of: 'BGPAdvertisement v1beta1',
      fields: { spec: { aggregationLength: 33 } },
      errors: [],
    },
    {
      rule: 'M1.4',
      of: 'BGPPeer v1beta2',
      fields: { spec: {} },
      errors: ['spec.myASN: Required value'],
    },
    { rule: 'M1.4', of: 'BGPPeer v1beta2', fields: peer({ peerASN: 4294967295 }), errors: [] },
    {
      rule: 'M1.4',
      of: 'BGPPeer v1beta2',
      fields: peer({ peerASN: 4294967296 }),
      errors: [below('spec.peerASN', 4294967296, 4294967295)],
    },
    {
      rule: 'M1.4',
      of: 'BGPPeer v1beta2',
      fields: peer({ localASN: 0, peerPort: 0 }),
      errors: [above('spec.localASN', 0, 1), above('spec.peerPort', 0, 1)],
    },
    {
      rule: 'M1.4',
      of: 'BGPPeer v1beta2',
      fields: peer({ peerPort: 99999 }),
      errors: [below('spec.peerPort', 99999, 16384)],
    },
    {
      rule: 'M1.4',
      of: 'BGPPeer v1beta2',
      fields: peer({ dynamicASN: 'either' }),
      errors: [
        'spec.dynamicASN: Unsupported value: "either": supported values: "internal", "external"',
      ],
    },
    {
      rule: 'M1.5',
      of: 'BGPPeer v1beta1',
      fields: peer({
        peerPort: 0,
        nodeSelectors: [{ matchExpressions: [{ key: 'a', values: [] }] }],
      }),
      errors: [
        'spec.nodeSelectors[0].matchExpressions[0].values: Invalid value: 0: ' +
          'spec.nodeSelectors[0].matchExpressions[0].values in body should have at least 1 items',
        'spec.nodeSelectors[0].matchExpressions[0].operator: Required value',
        'spec.peerASN: Required value',
        'spec.peerAddress: Required value',
      ],
    },
    {
      rule: 'M1.6',
      of: profile,
      fields: { spec: { receiveInterval: 9, transmitInterval: 60001, detectMultiplier: 1 } },
      errors: [
        above('spec.detectMultiplier', 1, 2),
        above('spec.receiveInterval', 9, 10),
        below('spec.transmitInterval', 60001, 60000),
      ],
    },
    {
      rule: 'M1.6',
      of: profile,
      fields: { spec: { echoInterval: 60001, minimumTtl: 255, detectMultiplier: 256 } },
      errors: [
        below('spec.detectMultiplier', 256, 255),
        below('spec.echoInterval', 60001, 60000),
        below('spec.minimumTtl', 255, 254),
      ],
    },
    {
      rule: 'M1.9',
      of: 'ConfigurationState v1beta1',
      fields: { status: { result: 'Maybe' } },
      errors: [
        'status.result: Unsupported value: "Maybe": ' +
          'supported values: "Valid", "Invalid", "Unknown"',
      ],
    },
    {
      rule: 'R3',
      of: 'Address v1alpha1',
      fields: { spec: {} },
      errors: ['spec.address: Required value'],
    },
    {
      rule: 'R3.12',
      of: 'Address v1alpha1',
      fields: {
        spec: {
          address: '10.0.0.1',
          holders: [1, 2].map((uid) => ({
            kind: 'Service',
            namespace: 'a',
            name: 'b',
            uid: `${uid}`,
          })),
        },
      },
      errors: ['spec.holders[1]: Duplicate value: {"kind":"Service","name":"b","namespace":"a"}'],
    },
    {
      rule: 'R4.21',
      of: tenant,
      fields: network({ vlan: 0 }),
      errors: [above('spec.networks[0].vlan', 0, 1)],
    },
    {
      rule: 'R4.21',
      of: tenant,
      fields: network({ vlan: 4095 }),
      errors: [below('spec.networks[0].vlan', 4095, 4094)],
    },
    {
      rule: 'R4.21',
      of: tenant,
      fields: { spec: { quota: { addresses: -1 } } },
      errors: [above('spec.quota.addresses', -1, 0)],
    },
    {
      rule: 'R4.10',
      of: tenant,
      fields: { spec: { requestedAddresses: 'Maybe' } },
      errors: [
        'spec.requestedAddresses: Unsupported value: "Maybe": ' +
          'supported values: "Strict", "Translate", "Ignore"',
      ],
    },
    {
      rule: 'R4.15',
      of: tenant,
      fields: network({ announce: 'X' }),
      errors: [
        'spec.networks[0].announce: Unsupported value: "X": ' +
          'supported values: "Layer2", "BGP", "None"',
      ],
    },
  ]
  test.each(cases)('[$rule] $of with $fields: $errors', ({ of, fields, errors }) => {
    expect(errorsOf(of, fields)).toEqual(errors)
  })
})

describe('what they fill in', () => {
  type Case = { rule: string; of: string; spec: object; filled: object }
  const site = {
    api: {
      namespace: 'openshift-kube-apiserver',
      selector: { app: 'openshift-kube-apiserver' },
      port: 6443,
    },
    ingress: {
      namespace: 'openshift-ingress',
      selector: {
        'ingresscontroller.operator.openshift.io/deployment-ingresscontroller': 'default',
      },
      ports: [80, 443],
    },
  }
  const cases: Case[] = [
    {
      rule: 'M1.1',
      of: 'IPAddressPool v1beta1',
      spec: {},
      filled: { autoAssign: true, avoidBuggyIPs: false },
    },
    { rule: 'M1.2', of: 'L2Advertisement v1beta1', spec: {}, filled: {} },
    {
      rule: 'M1.3',
      of: 'BGPAdvertisement v1beta1',
      spec: {},
      filled: { aggregationLength: 32, aggregationLengthV6: 128 },
    },
    {
      rule: 'M1.4',
      of: 'BGPPeer v1beta2',
      spec: {},
      filled: { peerPort: 179, disableMP: false, dualStackAddressFamily: false },
    },
    { rule: 'M1.5', of: 'BGPPeer v1beta1', spec: {}, filled: {} },
    { rule: 'M1.6', of: 'BFDProfile v1beta1', spec: {}, filled: {} },
    {
      rule: 'R4',
      of: 'Tenant v1alpha1',
      spec: { networks: [{ name: 'a' }] },
      filled: {
        requestedAddresses: 'Strict',
        openPools: false,
        generate: ['Pools'],
        networks: [{ name: 'a', announce: 'Layer2', autoAssign: true }],
      },
    },
    { rule: 'R6.1', of: 'Site v1alpha1', spec: {}, filled: site },
    {
      rule: 'R6.1',
      of: 'Site v1alpha1',
      spec: { ingress: { ports: [8443] } },
      filled: { ...site, ingress: { ...site.ingress, ports: [8443] } },
    },
  ]
  test.each(cases)('[$rule] $of', ({ of, spec, filled }) => {
    expect(walkSchema(versionOf(of).schema, { spec }).value).toEqual({ spec: filled })
  })
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

/** The rules of structural schemas, as far as our schemas could break them. */
function faults(root: Schema, at: string): string[] {
  return [...nodes(root, at)].flatMap(([path, node]) => {
    const mayBeUntyped =
      node['x-kubernetes-int-or-string'] ?? node['x-kubernetes-preserve-unknown-fields']
    const keys = node['x-kubernetes-list-map-keys'] ?? []
    const found = {
      'has no type': node.type === undefined && !mayBeUntyped,
      'is a list of nothing': node.type === 'array' && node.items === undefined,
      'is both object and map': Boolean(node.properties && node.additionalProperties),
      'has alternatives': Boolean(node.allOf ?? node.anyOf ?? node.oneOf ?? node.not),
      'has unique items': node.uniqueItems === true,
      'has keys that may be missing': keys.some((key) => !node.items?.required?.includes(key)),
      'is a list of unknown kind': (node['x-kubernetes-list-type'] === 'map') !== keys.length > 0,
      'requires what it does not have': (node.required ?? []).some(
        (name) => !node.properties?.[name],
      ),
    }
    return Object.entries(found).flatMap(([fault, isThere]) =>
      isThere ? [`${path} ${fault}`] : [],
    )
  })
}
