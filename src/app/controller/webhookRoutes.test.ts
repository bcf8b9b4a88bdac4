import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../core/model/gate.ts'
import { World } from '../../core/model/world.ts'
import { check, checkDelete } from '../../core/policy/check/check.ts'
import { admission } from '../../edge/kube/admission.ts'
import { decode } from '../../edge/kube/decode/decode.ts'
import { readCrd } from '../../edge/kube/schema/crd.ts'
import { readManifests } from '../../edge/manifests/readManifests.ts'
import { completionRoutes, webhookRoutes } from './webhookRoutes.ts'

const folder = fileURLToPath(new URL('../../../deploy/crds', import.meta.url))
const manifests = await Array.fromAsync(readManifests([folder], nothing()))
const crds = manifests.flatMap((read) => (read.ok ? (readCrd(read.manifest.json) ?? []) : []))
const gate = admission({ crds, check, checkDelete, bgpMode: 'frr' })

async function* nothing(): AsyncGenerator<string> {
  yield ''
}

const ownNamespace = 'metallb-system'
const object = (apiVersion: string, kind: string, name: string, spec: object): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(apiVersion.startsWith('metallb') ? { namespace: ownNamespace } : {}) },
  spec,
})
const pool = (name: string, ...addresses: readonly string[]) =>
  object('metallb.io/v1beta1', 'IPAddressPool', name, { addresses })
const profile = (name: string) => object('metallb.io/v1beta1', 'BFDProfile', name, {})
const peer = (name: string, spec: object = {}) => {
  const base = { myASN: 64512, peerASN: 64513, peerAddress: '10.0.0.1' }
  return object('metallb.io/v1beta2', 'BGPPeer', name, { ...base, ...spec })
}
const tenant = (name: string, cidr: string) =>
  object('berth.dev/v1alpha1', 'Tenant', name, {
    namespaces: { names: [name] },
    networks: [{ name: 'internalapi', cidrs: [cidr] }],
  })

function worldOf(...objects: readonly JsonObject[]): World {
  const world = new World({ ownNamespace, loadBalancerClass: '' })
  for (const json of objects) {
    const decoded = decode(json)
    if (decoded.kind === 'view') world.apply({ type: 'upsert', view: decoded.view })
  }
  return world
}
const known = worldOf(
  pool('lan', '10.0.0.0/24'),
  profile('fast'),
  peer('tor', { bfdProfile: 'fast' }),
  tenant('one', '172.17.0.0/24'),
)

type Asked = { readonly object?: JsonObject; readonly oldObject?: JsonObject }

function review(operation: string, { object, oldObject }: Asked): JsonObject {
  const { apiVersion = '', kind = '', metadata = {} } = object ?? oldObject ?? {}
  const [group, version] = String(apiVersion).split('/')
  const { name } = metadata as { name?: string }
  const request = { uid: 'u1', kind: { group, version, kind }, operation, name }
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { ...request, object: object ?? null, oldObject: oldObject ?? null },
  }
}

const pools = '/validate-metallb-io-v1beta1-ipaddresspool'
const peers = '/validate-metallb-io-v1beta2-bgppeer'
const profiles = '/validate-metallb-io-v1beta1-bfdprofile'

const bodyOf = (json: unknown) => Buffer.from(JSON.stringify(json))

function ask(path: string, json: unknown, world: World | undefined = known) {
  const route = webhookRoutes({ gate, world: () => world, lastKnown: () => world }).get(path)
  if (route === undefined) throw new Error(`no ${path}`)
  return route(bodyOf(json))
}
const answer = (path: string, operation: string, asked: Asked) => {
  const { response } = ask(path, review(operation, asked)).json as { response: JsonObject }
  return response
}

test('[M4.3] the paths are those of MetalLB, and ours', () => {
  const paths = [...webhookRoutes({ gate, world: () => known, lastKnown: () => known }).keys()]
  const wanted = [
    pools,
    '/validate-metallb-io-v1beta1-l2advertisement',
    '/validate-metallb-io-v1beta1-bgpadvertisement',
    peers,
    '/validate-metallb-io-v1beta1-community',
    profiles,
    '/validate-berth-dev-v1alpha1-address',
    '/validate-berth-dev-v1alpha1-site',
    '/validate-berth-dev-v1alpha1-tenant',
    '/validate-network-openstack-org-v1beta1-netconfig',
    '/mutate-network-openstack-org-v1beta1-netconfig',
    '/mutate-network-openstack-org-v1beta1-dnsmasq',
    '/validate-network-openstack-org-v1beta1-dnsdata',
    '/validate-network-openstack-org-v1beta1-bgpconfiguration',
    '/validate-network-openstack-org-v1beta1-dnsmasq',
    '/validate-network-openstack-org-v1beta1-ipset',
    '/validate',
    '/convert',
  ]
  expect(paths.sort()).toEqual(wanted.sort())
})

test('[M4.3] every path that the install names is answered', () => {
  const files = ['controller/webhooks.yaml', 'openstack/rights/webhooks.yaml']
  const named = files.flatMap((file) => {
    const place = new URL(`../../../deploy/kustomize/${file}`, import.meta.url)
    return [...readFileSync(place, 'utf8').matchAll(/path: (\S+)/g)].map(([, path]) => path)
  })
  expect(named).not.toHaveLength(0)
  const served = [
    ...webhookRoutes({ gate, world: () => known, lastKnown: () => known }).keys(),
    ...completionRoutes(async () => ({ ok: true, annotations: {}, warnings: [] })).keys(),
  ]
  expect(served).toEqual(expect.arrayContaining(named))
})

const good: readonly [string, string, Asked][] = [
  [pools, 'CREATE', { object: pool('dmz', '10.0.1.0/24') }],
  [pools, 'UPDATE', { object: pool('lan', '10.0.0.0/23'), oldObject: pool('lan', '10.0.0.0/24') }],
  [pools, 'DELETE', { oldObject: pool('lan', '10.0.0.0/24') }],
  [profiles, 'DELETE', { oldObject: profile('slow') }],
  ['/validate', 'CREATE', { object: tenant('two', '172.27.0.0/24') }],
  ['/validate', 'DELETE', { oldObject: tenant('one', '172.17.0.0/24') }],
]
test.each(good)('%s %s: a good object passes', (path, operation, asked) => {
  expect(answer(path, operation, asked)).toEqual({ uid: 'u1', allowed: true })
})

test('[M8.1] an overlap is refused with both pools, the field and 403', () => {
  const refused = answer(pools, 'CREATE', { object: pool('dmz', '10.9.0.0/24', '10.0.0.128/25') })
  const words =
    '10.0.0.128/25 of IPAddressPool/metallb-system/dmz overlaps ' +
    '10.0.0.0/24 of IPAddressPool/metallb-system/lan; take 10.0.0.128/25 out of one of the two'
  const message = `Forbidden: ${words}`
  expect(refused).toEqual({
    uid: 'u1',
    allowed: false,
    status: {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code: 403,
      reason: 'Forbidden',
      message: `spec.addresses[1]: ${message}`,
      details: {
        group: 'metallb.io',
        kind: 'IPAddressPool',
        name: 'dmz',
        causes: [{ reason: 'FieldValueForbidden', message, field: 'spec.addresses[1]' }],
      },
    },
  })
})

const elsewhere = { ...pool('dmz', '10.1.0.0/24'), metadata: { name: 'dmz', namespace: 'shop' } }
const bad: readonly [string, string, Asked, object][] = [
  ['another namespace', 'CREATE', { object: elsewhere }, { field: 'metadata.namespace' }],
  [
    'no addresses',
    'CREATE',
    { object: pool('dmz') },
    { field: 'spec.addresses', reason: 'FieldValueRequired' },
  ],
  [
    'no address',
    'CREATE',
    { object: pool('dmz', 'x') },
    { field: 'spec.addresses[0]', reason: 'FieldValueInvalid' },
  ],
]
test.each(bad)('[M8.1] %s is refused, with its field', (_, operation, asked, cause) => {
  expect(answer(pools, operation, asked)).toMatchObject({
    allowed: false,
    status: { code: 403, details: { causes: [cause] } },
  })
})

test('[M8.1] a profile that a peer uses stays', () => {
  const refused = answer(profiles, 'DELETE', { oldObject: profile('fast') })
  expect(refused).toMatchObject({
    allowed: false,
    status: { code: 403, details: { name: 'fast' } },
  })
})

test('[M4.3] a peer is warned about and checked all the same', () => {
  const warnings = ['spec.disableMP is deprecated and has no effect']
  const object = peer('other', { peerAddress: '10.0.0.2', disableMP: true })
  expect(answer(peers, 'CREATE', { object })).toEqual({ uid: 'u1', allowed: true, warnings })
  const broken = peer('other', { peerAddress: '10.0.0.2', disableMP: true, myASN: 0 })
  expect(answer(peers, 'CREATE', { object: broken })).toMatchObject({ allowed: false })
})

test('what was wrong before may change otherwise, and goes', () => {
  const world = worldOf(pool('lan', '10.0.0.0/24'), pool('old', '10.0.0.0/25'))
  const labelled = { ...pool('old', '10.0.0.0/25') }
  const oldObject = pool('old', '10.0.0.0/25')
  const object = {
    ...labelled,
    metadata: { ...(labelled['metadata'] as object), labels: { a: 'b' } },
  }
  for (const asked of [review('UPDATE', { object, oldObject }), review('DELETE', { oldObject })]) {
    expect(ask(pools, asked, world).json).toMatchObject({ response: { allowed: true } })
  }
})

test('[P6] until every list is in an object passes, with a warning', () => {
  const routes = webhookRoutes({ gate, world: () => undefined, lastKnown: () => undefined })
  const { json } = routes.get(pools)?.(bodyOf(review('CREATE', { object: pool('dmz', 'x') }))) ?? {}
  expect(json).toMatchObject({
    response: { allowed: true, warnings: [expect.stringContaining('did not check')] },
  })
})

test('[R4.20] a deletion waits until every list was in, and is judged by what was known last', () => {
  const answer = (path: string, oldObject: JsonObject, lastKnown: () => World | undefined) => {
    const routes = webhookRoutes({ gate, world: () => undefined, lastKnown })
    return routes.get(path)?.(bodyOf(review('DELETE', { oldObject })))?.json
  }
  const unused = tenant('none', '172.30.0.0/24')
  expect(answer('/validate', unused, () => undefined)).toMatchObject({
    response: { allowed: false, status: { message: expect.stringContaining('try again') } },
  })
  expect(answer('/validate', unused, () => known)).toMatchObject({ response: { allowed: true } })
  const warnings = [expect.stringContaining('did not check')]
  expect(answer(pools, pool('dmz', 'x'), () => undefined)).toMatchObject({
    response: { allowed: true, warnings },
  })
})

test('what is not JSON, or too much to convert, is no question', () => {
  const routes = webhookRoutes({ gate, world: () => known, lastKnown: () => known })
  const tooMuch = Buffer.alloc(1024 * 1024 + 1, ' ')
  for (const path of [pools, '/convert']) {
    for (const body of [Buffer.from('{"a"'), Buffer.alloc(0), tooMuch]) {
      expect(routes.get(path)?.(body)).toMatchObject({ status: 400 })
    }
  }
})

const strange: readonly [string, string, unknown][] = [
  ['no review', pools, {}],
  ['a list', pools, []],
  ['another kind', pools, review('CREATE', { object: peer('tor') })],
  [
    'an earlier version',
    pools,
    { ...review('CREATE', {}), apiVersion: 'admission.k8s.io/v1beta1' },
  ],
  ['no conversion', '/convert', review('CREATE', { object: peer('tor') })],
]
test.each(strange)('%s is no question for %s: 400', (_, path, json) => {
  expect(ask(path, json)).toMatchObject({ status: 400 })
})

test('[M1.5] a conversion is answered', () => {
  const request = { uid: 'u1', desiredAPIVersion: 'metallb.io/v1beta1', objects: [peer('tor')] }
  const json = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request }
  expect(ask('/convert', json)).toMatchObject({
    status: 200,
    json: { response: { convertedObjects: [{ apiVersion: 'metallb.io/v1beta1' }] } },
  })
})

const completing = '/mutate-network-openstack-org-v1beta1-netconfig'

test('[R12.11] a NetConfig gets the service networks that it does not name', () => {
  const route = webhookRoutes({ gate, world: () => known, lastKnown: () => known }).get(completing)
  const ask = (networks: readonly object[]) => {
    const config = object('network.openstack.org/v1beta1', 'NetConfig', 'netconfig', { networks })
    const kind = { group: 'network.openstack.org', version: 'v1beta1', kind: 'NetConfig' }
    const request = { uid: 'u1', kind, operation: 'CREATE', object: config }
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }
    return route?.(Buffer.from(JSON.stringify(review)))
  }
  const reply = ask([{ name: 'CtlPlane', subnets: [] }])
  const { response } = (reply?.json ?? {}) as { response?: { patch: string } }
  const { patch = '' } = response ?? {}
  const value = { networks: [{ name: 'CtlPlane', subnets: [], serviceNetwork: 'ctlplane' }] }
  expect(JSON.parse(Buffer.from(patch, 'base64').toString())).toEqual([
    { op: 'add', path: '/spec', value },
  ])
  const whole = ask([{ name: 'External', serviceNetwork: 'public', subnets: [] }])
  expect(whole?.json).toMatchObject({ response: { uid: 'u1', allowed: true } })
  expect(whole?.json).not.toHaveProperty('response.patch')
})
