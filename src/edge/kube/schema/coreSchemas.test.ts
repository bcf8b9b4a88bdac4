import { describe, expect, test } from 'vitest'
import { coreKinds, metadataSchema } from './coreSchemas.ts'
import { walkSchema } from './schema.ts'

const walk = (kind: string, fields: object) => {
  const known = coreKinds.find((one) => one.kind === kind)
  if (!known) throw new Error(`${kind} is not known`)
  return walkSchema(known.schema, { metadata: { name: 'a' }, ...fields })
}
const errorsOf = (kind: string, fields: object): string[] =>
  walk(kind, fields).errors.map(({ path, message }) => `${path}: ${message}`)
const isText = (path: string, found: string) =>
  `${path}: Invalid value: "${found}": ${path} in body must be of type string: "${found}"`

test('the kinds are these', () => {
  const shown = coreKinds.map(({ group, version, plural, kind, namespaced }) => {
    const api = group === '' ? version : `${group}/${version}`
    return `${api} ${plural} ${kind}${namespaced ? '' : ' (cluster)'}`
  })
  expect(shown).toEqual([
    'v1 services Service',
    'v1 namespaces Namespace (cluster)',
    'v1 nodes Node (cluster)',
    'v1 secrets Secret',
    'v1 configmaps ConfigMap',
    'v1 serviceaccounts ServiceAccount',
    'apps/v1 deployments Deployment',
    'rbac.authorization.k8s.io/v1 roles Role',
    'rbac.authorization.k8s.io/v1 rolebindings RoleBinding',
    'topology.openstack.org/v1beta1 topologies Topology',
    'v1 pods Pod',
    'frrk8s.metallb.io/v1beta1 frrconfigurations FRRConfiguration',
    'discovery.k8s.io/v1 endpointslices EndpointSlice',
    'k8s.cni.cncf.io/v1 network-attachment-definitions NetworkAttachmentDefinition',
    'nmstate.io/v1 nodenetworkconfigurationpolicies NodeNetworkConfigurationPolicy (cluster)',
    'whereabouts.cni.cncf.io/v1alpha1 ippools IPPool',
  ])
})

describe('metadata', () => {
  test.each(coreKinds)('a $kind has a name, and strings in its maps', ({ kind }) => {
    expect(errorsOf(kind, { metadata: {} })).toContain('metadata.name: Required value')
    const metadata = { name: 'a', annotations: { 'a/b': 1 }, labels: { c: true } }
    expect(errorsOf(kind, { metadata })).toEqual(
      expect.arrayContaining([
        isText('metadata.annotations.a/b', 'integer'),
        isText('metadata.labels.c', 'boolean'),
      ]),
    )
  })

  test('metadata is checked, keeps unknown fields and drops nulls', () => {
    const metadata = { name: 'a', generation: 3, creationTimestamp: null }
    const { value, errors } = walkSchema(
      { type: 'object', properties: { metadata: metadataSchema } },
      { metadata },
    )
    expect({ value, errors }).toEqual({
      value: { metadata: { name: 'a', generation: 3 } },
      errors: [],
    })
  })
})

describe('defaults', () => {
  test('a Service has a type, its ports a protocol', () => {
    const { value, errors } = walk('Service', {
      spec: { ports: [{ port: 80 }, { port: 53, protocol: 'UDP', targetPort: 'dns' }] },
    })
    expect(errors).toEqual([])
    expect(value).toMatchObject({
      spec: {
        type: 'ClusterIP',
        ports: [
          { port: 80, protocol: 'TCP' },
          { port: 53, protocol: 'UDP', targetPort: 'dns' },
        ],
      },
    })
  })

  test('a Secret is Opaque', () => {
    expect(walk('Secret', {}).value).toMatchObject({ type: 'Opaque' })
  })
})

describe('errors', () => {
  type Case = { kind: string; fields: object; errors: string[] }
  const cases: Case[] = [
    {
      kind: 'Service',
      fields: { spec: { ports: [{ port: 0 }, { protocol: 'ICMP' }] } },
      errors: [
        'spec.ports[0].port: Invalid value: 0: ' +
          'spec.ports[0].port in body should be greater than or equal to 1',
        'spec.ports[1].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"',
        'spec.ports[1].port: Required value',
      ],
    },
    {
      kind: 'Service',
      fields: { spec: { ports: [{ port: '80' }], selector: { app: 1 } } },
      errors: [
        'spec.ports[0].port: Invalid value: "string": ' +
          'spec.ports[0].port in body must be of type integer: "string"',
        isText('spec.selector.app', 'integer'),
      ],
    },
    {
      kind: 'Service',
      fields: { spec: { type: 'Balancer', ipFamilies: ['IPv5'] } },
      errors: [
        'spec.ipFamilies[0]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"',
        'spec.type: Unsupported value: "Balancer": ' +
          'supported values: "ClusterIP", "NodePort", "LoadBalancer", "ExternalName"',
      ],
    },
    {
      kind: 'Node',
      fields: { status: { addresses: [{ address: 7 }] } },
      errors: [isText('status.addresses[0].address', 'integer')],
    },
    {
      kind: 'ConfigMap',
      fields: { data: { config: 7 } },
      errors: [isText('data.config', 'integer')],
    },
    { kind: 'EndpointSlice', fields: {}, errors: ['addressType: Required value'] },
    {
      kind: 'EndpointSlice',
      fields: { addressType: 'IPv4', endpoints: [{ conditions: { ready: 'yes' } }] },
      errors: [
        'endpoints[0].conditions.ready: Invalid value: "string": ' +
          'endpoints[0].conditions.ready in body must be of type boolean: "string"',
        'endpoints[0].addresses: Required value',
      ],
    },
    {
      kind: 'NetworkAttachmentDefinition',
      fields: { spec: { config: { type: 'macvlan' } } },
      errors: [isText('spec.config', 'object')],
    },
    {
      kind: 'NodeNetworkConfigurationPolicy',
      fields: { spec: { desiredState: { interfaces: [{ vlan: { id: true } }] } } },
      errors: [
        'spec.desiredState.interfaces[0].vlan.id: Invalid value: "boolean": ' +
          'spec.desiredState.interfaces[0].vlan.id in body must be of type integer,string: "boolean"',
      ],
    },
    {
      kind: 'NodeNetworkConfigurationPolicy',
      fields: { spec: { desiredState: { interfaces: [{ vlan: { id: '20' } }] } } },
      errors: [],
    },
  ]
  test.each(cases)('$kind with $fields: $errors', ({ kind, fields, errors }) => {
    expect(errorsOf(kind, fields)).toEqual(errors)
  })
})

test.each(coreKinds)('$kind keeps unknown fields', ({ kind }) => {
  const fields = { spec: { ofAnother: { version: [1] } }, more: 1 }
  const { value, unknownFields } = walk(kind, fields)
  expect(unknownFields).toEqual([])
  expect(value).toMatchObject(fields)
})
