// Do the admission policies of `berth tenant render` do on real Kubernetes what they say? Services as
// OpenStack's operators write them, on an API server that knows nothing else of Berth.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Json, recordAt } from '../../src/core/model/json.ts'
import { isSince } from './kubeVersion.ts'
import { type OwnKube, startOwnKube } from './ownKube.ts'
import { until } from './waits.ts'

/** Since 1.36 they are on without being asked for. */
const isHere = inject('kube') !== undefined && isSince(36)
let kube: OwnKube
const folder = mkdtempSync(join(tmpdir(), 'berth-rendered-'))

const network = (name: string, second: number, extra = '') =>
  `{name: ${name}, cidrs: [172.${second}.0.0/24], loadBalancer: [172.${second}.0.80-172.${second}.0.90]${extra}}`
const tenants = `
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: openstack}
spec:
  namespaces: {names: [openstack]}
  networks: [${network('internalapi', 17)}, ${network('storage', 18)}]
---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: openstack2}
spec:
  namespaces: {names: [openstack2]}
  services: [{namespace: openshift-logging, name: openstack-logging}]
  requestedAddresses: Translate
  networks:
  - ${network('internalapi', 27, ', translateFrom: [172.17.0.0/24]')}
  - name: storage
    cidrs: [172.29.0.0/24, 'fd00:2::/64']
    translateFrom: [172.18.0.0/24, 'fd00:1::/64']
    loadBalancer: [172.29.0.80-172.29.0.90, 'fd00:2::80-fd00:2::90']
---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: large}
spec:
  namespaces: {names: [large]}
  requestedAddresses: Translate
  networks:
  - name: internalapi
    cidrs: [10.60.0.0/20]
    translateFrom: [10.50.0.0/20]
    loadBalancer: [10.60.0.1-10.60.3.232]
---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: free}
spec:
  namespaces: {selector: {matchLabels: {cloud: free}}}
  requestedAddresses: Ignore
  networks: [${network('internalapi', 37)}]
---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: open}
spec:
  namespaces: {names: [open]}
  openPools: true
  requestedAddresses: Translate
  networks: [${network('internalapi', 47, ', translateFrom: [172.17.0.0/24]')}]
`
const [old, fresh] = ['metallb.universe.tf/', 'metallb.io/']

/** As the operators write it: the older keys, and labels of their own. */
function asOperator(annotations: Json, spec: Json = {}): Json {
  const ports = [{ name: 'api', port: 5000 }]
  return { metadata: { annotations }, spec: { type: 'LoadBalancer', ports, ...spec } }
}
const keystone = (pool: string, address: string): Json =>
  asOperator({
    [`${old}address-pool`]: pool,
    [`${old}allow-shared-ip`]: pool,
    [`${old}loadBalancerIPs`]: address,
    'dnsmasq.network.openstack.org/hostname': 'keystone-internal.openstack2.svc',
  })

const applied = (namespace: string, name: string, body: Json) => {
  const metadata = { ...recordAt(body, 'metadata'), namespace, name }
  const object = { apiVersion: 'v1', kind: 'Service', ...body, metadata }
  writeFileSync(join(folder, 'service.json'), JSON.stringify(object))
  return kube.shell(`kubectl apply -f '${folder}/service.json'`)
}
const annotationsAt = (namespace: string, name: string): Json => {
  const text = kube.kubectl(['get', 'service', '-n', namespace, name, '-o', 'json'])
  const metadata = recordAt(JSON.parse(text), 'metadata')
  const { 'kubectl.kubernetes.io/last-applied-configuration': _, ...rest } = recordAt(
    metadata,
    'annotations',
  )
  return rest
}
const berthRender = (args = ''): ReturnType<OwnKube['shell']> =>
  kube.shell(`cd '${folder}'; berth tenant render -f tenants.yaml --for metallb ${args}`)

describe.skipIf(!isHere)('tenants rendered for MetalLB', () => {
  beforeAll(async () => {
    kube = await startOwnKube()
    writeFileSync(join(folder, 'tenants.yaml'), tenants)
    kube.kubectl(['apply', '--server-side', '-f', 'deploy/crds'])
    kube.kubectl(['wait', '--for=condition=Established', 'crd', '--all'])
    // Right after that the server still answers 429 for a while; kubectl asks again.
    const asked = 'ipaddresspools,l2advertisements,bgpadvertisements,bgppeers.v1beta2.metallb.io'
    kube.kubectl(['get', asked, '-A'])
    kube.kubectl(['create', 'namespace', 'metallb-system'])
    kube.kubectl(['create', 'namespace', 'openshift-logging'])
    kube.kubectl(['create', 'namespace', 'free1'])
    kube.kubectl(['label', 'namespace', 'free1', 'cloud=free'])
    kube.kubectl(['create', 'namespace', 'openstack2'])
    applied('openstack2', 'before', keystone('internalapi', '172.17.0.81'))
    applied('openstack2', 'stranger', keystone('lan', '192.0.2.1'))
    applied('free1', 'before', keystone('internalapi', '172.17.0.81'))
  })
  afterAll(() => kube?.stop())

  test('what is rendered is applied by kubectl, and --check knows before and after', async () => {
    const before = berthRender('--check --live')
    expect(before.exit, before.err).toBe(2)
    const { exit, out, err } = berthRender()
    expect(exit, err).toBe(0)
    expect(kube.kubectl(['apply', '-f', '-'], out)).toContain('berth-tenant-openstack2')
    const check = berthRender('--check --live')
    expect(check).toMatchObject({ exit: 0, out: expect.stringContaining('Nothing to do') })
    let looks = 0
    await until('the policies are in force', async () => {
      // A new one each time: what kubectl finds unchanged it does not send.
      const probe = `probe-${++looks}`
      applied('openstack2', probe, keystone('internalapi', '172.17.0.90'))
      const there = annotationsAt('openstack2', probe)[`${fresh}address-pool`]
      const foreign = keystone('nope', '172.17.0.80')
      const refused = applied('openstack2', `${probe}-refused`, foreign).exit !== 0
      const free = keystone('internalapi', '172.17.0.90')
      applied('free1', probe, free)
      const isFree = annotationsAt('free1', probe)[`${fresh}address-pool`] !== undefined
      return there !== undefined && refused && isFree ? true : undefined
    })
  })

  test.each([
    ['openstack', 'openstack-internalapi', undefined],
    ['openstack2', 'openstack2-internalapi', '172.27.0.80'],
    ['free1', 'free-internalapi', ''],
  ])('one manifest in %s asks for %s at %s', (namespace, pool, address) => {
    const manifest = keystone('internalapi', '172.17.0.80')
    expect(applied(namespace, 'keystone-internal', manifest)).toMatchObject({ exit: 0 })
    const own = pool.slice(0, -'-internalapi'.length)
    const given = address === undefined ? {} : { [`${fresh}loadBalancerIPs`]: address }
    const expected = {
      ...recordAt(recordAt(manifest, 'metadata'), 'annotations'),
      [`${fresh}address-pool`]: pool,
      [`${fresh}allow-shared-ip`]: `${own}/internalapi`,
      ...given,
    }
    expect(annotationsAt(namespace, 'keystone-internal')).toEqual(expected)
    // As an operator does on every reconcile.
    applied(namespace, 'keystone-internal', manifest)
    expect(annotationsAt(namespace, 'keystone-internal')).toEqual(expected)
  })

  // What `plan --for metallb` says of the same ones.
  test.each([
    ['openstack2', 'internalapi', '172.17.0.84, ', 'openstack2-internalapi', '172.27.0.84'],
    ['open', 'lan', '192.0.2.7', undefined, '192.0.2.7'],
    ['open', 'lan', '172.17.0.84', undefined, '172.47.0.84'],
    ['open', 'internalapi', '172.17.0.99', 'open-internalapi', '172.17.0.99'],
  ])('in %s %s at %j becomes %s at %s', (namespace, pool, asked, ownPool, given) => {
    const name = `a${asked.replace(/\W+/g, '-')}b`
    expect(applied(namespace, name, keystone(pool, asked))).toMatchObject({ exit: 0 })
    const there = annotationsAt(namespace, name)
    expect(there[`${fresh}address-pool`]).toBe(ownPool)
    expect(there[`${fresh}loadBalancerIPs`]).toBe(given)
  })

  test('an operator that asks for another address is followed', () => {
    applied('openstack2', 'moved', keystone('internalapi', '172.17.0.85'))
    applied('openstack2', 'moved', keystone('storage', '172.18.0.86'))
    const [pool, address] = [`${fresh}address-pool`, `${fresh}loadBalancerIPs`]
    const now = { [pool]: 'openstack2-storage', [address]: '172.29.0.86' }
    expect(annotationsAt('openstack2', 'moved')).toMatchObject(now)
  })

  test.each([
    ['no key stays no key', { 'address-pool': 'internalapi' }, { 'allow-shared-ip': undefined }],
    ['own addresses stay', { loadBalancerIPs: '172.27.0.88' }, { loadBalancerIPs: '172.27.0.88' }],
    ['no pool named', { loadBalancerIPs: '172.18.0.84' }, { loadBalancerIPs: '172.29.0.84' }],
    [
      'two families, however they are written',
      { 'address-pool': 'storage', loadBalancerIPs: '172.18.0.80 , FD00:1:0::0080' },
      { loadBalancerIPs: '172.29.0.80,fd00:2::80' },
    ],
    [
      "the pool's own name",
      { 'address-pool': 'openstack2-storage', loadBalancerIPs: '172.18.0.81' },
      { 'address-pool': 'openstack2-storage', loadBalancerIPs: '172.29.0.81' },
    ],
  ])('%s', (title, asked, given) => {
    const name = title.replace(/\W+/g, '-').toLowerCase()
    const keyed = (prefix: string, values: object) =>
      Object.fromEntries(Object.entries(values).map(([key, value]) => [prefix + key, value]))
    expect(applied('openstack2', name, asOperator(keyed(old, asked)))).toMatchObject({ exit: 0 })
    const there = annotationsAt('openstack2', name)
    for (const [key, value] of Object.entries(keyed(fresh, given))) expect(there[key]).toBe(value)
    // MetalLB's newer keys, written by a person, are translated where they stand.
    const mine = `${name}-mine`
    expect(applied('openstack2', mine, asOperator(keyed(fresh, asked)))).toMatchObject({ exit: 0 })
    for (const [key, value] of Object.entries(keyed(fresh, given))) {
      expect(annotationsAt('openstack2', mine)[key]).toBe(value)
    }
  })

  test('a policy that lists a thousand addresses is within what the server works out', () => {
    const asked = { 'address-pool': 'internalapi', loadBalancerIPs: '10.50.3.232' }
    const older = Object.fromEntries(Object.entries(asked).map(([key, text]) => [old + key, text]))
    expect(applied('large', 'last', asOperator(older))).toMatchObject({ exit: 0 })
    expect(annotationsAt('large', 'last')).toMatchObject({
      [`${fresh}address-pool`]: 'large-internalapi',
      [`${fresh}loadBalancerIPs`]: '10.60.3.232',
    })
    const beyond = applied('large', 'last', keystone('internalapi', '10.50.3.233'))
    expect(beyond).toMatchObject({ exit: 1, err: expect.stringContaining('10.50.3.233') })
  })

  // The server names it after it was admitted, or before: a list of names must not stand in the way.
  test('a Service whose name the server makes is given a pool like any other', () => {
    const object = {
      ...{ apiVersion: 'v1', kind: 'Service' },
      ...asOperator({ [`${old}address-pool`]: 'internalapi' }),
    }
    const metadata = {
      ...recordAt(object, 'metadata'),
      namespace: 'openstack',
      generateName: 'web-',
    }
    writeFileSync(join(folder, 'unnamed.json'), JSON.stringify({ ...object, metadata }))
    const made = kube.shell(`kubectl create -f '${folder}/unnamed.json' -o json`)
    expect(made, made.err).toMatchObject({ exit: 0 })
    expect(recordAt(recordAt(JSON.parse(made.out), 'metadata'), 'annotations')).toMatchObject({
      [`${fresh}address-pool`]: 'openstack-internalapi',
    })
  })

  test('the field loadBalancerIP is translated, or dropped where it is ignored', () => {
    const field = (namespace: string): string => {
      applied(namespace, 'field', asOperator({}, { loadBalancerIP: '172.17.0.89' }))
      const path = '-o=jsonpath={.spec.loadBalancerIP}'
      return kube.kubectl(['get', 'service', '-n', namespace, 'field', path])
    }
    expect([field('openstack2'), field('free1')]).toEqual(['172.27.0.89', ''])
  })

  test.each([
    [
      'another pool',
      keystone('openstack-internalapi', '172.17.0.80'),
      'has no pool for "openstack-internalapi"',
    ],
    [
      'an address that leads nowhere',
      keystone('internalapi', '172.17.0.91'),
      'translation-does-not-fit: 172.17.0.91',
    ],
    [
      'an address of another network',
      keystone('internalapi', '172.18.0.80'),
      'translation-does-not-fit: 172.18.0.80',
    ],
    [
      'no address at all',
      keystone('internalapi', 'keystone'),
      'translation-does-not-fit: keystone',
    ],
  ])('refused with the reason: %s', (_, manifest, reason) => {
    const { exit, err } = applied('openstack2', 'bad', manifest)
    expect(exit).toBe(1)
    expect(err).toContain(reason)
  })

  test.each([
    ['openstack', '172.17.0.83', '172.17.0.83'],
    ['openstack2', '172.27.0.83', '172.27.0.83'],
    ['free1', '172.37.0.83', ''],
  ])('of two keys in %s, MetalLB reads first what was judged', (namespace, own, given) => {
    const key = 'loadBalancerIPs'
    const both = asOperator({ [old + key]: own, [fresh + key]: '192.0.2.9' })
    expect(applied(namespace, 'both', both)).toMatchObject({ exit: 0 })
    expect(annotationsAt(namespace, 'both')[fresh + key]).toBe(given)
    // The same on a Service that is there already.
    applied(namespace, 'later', asOperator({ [old + key]: own }))
    const foreign = [`${fresh}${key}=192.0.2.9`, '--overwrite']
    kube.kubectl(['annotate', 'service', '-n', namespace, 'later', ...foreign])
    expect(annotationsAt(namespace, 'later')[fresh + key]).toBe(given)
  })

  test.each([
    ['openstack', 'address-pool', 'lan', 'has no pool for "lan"'],
    ['openstack2', 'address-pool', 'lan', 'has no pool for "lan"'],
    ['free1', 'address-pool', 'lan', 'has no pool for "lan"'],
    ['openstack', 'loadBalancerIPs', '192.0.2.9', 'address-not-in-pool: 192.0.2.9'],
    ['openstack2', 'loadBalancerIPs', '192.0.2.9', 'translation-does-not-fit: 192.0.2.9'],
  ])('an empty older key in %s hides no %s %s', (namespace, key, foreign, reason) => {
    const hidden = asOperator({ [old + key]: '', [fresh + key]: foreign })
    const { exit, err } = applied(namespace, 'hidden', hidden)
    expect(exit).toBe(1)
    expect(err).toContain(reason)
  })

  test("what is not the tenant's is left alone", () => {
    applied('default', 'outside', keystone('internalapi', '172.17.0.80'))
    const log = keystone('internalapi', '172.17.0.82')
    applied('openshift-logging', 'other', log)
    applied('openshift-logging', 'openstack-logging', log)
    const inside = asOperator({ [`${old}address-pool`]: 'nope' }, { type: 'ClusterIP' })
    expect(applied('openstack2', 'inside', inside)).toMatchObject({ exit: 0 })
    const key = `${fresh}loadBalancerIPs`
    expect(annotationsAt('default', 'outside')[key]).toBeUndefined()
    expect(annotationsAt('openshift-logging', 'other')[key]).toBeUndefined()
    expect(annotationsAt('openstack2', 'inside')[`${fresh}address-pool`]).toBeUndefined()
    expect(annotationsAt('openshift-logging', 'openstack-logging')[key]).toBe('172.27.0.82')
  })

  test('what was there is touched once as printed, and taken back as printed', async () => {
    const { err } = berthRender()
    const commands = err.split('\n').filter((line) => line.startsWith('  kubectl'))
    const touching = commands.filter((line) => line.includes('touched=once'))
    for (const line of touching) expect(kube.shell(line), line).toMatchObject({ exit: 0 })
    const key = `${fresh}loadBalancerIPs`
    expect(annotationsAt('openstack2', 'before')[key]).toBe('172.27.0.81')
    // Its namespace is known by a label alone.
    expect(annotationsAt('free1', 'before')[`${fresh}address-pool`]).toBe('free-internalapi')
    // It asks for what is not the tenant's, as before: it goes on, and nothing is added.
    expect(annotationsAt('openstack2', 'stranger')).not.toHaveProperty([key])
    const away = commands.filter((one) => !touching.includes(one))
    const manifest = keystone('internalapi', '172.17.0.81')
    const asked = JSON.stringify(recordAt(recordAt(manifest, 'metadata'), 'annotations'))
    // The API server notices a deleted policy some moments later.
    await until('nothing is left of it', async () => {
      for (const line of away) expect(kube.shell(line), line).toMatchObject({ exit: 0 })
      const left = ['openstack2', 'free1'].map((one) => annotationsAt(one, 'before'))
      const most = Object.keys(JSON.parse(asked)).length
      return left.every((one) => Object.keys(one).length === most) ? left : undefined
    }).then((left) => expect(left).toEqual([JSON.parse(asked), JSON.parse(asked)]))
    expect(kube.kubectl(['get', 'mutatingadmissionpolicies', '-o', 'name'])).toBe('')
  })
})
