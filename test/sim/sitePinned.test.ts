// Does what a tenant says concern the Services of the Site in its namespace (R2.4, R6.5)?
import { expect, test } from 'vitest'
import { World } from '../../src/core/model/world.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { service } from '../build/announcing.ts'

const apiVersion = 'berth.dev/v1alpha1'
const objects = [
  {
    apiVersion,
    kind: 'Site',
    metadata: { name: 'cluster' },
    spec: {
      api: { namespace: 'default' },
      internalNetwork: '10.0.0.0/24',
      external: { apiVIP: '203.0.113.10', ingressVIP: '203.0.113.11', prefixLength: 24 },
    },
  },
  {
    apiVersion,
    kind: 'Tenant',
    metadata: { name: 'red', uid: 'u-red' },
    spec: { namespaces: { names: ['default'] }, requestedAddresses: 'Ignore', networks: [] },
  },
]

test('[R6.5] the Site asks for its address before those that take any, whatever the tenant says', () => {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  for (const json of objects) {
    const read = decode(json)
    if (read.kind === 'view') world.apply({ type: 'upsert', view: read.view })
  }
  const older = service('older', [], { createdAt: '2020-01-01T00:00:00Z' })
  const api = service('metallb-api', [], {
    asksByAnnotation: '203.0.113.10',
    maker: 'Site/cluster',
  })
  for (const view of [older, api]) world.apply({ type: 'upsert', view })
  expect(world.siteVipOf(api.key)).toBe('api')
  expect([world.queue.pop(), world.queue.pop()]).toEqual([api.key, older.key])
})
