import { expect, test } from 'vitest'
import { hasAllOf, ownsMoreThan } from './applied.ts'

const owner = { apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', name: 'red', uid: '1' }
const wanted = {
  kind: 'IPAddressPool',
  metadata: { name: 'red-edge', labels: { ours: 'x' }, ownerReferences: [owner] },
  spec: { addresses: ['10.0.0.1/32'], serviceAllocation: { namespaces: ['red'] } },
}
const { metadata, spec } = wanted

test.each([
  { title: 'as wanted', there: wanted, isRight: true },
  {
    title: 'with what others added',
    there: {
      ...wanted,
      metadata: {
        ...metadata,
        labels: { ours: 'x', theirs: 'y' },
        ownerReferences: [{ kind: 'Other' }, { ...owner, blockOwnerDeletion: true }],
      },
      spec: { ...spec, avoidBuggyIPs: false },
    },
    isRight: true,
  },
  {
    title: 'without its owner',
    there: { ...wanted, metadata: { ...metadata, ownerReferences: [] } },
    isRight: false,
  },
  {
    title: 'with another label',
    there: { ...wanted, metadata: { ...metadata, labels: { ours: 'y' } } },
    isRight: false,
  },
  {
    title: 'with one more in a list',
    there: { ...wanted, spec: { ...spec, addresses: ['10.0.0.1/32', '10.0.0.2/32'] } },
    isRight: false,
  },
])('$title: $isRight', ({ there, isRight }) => expect(hasAllOf(there, wanted)).toBe(isRight))

const ownedBy = (manager: string, fieldsV1: object, operation = 'Apply', subresource?: string) => ({
  ...wanted,
  metadata: { ...metadata, managedFields: [{ manager, operation, subresource, fieldsV1 }] },
})
const all = {
  'f:metadata': {
    'f:labels': { '.': {}, 'f:ours': {} },
    'f:ownerReferences': { '.': {}, 'k:{"uid":"1"}': { '.': {}, 'f:name': {} } },
  },
  'f:spec': { 'f:addresses': {}, 'f:serviceAllocation': { 'f:namespaces': {} } },
}
const more = { 'f:spec': { 'f:serviceAllocation': { 'f:namespaceSelectors': {} } } }
const oldOwner = { 'f:metadata': { 'f:ownerReferences': { 'k:{"uid":"0"}': {} } } }

test.each([
  { title: 'no more than that', there: ownedBy('berth', all), owns: false },
  { title: 'a field that is no longer wanted', there: ownedBy('berth', more), owns: true },
  { title: 'the owner of before', there: ownedBy('berth', oldOwner), owns: true },
  { title: "another's field", there: ownedBy('kubectl', more), owns: false },
  { title: 'what was not applied', there: ownedBy('berth', more, 'Update'), owns: false },
  { title: 'its status', there: ownedBy('berth', more, 'Apply', 'status'), owns: false },
  { title: 'nothing', there: wanted, owns: false },
])('we own $title: $owns', ({ there, owns }) => {
  expect(ownsMoreThan(there, wanted, 'berth')).toBe(owns)
})
