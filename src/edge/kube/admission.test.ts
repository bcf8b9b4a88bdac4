import { expect, test } from 'vitest'
import { worldOf } from '../../../test/build/announcing.ts'
import type { BgpMode, Proposed } from '../../core/model/admission.ts'
import { admission } from './admission.ts'
import { type Crd, readCrd } from './schema/crd.ts'

function crd(group: string, kind: string, properties: object, more: object = {}): Crd {
  const version = { name: 'v1beta1', served: true, storage: true, ...more }
  const read = readCrd({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    spec: {
      group,
      scope: group === 'berth.dev' ? 'Cluster' : 'Namespaced',
      names: { kind, plural: `${kind.toLowerCase()}s` },
      versions: [
        {
          ...version,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties } },
            },
          },
        },
      ],
    },
  })
  if (read === undefined) throw new Error('not a CRD')
  return read
}

const list = { type: 'array', items: { type: 'string' } }
const crds = [
  crd('metallb.io', 'IPAddressPool', {
    addresses: list,
    autoAssign: { type: 'boolean', default: true },
  }),
  crd('metallb.io', 'BGPPeer', { disableMP: { type: 'boolean' } }, { deprecated: true }),
  crd('metallb.io', 'ConfigurationState', {}),
  crd('berth.dev', 'Tenant', {}),
]
const world = worldOf()

function admit(json: unknown, before?: Readonly<Record<string, unknown>>) {
  const asked: Proposed[] = []
  const check = (_: unknown, proposed: Proposed) => {
    asked.push(proposed)
    return proposed.view.kind === 'IPAddressPool' && proposed.view.name === 'bad'
      ? [{ path: 'spec', message: 'Forbidden: bad' }]
      : []
  }
  const bgpMode: BgpMode = 'frr'
  const gate = admission({ crds, check, checkDelete: () => [], bgpMode })
  return { answer: gate.admit(world, json, before), asked }
}

const pool = (given: { metadata?: object; spec?: object } = {}) => ({
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { name: 'p', namespace: 'metallb-system', ...given.metadata },
  spec: { addresses: ['10.0.0.0/24'], ...given.spec },
})
const errors = (json: unknown) => {
  const { answer } = admit(json)
  return answer.ok ? [] : answer.errors.map(({ path, message }) => `${path}: ${message}`)
}

test('a good object is defaulted, pruned, decoded and checked', () => {
  const { answer, asked } = admit(pool({ spec: { protocol: 'layer2' } }))
  expect(answer).toMatchObject({
    ok: true,
    json: { spec: { addresses: ['10.0.0.0/24'], autoAssign: true } },
    view: { kind: 'IPAddressPool', name: 'p' },
    warnings: [
      expect.stringMatching(
        /^unknown field "spec.protocol": how a pool is announced is now up to an L2Adv/,
      ),
    ],
  })
  expect(answer.ok && answer.json['spec']).not.toHaveProperty('protocol')
  expect(asked).toMatchObject([{ view: { name: 'p' }, before: undefined, bgpMode: 'frr' }])
})

test.each([
  ['no object', 'x', ': not an object'],
  ['no kind', {}, 'no matches for kind "" in version ""'],
  ['an unknown kind', { ...pool(), kind: 'Pool' }, 'no matches for kind "Pool"'],
  ['an unknown version', { ...pool(), apiVersion: 'metallb.io/v9' }, 'version "metallb.io/v9"'],
  ['no metadata', { ...pool(), metadata: undefined }, 'metadata: Required value'],
  ['a bad type', pool({ spec: { addresses: 'x' } }), 'spec.addresses: Invalid value'],
  ['a bad range', pool({ spec: { addresses: ['x'] } }), 'spec.addresses[0]: Invalid value'],
  ['[M8.1 rule 1] no name', pool({ metadata: { name: '' } }), 'metadata.name: Invalid value: ""'],
  ['a bad name', pool({ metadata: { name: 'My_Pool' } }), 'metadata.name: Invalid value'],
  ['a bad label', pool({ metadata: { labels: { a: 'b c' } } }), 'metadata.labels: Invalid value'],
  ['a bad key', pool({ metadata: { annotations: { 'a b': '' } } }), 'metadata.annotations'],
  [
    '[M8.1 rule 35] another namespace',
    pool({ metadata: { namespace: 'default' } }),
    'metadata.namespace: Forbidden: resource must be created in metallb-system namespace',
  ],
  [
    '[M8.1 rule 35] no namespace, which means default',
    pool({ metadata: { namespace: undefined } }),
    'resource must be created in metallb-system namespace',
  ],
  ['what policy refuses', pool({ metadata: { name: 'bad' } }), 'spec: Forbidden: bad'],
])('%s is refused', (_, json, why) => {
  const found = errors(json)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(why)
})

test.each([
  ['Service', 'a.b', false],
  ['Namespace', 'a.b', false],
  ['Node', 'a.b', true],
  ['Service', 'a-b', true],
])('a %s may be called %s: %j', (kind, name, ok) => {
  expect(admit({ apiVersion: 'v1', kind, metadata: { name } }).answer.ok).toBe(ok)
})

test('a namespace is given where there are namespaces, and taken where there are none', () => {
  const service = admit({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } }).answer
  expect(service).toMatchObject({ view: { key: 'default/web' } })
  const metadata = { name: 't', namespace: 'default' }
  const tenant = admit({ apiVersion: 'berth.dev/v1beta1', kind: 'Tenant', metadata }).answer
  expect(tenant.ok && tenant.json['metadata']).toEqual({ name: 't' })
})

test('a kind that no decision is made from is held, and checked by its schema alone', () => {
  const { answer, asked } = admit({ ...pool(), kind: 'ConfigurationState' })
  expect(answer).toMatchObject({ ok: true, view: undefined })
  expect(asked).toEqual([])
})

test('[M2.1] [M1.5] [M4.3] what is deprecated is admitted with a warning', () => {
  const annotations = { 'metallb.universe.tf/address-pool': 'p' }
  const metadata = { name: 'web', annotations }
  expect(admit({ apiVersion: 'v1', kind: 'Service', metadata }).answer).toMatchObject({
    warnings: [
      'annotation metallb.universe.tf/address-pool is deprecated: use metallb.io/address-pool',
    ],
  })
  const peer = { ...pool(), kind: 'BGPPeer', spec: { disableMP: true } }
  expect(admit(peer).answer).toMatchObject({
    warnings: [
      'metallb.io/v1beta1 BGPPeer is deprecated',
      'spec.disableMP is deprecated and has no effect',
    ],
  })
})

test.each([
  ['status', { status: { assignedIPv4: 1 } }, 0],
  ['finalizers', { metadata: { name: 'bad', namespace: 'metallb-system', finalizers: [] } }, 0],
  ['labels', { metadata: { name: 'bad', namespace: 'metallb-system', labels: { a: 'b' } } }, 1],
  ['spec', { spec: { addresses: ['10.0.0.0/25'], autoAssign: true } }, 1],
])('[P6] when %s change, policy is asked %#', (_, change, times) => {
  const before = { ...pool({ metadata: { name: 'bad' }, spec: { autoAssign: true } }) }
  const { answer, asked } = admit({ ...before, ...change }, before)
  expect(asked).toHaveLength(times)
  expect(answer.ok).toBe(times === 0)
  expect(asked.every((proposed) => proposed.before !== undefined)).toBe(true)
})

test('it knows the kinds that it was given and the core’s', () => {
  const gate = admission({ crds, check: () => [], checkDelete: () => [], bgpMode: 'native' })
  expect(gate.knows('metallb.io', 'IPAddressPool')).toBe(true)
  expect(gate.knows('', 'Service')).toBe(true)
  expect(gate.knows('apps', 'StatefulSet')).toBe(false)
})
