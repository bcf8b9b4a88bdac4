import { describe, expect, test } from 'vitest'
import { builtInKinds } from '../kinds/builtIn.ts'
import { completeSchema } from '../kinds/completeSchema.ts'
import type { StoredKind } from '../kinds/storedKind.ts'
import { pathsOf } from './fields/fieldsV1.ts'
import { type Target, targetOf } from './target.ts'

const peer: StoredKind = {
  group: 'metallb.io',
  kind: 'BGPPeer',
  listKind: 'BGPPeerList',
  plural: 'bgppeers',
  singular: 'bgppeer',
  shortNames: [],
  categories: [],
  isNamespaced: true,
  isBuiltIn: false,
  storage: 'v1beta2',
  versions: ['v1beta2', 'v1beta1'].map((name) => ({
    name,
    schema: completeSchema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    hasStatus: true,
    columns: [],
  })),
}

function target(name: string, subresource: Target['subresource'] = ''): Target {
  const kind = [peer, ...builtInKinds].find((one) => one.kind === name)
  const served = kind?.versions[0]
  if (kind === undefined || served === undefined) throw new Error(`there is no ${name}`)
  return targetOf(kind, served, subresource)
}

describe('what is written to', () => {
  test.each([
    { kind: 'ConfigMap', empty: { metadata: {} } },
    { kind: 'Service', empty: { metadata: {}, spec: {}, status: { loadBalancer: {} } } },
    { kind: 'BGPPeer', empty: { apiVersion: 'metallb.io/v1beta2', kind: 'BGPPeer' } },
  ])('$kind: empty it is $empty', ({ kind, empty }) => {
    expect(target(kind).empty).toEqual(empty)
  })

  test.each<{ kind: string; subresource: Target['subresource']; unowned: string[] }>([
    { kind: 'ConfigMap', subresource: '', unowned: [] },
    { kind: 'Service', subresource: '', unowned: ['.status'] },
    { kind: 'Service', subresource: 'status', unowned: ['.spec'] },
    { kind: 'BGPPeer', subresource: '', unowned: ['.status'] },
    { kind: 'BGPPeer', subresource: 'status', unowned: ['.metadata', '.spec'] },
    { kind: 'Deployment', subresource: 'status', unowned: ['.spec', '.metadata.labels'] },
    {
      kind: 'Pod',
      subresource: 'status',
      unowned: ['.spec', '.metadata.deletionTimestamp', '.metadata.ownerReferences'],
    },
  ])('$kind $subresource: nobody owns $unowned', ({ kind, subresource, unowned }) => {
    expect(pathsOf(target(kind, subresource).unowned)).toEqual(unowned)
  })

  test('an object in another version is converted as it would be for a reader', () => {
    const spec = { myASN: 64512, keepaliveTime: '30s', holdTime: '90s', peerASN: 1 }
    const object = { apiVersion: 'metallb.io/v1beta2', kind: 'BGPPeer', metadata: {}, spec }
    const { inVersion } = target('BGPPeer')
    expect(inVersion(object, 'metallb.io/v1beta2')?.object).toBe(object)
    expect(inVersion(object, 'metallb.io/v1beta1')?.object).toMatchObject({
      apiVersion: 'metallb.io/v1beta1',
      spec: { myASN: 64512, peerASN: 1 },
    })
    expect(inVersion(object, 'metallb.io/v1')).toBeUndefined()
  })
})
