// What becomes of Tenants that are wrong, or that change under the Services that use them?
import { expect, test } from 'vitest'
import { gatesOf } from '../../src/app/cli/gates.ts'
import { isRecord } from '../../src/core/model/json.ts'
import { problems } from '../../src/core/policy/problems.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'

const gate = gatesOf(await readCrds())('native')

type Spec = Readonly<Record<string, unknown>>
const network = (name: string, second: number, more: Spec = {}): Spec => ({
  name,
  cidrs: [`172.${second}.0.0/24`],
  loadBalancer: [`172.${second}.0.80-172.${second}.0.90`],
  ...more,
})
const tenant = (name: string, networks: readonly Spec[], more: Spec = {}): Spec => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Tenant',
  metadata: { name },
  spec: { namespaces: { names: [name] }, networks, ...more },
})
const service = (namespace: string, pool: string): Spec => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace, annotations: { 'metallb.io/address-pool': pool } },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
})

function stand(...given: readonly Spec[]) {
  const cluster = new Cluster(gate, settings)
  const put = (object: Spec): string => {
    const applied = cluster.apply(object)
    cluster.settle()
    return applied.ok
      ? ''
      : applied.errors.map(({ path, message }) => `${path}: ${message}`).join('; ')
  }
  for (const object of given) expect(put(object)).toBe('')
  return {
    put,
    problems: () => problems(cluster.world, cluster.speakers()).map(({ code }) => code),
    addressOf: (key: string) => cluster.world.holdingOf(key)?.ips.join(',') ?? '',
    reasonOf(key: string) {
      const status = cluster.get(`Service/${key}`)?.['status']
      const conditions = isRecord(status) ? status['conditions'] : []
      const [first] = Array.isArray(conditions) ? conditions : []
      return isRecord(first) ? first['reason'] : undefined
    },
  }
}
const red = [network('internalapi', 17)]

test.each([
  [
    'itself',
    [
      network('a', 17),
      network('b', 18, { cidrs: ['172.17.0.0/16'], loadBalancer: ['172.17.0.85/32'] }),
    ],
  ],
  ['within a network', [network('a', 17, { attachments: ['172.17.0.85-172.17.0.99'] })]],
  [
    "another's range",
    [network('a', 19, { cidrs: ['172.16.0.0/12'], loadBalancer: ['172.18.0.90-172.18.0.99'] })],
  ],
])('[R4.21] a Tenant that overlaps %s is refused, with both named', (_, networks) => {
  const { put } = stand(tenant('blue', [network('internalapi', 18)]))
  expect(put(tenant('red', networks))).toMatch(/spec\.networks\[\d\].*172\.1/)
})

test("[R4.22] one that grows over another's range is refused, and what is there goes on", () => {
  const { put, addressOf } = stand(
    tenant('red', red),
    tenant('blue', [network('internalapi', 18)]),
    service('red', 'internalapi'),
  )
  const grown = network('internalapi', 18, { loadBalancer: ['172.18.0.70-172.18.0.82'] })
  expect(put(tenant('red', [...red, { ...grown, name: 'more' }]))).toContain('blue')
  expect(addressOf('red/web')).toBe('172.17.0.80')
})

test('[R4.8] a network in use that is renamed: who asks for it by its old name waits, until it is back', () => {
  const { put, addressOf, reasonOf } = stand(tenant('red', red), service('red', 'internalapi'))
  expect(put(tenant('red', [network('renamed', 17)]))).toBe('')
  expect([addressOf('red/web'), reasonOf('red/web')]).toEqual(['', 'PoolNotFound'])
  const later = service('red', 'internalapi')
  put({ ...later, metadata: { ...Object(later['metadata']), name: 'later' } })
  expect([addressOf('red/later'), reasonOf('red/later')]).toEqual(['', 'PoolNotFound'])
  expect(put(tenant('red', red))).toBe('')
  // They are of one age, so the name decides.
  expect([addressOf('red/later'), addressOf('red/web')]).toEqual(['172.17.0.80', '172.17.0.81'])
})

test('[R4.8] a namespace that is dropped while its Services hold addresses', () => {
  const both = { namespaces: { names: ['red', 'other'] } }
  const { put, addressOf, reasonOf } = stand(
    tenant('red', red, both),
    service('other', 'internalapi'),
  )
  expect(addressOf('other/web')).toBe('172.17.0.80')
  expect(put(tenant('red', red))).toBe('')
  expect([addressOf('other/web'), reasonOf('other/web')]).toEqual(['', 'PoolOfAnotherTenant'])
})

test('[R4.21] one that loses its peers under announce: BGP is refused', () => {
  const bgp = { myASN: 64999, peers: [{ address: '100.65.4.1', asn: 64999 }] }
  const announced = [network('internalapi', 17, { announce: 'BGP' })]
  const { put, addressOf } = stand(tenant('red', announced, { bgp }), service('red', 'internalapi'))
  expect(put(tenant('red', announced, { bgp: { myASN: 64999, peers: [] } }))).toContain('bgp')
  expect(put(tenant('red', announced))).toContain('bgp')
  expect(addressOf('red/web')).toBe('172.17.0.80')
})

test('[R4.21] a thousand networks are refused by their number', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => ({
    name: `n${at}`,
    cidrs: [`10.${at >> 8}.${at & 255}.0/24`],
  }))
  expect(stand().put(tenant('red', many))).toContain('Too many: 1000: must have at most 256 items')
})

test('[R4.14] names at the limit: 63 letters each, and the pool has both', () => {
  const [long, longer] = ['a'.repeat(63), 'b'.repeat(63)]
  const { addressOf } = stand(tenant(long, [network(longer, 17)]), service(long, longer))
  expect(addressOf(`${long}/web`)).toBe('172.17.0.80')
  const refused = stand().put(tenant('c'.repeat(64), red))
  expect(refused).toMatch(/metadata\.name/)
})

test('[R4.22] of two that clash the second is refused, and comes in once the first has gone', () => {
  const { put } = stand(tenant('red', red))
  expect(put(tenant('blue', red))).toContain('red')
  expect(put(tenant('red', [network('internalapi', 18)]))).toBe('')
  expect(put(tenant('blue', red))).toBe('')
})

test('[R4.19] a network that an IPSet keeps in the NetConfig: not-made goes once it is put back', () => {
  const onWire = (name: string, second: number, vlan: number) =>
    network(name, second, {
      ...{ nodes: [`172.${second}.0.100-172.${second}.0.200`], interface: 'eth0', vlan },
    })
  const [api, storage] = [onWire('internalapi', 17, 20), onWire('storage', 18, 21)]
  const generate = { generate: ['NetConfig'] }
  const { put, problems } = stand(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'red' } },
    tenant('red', [api, storage], generate),
    {
      apiVersion: 'network.openstack.org/v1beta1',
      kind: 'IPSet',
      metadata: { name: 'edpm-0', namespace: 'red' },
      spec: { networks: [{ name: 'Storage', subnetName: 'subnet1' }] },
    },
  )
  expect(put(tenant('red', [api], generate))).toBe('')
  expect(problems()).toEqual(['not-made'])
  expect(put(tenant('red', [api, storage], generate))).toBe('')
  expect(problems()).toEqual([])
})
