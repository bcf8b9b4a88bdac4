import { expect, test } from 'vitest'
import { shipped } from '../../../../test/build/writesStand.ts'
import { convert } from './convert.ts'
import { Kinds } from './kinds.ts'
import type { StoredKind } from './storedKind.ts'
import { versionOrder } from './versionOrder.ts'

function shippedKind(resource: string): StoredKind {
  const kinds = new Kinds()
  const established = { conditions: [{ type: 'Established', status: 'True' }] }
  for (const json of shipped('crds')) kinds.define({ ...json, status: established })
  const kind = kinds.get(resource)
  if (kind === undefined) throw new Error(`${resource} is not shipped`)
  return kind
}

test('[M1.5] a peer is read in both versions, with the defaults of each', () => {
  const kind = shippedKind('bgppeers.metallb.io')
  expect(kind.versions.map(({ name }) => name)).toEqual(['v1beta2', 'v1beta1'])
  const spec = { myASN: 1, peerASN: 2, peerAddress: '10.0.0.1' }
  const old = { apiVersion: 'metallb.io/v1beta1', kind: 'BGPPeer', metadata: { name: 'p' }, spec }
  const kept = convert(kind, old, 'v1beta2')
  expect(kept).toMatchObject({ apiVersion: 'metallb.io/v1beta2', spec: { peerPort: 179 } })
  expect(convert(kind, kept, 'v1beta2')).toBe(kept)
  const vrf = { ...kept, spec: { ...spec, vrf: 'red' } }
  const shown = convert(kind, vrf, 'v1beta1')
  expect(shown['spec']).not.toHaveProperty('vrf')
  expect(convert(kind, shown, 'v1beta2')['spec']).toMatchObject({ vrf: 'red' })
})

test('other kinds only change their version, and lose fields that it does not have', () => {
  const version = (name: string, properties: object) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties } },
  })
  const kinds = new Kinds()
  kinds.define({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boats.sea.dev' },
    spec: {
      group: 'sea.dev',
      scope: 'Cluster',
      names: { kind: 'Boat', plural: 'boats' },
      versions: [
        version('v1', { sails: { type: 'integer' }, crew: { type: 'integer' } }),
        version('v1beta1', { sails: { type: 'integer', default: 2 } }),
      ],
    },
    status: { conditions: [{ type: 'Established', status: 'True' }] },
  })
  const kind = kinds.get('boats.sea.dev')
  if (kind === undefined) throw new Error('not defined')
  const boat = { apiVersion: 'sea.dev/v1', kind: 'Boat', metadata: { name: 'b' }, crew: 3 }
  expect(convert(kind, boat, 'v1beta1')).toEqual({
    apiVersion: 'sea.dev/v1beta1',
    kind: 'Boat',
    metadata: { name: 'b' },
    sails: 2,
  })
})

test('versions are ordered as in Kubernetes', () => {
  const preferred = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2']
  const others = ['foo1', 'foo10']
  const all = [...preferred, ...others]
  expect([...all].reverse().sort(versionOrder)).toEqual(all)
})
