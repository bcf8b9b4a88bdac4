// What did random histories find? The shortest form of each, so that it stays found.
import { expect, test } from 'vitest'
import { gatesOf } from '../../src/app/cli/gates.ts'
import type { Json } from '../../src/core/model/json.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'
import { snapshotOf } from './snapshot.ts'

const gate = gatesOf(await readCrds())('native')

function pool(addresses: readonly string[], given: { tenant?: string } = {}): Json {
  const labels = given.tenant === undefined ? {} : { 'berth.dev/tenant': given.tenant }
  return {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: 'p', namespace: 'metallb-system', labels },
    spec: { addresses },
  }
}

const tenant = (name: string, spec: Json): Json => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Tenant',
  metadata: { name, annotations: { 'berth.dev/allow-delete': 'true' } },
  spec,
})

type Given = {
  namespace?: string
  key?: string
  port?: number
  shows?: string
  class?: string
  policy?: 'SingleStack' | 'PreferDualStack' | 'RequireDualStack'
}

function service(name: string, given: Given = {}): Json {
  const { namespace = 'a', key, port = 80, shows, policy = 'SingleStack' } = given
  const annotations = key === undefined ? {} : { 'metallb.io/allow-shared-ip': key }
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, annotations },
    spec: {
      type: 'LoadBalancer',
      ports: [{ port, protocol: 'TCP' }],
      ipFamilyPolicy: policy,
      clusterIPs: policy === 'SingleStack' ? ['10.96.0.1'] : ['10.96.0.1', 'fd00::1'],
      ...(given.class === undefined ? {} : { loadBalancerClass: given.class }),
    },
    ...(shows === undefined ? {} : { status: { loadBalancer: { ingress: [{ ip: shows }] } } }),
  }
}

/** Each given at a moment of its own, and settled. */
function after(...objects: readonly Json[]): Cluster {
  const cluster = new Cluster(gate, settings)
  for (const json of objects) {
    cluster.advance(1)
    expect(cluster.apply(json)).toMatchObject({ ok: true })
    cluster.settle()
  }
  return cluster
}
const addressesOf = (cluster: Cluster): Json =>
  Object.fromEntries([...snapshotOf(cluster).services.values()].map(({ key, ips }) => [key, ips]))

test('[M3.3, M3.8] RequireDualStack with one cluster IP is told, and what it shows is cleared', () => {
  const { spec, ...rest } = service('s0', { policy: 'RequireDualStack', shows: '10.0.0.0' })
  const one = { ...rest, spec: { ...Object(spec), clusterIPs: ['10.96.0.77'] } }
  const cluster = after(pool(['10.0.0.0/30', 'fd00::/126']), one)
  expect(addressesOf(cluster)).toEqual({ 'a/s0': [] })
  expect(cluster.takeEvents().map(({ reason }) => reason)).toContain('not enough clusterips')
})

test('[R9.1] what an API holds is taken as it is, though it would be refused if it were new', () => {
  const cluster = new Cluster(gate, settings)
  const advertisement = (name: string, localPref: number): Json => ({
    apiVersion: 'metallb.io/v1beta1',
    kind: 'BGPAdvertisement',
    metadata: { name, namespace: 'metallb-system' },
    spec: { localPref },
  })
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }
  const held = [node, pool(['10.0.0.0/30']), advertisement('one', 1), advertisement('two', 2)]
  expect(held.map((json) => cluster.hold(json).ok)).toEqual([true, true, true, true])
  expect(cluster.apply(advertisement('three', 3))).toMatchObject({ ok: false })
})

test('[R3.9] of three that show one address, two that conflict are not both left with it', () => {
  const shows = '10.0.0.0'
  const cluster = new Cluster(gate, settings)
  const three = [
    service('s0', { key: 'k', port: 80, shows }),
    service('s1', { key: 'k', port: 80, shows }),
    service('s2', { key: 'k', port: 443, shows }),
  ]
  for (const json of [pool(['10.0.0.0/30']), ...three]) cluster.apply(json)
  cluster.settle()
  expect(addressesOf(cluster)).toEqual({
    'a/s0': ['10.0.0.0'],
    'a/s1': ['10.0.0.1'],
    'a/s2': ['10.0.0.0'],
  })
})

test('[P1] a Service that is ours again does not keep what another was given meanwhile', () => {
  const cluster = after(
    pool(['10.0.0.0/30']),
    tenant('t', { namespaces: { names: ['b'] }, openPools: true }),
    service('s0'),
    service('s0', { class: 'other' }),
    service('s1', { namespace: 'b' }),
    service('s0'),
  )
  expect(addressesOf(cluster)).toEqual({ 'a/s0': ['10.0.0.1'], 'b/s1': ['10.0.0.0'] })
})

test('[R3.11] one that gives up its key lets go, also where it is unclear whose it is', () => {
  const everybody = { namespaces: { selector: {} }, openPools: true }
  const cluster = after(
    pool(['10.0.0.0/30']),
    service('s0', { key: 'k', port: 80 }),
    service('s1', { key: 'k', port: 443 }),
    tenant('t', everybody),
    tenant('u', everybody),
    service('s1', { port: 443 }),
  )
  expect(addressesOf(cluster)).toEqual({ 'a/s0': ['10.0.0.0'], 'a/s1': [] })
})

test('[R4.3] a pool whose tenant does not exist gives no second address', () => {
  const cluster = after(
    tenant('t', { namespaces: { names: ['a'] } }),
    pool(['10.0.0.0/30'], { tenant: 't' }),
    service('s0', { policy: 'PreferDualStack' }),
    pool(['10.0.0.0/30', 'fd01::/126'], { tenant: 'gone' }),
  )
  expect(addressesOf(cluster)).toEqual({ 'a/s0': ['10.0.0.0'] })
})

test('[R4.9] a pair that waits for its other half at the quota settles', () => {
  const cluster = after(
    tenant('t', { namespaces: { names: ['a'] }, openPools: true, quota: { addresses: 1 } }),
    pool(['10.0.0.0/30', 'fd01::/126']),
    service('s0', { policy: 'PreferDualStack' }),
  )
  expect(addressesOf(cluster)).toEqual({ 'a/s0': ['10.0.0.0'] })
})

test('[R4.9] after a restart the quota counts what is held, in whatever order it is read', () => {
  const cluster = after(
    pool(['10.0.0.0/30', 'fd01::/126']),
    service('s0'),
    tenant('t', { namespaces: { names: ['a'] }, openPools: true, quota: { addresses: 1 } }),
    service('s0', { policy: 'PreferDualStack' }),
  )
  const before = snapshotOf(cluster).versions
  cluster.restart()
  cluster.settle()
  expect(addressesOf(cluster)).toEqual({ 'a/s0': ['10.0.0.0'] })
  expect(snapshotOf(cluster).versions).toEqual(before)
})

const reasonOf = (cluster: Cluster, key: string): string | undefined => {
  const { status } = cluster.get(`Service/${key}`) as { status: { conditions: Json[] } }
  return status.conditions[0]?.['reason'] as string
}

test('[R7] a quota is not the reason once the address that could be shared is taken', () => {
  const cluster = after(
    tenant('t', { namespaces: { names: ['a'] }, openPools: true, quota: { addresses: 1 } }),
    pool(['10.0.0.0/32', 'fd01::/126']),
    service('s0', { key: 'k', port: 443 }),
    service('s1', { key: 'k', port: 80, policy: 'RequireDualStack' }),
  )
  expect(reasonOf(cluster, 'a/s1')).toBe('QuotaExceeded')
  cluster.apply(service('s2', { key: 'k', port: 80 }))
  cluster.settle()
  expect(reasonOf(cluster, 'a/s1')).toBe('PoolFull')
})

test('[R7] a node that takes an address of the pool changes why others wait for it', () => {
  const cluster = after(
    pool(['10.0.0.0/32', 'fd01::/126']),
    service('s0'),
    service('s1', { policy: 'RequireDualStack' }),
  )
  expect(reasonOf(cluster, 'a/s1')).toBe('PoolFull')
  cluster.apply({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n' },
    status: { addresses: [{ type: 'InternalIP', address: 'fd01::' }] },
  })
  cluster.settle()
  expect(reasonOf(cluster, 'a/s1')).toBe('AddressInUseElsewhere')
})
