// What do the definitions that we ship refuse, and which defaults do they fill in?
import { describe, expect, test } from 'vitest'
import { shippedVersion } from '../../../../test/build/shippedCrds.ts'
import { walkSchema } from './schema.ts'

const errorsOf = (title: string, fields: object): string[] =>
  walkSchema(shippedVersion(title).schema, fields).errors.map(
    ({ path, message }) => `${path}: ${message}`,
  )

describe('refusals', () => {
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

describe('defaults', () => {
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
        networks: [{ name: 'a' }],
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
    expect(walkSchema(shippedVersion(of).schema, { spec }).value).toEqual({ spec: filled })
  })
})
