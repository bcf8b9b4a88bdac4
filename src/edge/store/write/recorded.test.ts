// Do we answer as Kubernetes does? What kube-apiserver 1.36.3 answered is kept in recorded.json. With
// BERTH_RECORD_FROM (https://host:port) and BERTH_RECORD_TOKEN it is asked again: two ranges of cluster
// IPs as usual here, everything allowed, our definitions there, no controllers.
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Answer, type Asked, WritesStand } from '../../../../test/build/writesStand.ts'

type Json = Readonly<Record<string, unknown>>
/** What is only roughly the same: words that are Go's own, or what our definitions do at once. */
type Step = Asked & { readonly compares?: 'all' | 'code' | 'reason' }

const file = join(import.meta.dirname, 'recorded.json')
const { BERTH_RECORD_FROM: server, BERTH_RECORD_TOKEN: token = '' } = process.env

const namespace = (group: string): string => `recorded-${group.replaceAll(' ', '-')}`
const post = (path: string, body: unknown, more: Partial<Step> = {}): Step => ({
  method: 'POST',
  path,
  body,
  ...more,
})
const put = (path: string, body: unknown): Step => ({ method: 'PUT', path, body })
const patch = (path: string, body: unknown, type: Asked['type'] = 'merge'): Step => ({
  method: 'PATCH',
  path,
  body,
  type,
})
const remove = (path: string, body?: unknown): Step => ({ method: 'DELETE', path, body })
const roughly = (step: Step, compares: Step['compares'] = 'reason'): Step => ({ ...step, compares })

const maps = '/api/v1/namespaces/NS/configmaps'
const map = (name: string, more: Json = {}, metadata: Json = {}): Json => ({
  metadata: { name, ...metadata },
  ...more,
})
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u', controller: true }

const metadata: readonly Step[] = [
  post(maps, {}),
  post(maps, map('a', {}, { namespace: 'other' })),
  post(maps, map('A_b')),
  post(maps, map('a.b-')),
  post(maps, map('x'.repeat(260))),
  post(maps, { metadata: { generateName: 'Q', name: 'a' } }),
  post(maps, map('a', {}, { labels: { 'a b': 'c d' }, annotations: { 'x y': 'z' } })),
  post(maps, map('a', {}, { labels: { 'a/b/c': 'x' } })),
  post(maps, map('a', {}, { labels: { '/x': 'x'.repeat(64) } })),
  post(maps, map('a', {}, { finalizers: ['foo bar', 'foo'] })),
  post(maps, map('a', {}, { finalizers: ['orphan', 'foregroundDeletion'] })),
  post(maps, map('a', {}, { ownerReferences: [{ name: '', kind: '', apiVersion: '', uid: '' }] })),
  post(maps, map('a', {}, { ownerReferences: [owner, { ...owner, name: 'b' }] })),
  roughly(post(maps, map('a', {}, { creationTimestamp: 'hi' }))),
  post(maps, map('a', {}, { resourceVersion: '5' })),
  post('/api/v1/namespaces/nowhere/configmaps', map('a')),
  post(maps, map('given', {}, { uid: 'x', generation: 7, deletionTimestamp: null, selfLink: '/' })),
  post('/api/v1/namespaces', { metadata: { name: 'A.b' } }),
  remove('/api/v1/namespaces/default'),
  patch('/api/v1/namespaces/NS', { spec: { finalizers: ['x'] }, status: { phase: 'Foo' } }),
  patch('/api/v1/namespaces/NS/status', { status: { phase: 'Terminating' } }),
  remove('/api/v1/namespaces/NS', { preconditions: { uid: 'x' } }),
]

const writing: readonly Step[] = [
  post(maps, map('a', { data: { x: '1', y: '' }, immutable: false, foo: 1 })),
  post(maps, map('a')),
  roughly(post(maps, map('b', { data: { x: 1 } })), 'all'),
  post(`${maps}?fieldValidation=Strict`, map('b', { foo: 1, bar: { x: 1 } })),
  post(`${maps}?dryRun=All`, map('b', { data: { x: '1' } })),
  put(`${maps}/a`, map('a', { data: { x: '2' } })),
  put(`${maps}/a`, map('a', { data: { x: '3' } }, { resourceVersion: '1' })),
  put(`${maps}/a`, map('a', { data: { x: '3' } }, { resourceVersion: 'abc' })),
  put(`${maps}/a`, map('a', { data: { x: '3' } }, { uid: 'other' })),
  put(`${maps}/a`, map('b')),
  put(`${maps}/a`, { metadata: {} }),
  put(`${maps}/nope`, map('nope')),
  patch(`${maps}/a`, { metadata: { resourceVersion: '1' } }),
  patch(`${maps}/a`, { metadata: { uid: 'other', labels: { a: 'b c' } } }),
  patch(`${maps}/a`, { metadata: { name: 'other' } }),
  patch(`${maps}/a`, { metadata: { namespace: 'other' } }),
  roughly(patch(`${maps}/a`, { data: { x: 2 } })),
  patch(`${maps}/a`, { foo: 'bar' }),
  patch(`${maps}/a?fieldValidation=Strict`, { foo: 'bar' }, 'strategic'),
  patch(`${maps}/a`, { data: { x: null, z: '1' } }),
  patch(`${maps}/a`, { data: { x: '5' } }, 'strategic'),
  patch(`${maps}/a`, [{ op: 'test', path: '/data/x', value: '9' }], 'json'),
  patch(`${maps}/a`, [{ op: 'add', path: '/data/w', value: '9' }], 'json'),
  patch(`${maps}/a`, { metadata: { labels: { a: 'b' } } }),
  patch(`${maps}/a`, { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } }),
  patch(`${maps}/a?dryRun=All`, { data: { q: '1' } }),
  patch(`${maps}/nope`, {}),
  patch(
    `${maps}/a?fieldManager=m`,
    { apiVersion: 'v1', kind: 'ConfigMap', data: { x: '7' } },
    'apply',
  ),
  patch(
    `${maps}/a?fieldManager=m&force=true`,
    { apiVersion: 'v1', kind: 'ConfigMap', data: { x: '7' } },
    'apply',
  ),
  patch(`${maps}/new?fieldManager=m`, { apiVersion: 'v1', kind: 'ConfigMap' }, 'apply'),
  patch(
    `${maps}/new?fieldManager=m`,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' }, data: { x: '7' } },
    'apply',
  ),
]

const going: readonly Step[] = [
  post(maps, map('a', {}, { finalizers: ['berth.dev/x'] })),
  remove(`${maps}/a`, { preconditions: { uid: 'other' } }),
  remove(`${maps}/a`, { preconditions: { resourceVersion: '1' } }),
  remove(`${maps}/a?dryRun=All`),
  remove(`${maps}/a`),
  remove(`${maps}/a`),
  post(maps, map('a')),
  patch(`${maps}/a`, { metadata: { finalizers: ['berth.dev/x', 'berth.dev/y'] } }),
  patch(`${maps}/a`, { metadata: { finalizers: null } }),
  remove(`${maps}/a`),
  post(maps, map('b')),
  remove(`${maps}/b?dryRun=All`),
  remove(`${maps}/b`),
]

const secrets = '/api/v1/namespaces/NS/secrets'
const events = '/api/v1/namespaces/NS/events'
const leases = '/apis/coordination.k8s.io/v1/namespaces/NS/leases'
const slices = '/apis/discovery.k8s.io/v1/namespaces/NS/endpointslices'
const involved = { kind: 'Pod', namespace: 'NS', name: 'x' }

const kinds: readonly Step[] = [
  post(maps, map('k', { data: { 'a/b': 'x' } })),
  post(maps, map('k', { data: { '..': 'y' }, binaryData: { '..': 'eA==' } })),
  post(maps, map('im', { data: { a: 'b' }, immutable: true })),
  patch(`${maps}/im`, { data: { a: 'c' }, immutable: false, binaryData: { z: 'eA==' } }),
  post(secrets, map('s1', { stringData: { a: 'b' }, data: { c: 'ZA==' } })),
  roughly(post(secrets, map('s2', { data: { c: 'Z' } }))),
  post(secrets, map('s2', { type: 'kubernetes.io/tls', data: { 'tls.crt': 'ZA==' } })),
  post(secrets, map('s2', { type: 'kubernetes.io/basic-auth' })),
  post(secrets, map('s2', { type: 'kubernetes.io/service-account-token' })),
  patch(`${secrets}/s1`, { type: 'x' }),
  post(events, map('e1', { involvedObject: involved, reason: 'r', message: 'm', type: 'Normal' })),
  post(events, map('e2', { involvedObject: { ...involved, namespace: 'other' } })),
  post(events, map('e2', { involvedObject: { kind: 'Node', name: 'x' } })),
  post(events, map('e2', { eventTime: '2026-01-01T00:00:00.000000Z', involvedObject: involved })),
  patch(`${events}/e1`, { count: 2, lastTimestamp: '2026-01-02T03:05:05Z' }),
  put(`${events}/e9`, map('e9', { involvedObject: involved })),
  post(
    leases,
    map('l1', { spec: { holderIdentity: 'a', renewTime: '2026-01-02T03:04:05.123456Z' } }),
  ),
  roughly(post(leases, map('l2', { spec: { renewTime: '2026-01-02T03:04:05Z' } }))),
  post(leases, map('l2', { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } })),
  put(`${leases}/l1`, map('l1', { spec: {} })),
  put(`${leases}/l3`, map('l3', { spec: { holderIdentity: '' } })),
  post('/api/v1/namespaces/NS/serviceaccounts', map('sa', { automountServiceAccountToken: false })),
  remove('/api/v1/namespaces/NS/serviceaccounts/sa'),
  post(
    slices,
    map('e1', { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [{}] }),
  ),
  post(slices, map('e2', { addressType: 'IPv5', ports: [{ protocol: 'X' }, { name: 'A' }] })),
  post(
    slices,
    map('e2', { addressType: 'IPv4', endpoints: [{ addresses: ['::1', 'x'], nodeName: 'A' }] }),
  ),
  patch(`${slices}/e1`, { addressType: 'IPv6', endpoints: [] }),
  patch(`${slices}/e1`, { metadata: { labels: { a: 'b' } } }),
]

const deployments = '/apis/apps/v1/namespaces/NS/deployments'
const template = (containers: readonly Json[], spec: Json = {}): Json => ({
  metadata: { labels: { a: 'b' } },
  spec: { containers, ...spec },
})
const selector = { matchLabels: { a: 'b' } }
const container = {
  name: 'a',
  image: 'b:1',
  ports: [{ containerPort: 80 }],
  livenessProbe: { httpGet: { port: 80 } },
}
const volumes = [
  { name: 'v', secret: { secretName: 'x' } },
  { name: 'w' },
  { name: 'h', hostPath: { path: '/x' } },
]

const workloads: readonly Step[] = [
  post(
    deployments,
    map('d1', { spec: { selector, template: template([container], { volumes }) } }),
  ),
  post(
    deployments,
    map('d2', { spec: { selector: { matchLabels: { a: 'c' } }, template: template([]) } }),
  ),
  patch(`${deployments}/d1`, { spec: { selector: { matchLabels: { a: 'c' } } } }),
  patch(`${deployments}/d1`, { spec: { replicas: 0 } }),
  patch(`${deployments}/d1/status`, {
    metadata: { labels: { x: 'y' } },
    spec: { replicas: 7 },
    status: { replicas: 1 },
  }),
  remove(`${deployments}/d1`),
]

const services = '/api/v1/namespaces/NS/services'
const service = (name: string, spec: Json): Step => post(services, { metadata: { name }, spec })
const port80 = [{ port: 80 }]

const serviceChecks: readonly Step[] = [
  service('x', {
    type: 'LoadBalancer',
    ports: port80,
    externalIPs: ['010.0.0.1', '::ffff:1.2.3.4', '1.2.3', 'fe80::1', '127.0.0.1', '0.0.0.0'],
    loadBalancerSourceRanges: ['10.0.0.0/8', 'x', ' 010.0.0.0/8', '10.0.0.1/8'],
  }),
  service('x', { type: 'Foo', ports: port80 }),
  service('x', { ipFamilies: ['IPv5'], ipFamilyPolicy: 'Foo', ports: port80 }),
  service('x', {
    sessionAffinity: 'Bar',
    ports: [
      { port: 0, name: 'A', protocol: 'ICMP' },
      { port: 80, targetPort: 'UPPER', nodePort: 1 },
      { name: 'a', port: 80, targetPort: 70000 },
      { name: 'a', port: 80 },
    ],
    externalTrafficPolicy: 'Cluster',
    internalTrafficPolicy: 'y',
    trafficDistribution: 'z',
    loadBalancerClass: 'a b',
    healthCheckNodePort: 5,
    allocateLoadBalancerNodePorts: true,
    selector: { 'a b': 'c d' },
  }),
  service('x', { type: 'LoadBalancer', ports: port80, loadBalancerClass: 'a b' }),
  service('x', { type: 'NodePort', ports: [{ port: 80, nodePort: 99 }] }),
  service('x', {
    type: 'NodePort',
    ports: [
      { name: 'a', port: 80, nodePort: 30007 },
      { name: 'b', port: 81, nodePort: 30007 },
    ],
  }),
  service('x', { type: 'ExternalName', clusterIP: '10.96.0.5', ipFamilies: ['IPv4'] }),
  service('x', { clusterIP: '10.96.0.1', ports: port80 }),
  service('x', { clusterIP: '192.0.2.1', ports: port80 }),
  service('x', { clusterIP: 'foo', ports: port80 }),
  service('x', { clusterIP: 'None', type: 'LoadBalancer', ports: port80 }),
  service('x', { clusterIPs: ['10.96.0.7'], ports: port80 }),
  service('x', { clusterIPs: ['10.96.0.7', '10.96.0.8'], clusterIP: '10.96.0.7', ports: port80 }),
  service('x', { clusterIPs: ['None', '10.96.0.8'], clusterIP: 'None', ports: port80 }),
  service('x', { ipFamilies: ['IPv6', 'IPv4'], ports: port80 }),
  service('x', { ipFamilies: ['IPv6'], clusterIP: '10.96.0.7', ports: port80 }),
  service('x', {}),
  service('a.b', { ports: port80 }),
  service('x', {
    ports: port80,
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } },
  }),
]

const serviceKinds: readonly Step[] = [
  service('1x', { ports: port80 }),
  service('h1', { clusterIP: 'None' }),
  service('h2', { clusterIP: 'None', selector: { a: 'b' }, ports: port80 }),
  service('h3', { clusterIP: 'None', ipFamilyPolicy: 'SingleStack' }),
  service('np', {
    type: 'NodePort',
    ports: [
      { port: 53, name: 'a' },
      { port: 53, name: 'b', protocol: 'UDP' },
    ],
  }),
  service('np2', {
    type: 'NodePort',
    ports: [
      { port: 53, name: 'a' },
      { port: 53, name: 'b', protocol: 'UDP', nodePort: 30098 },
    ],
  }),
  service('lb', {
    type: 'LoadBalancer',
    ports: port80,
    allocateLoadBalancerNodePorts: false,
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 30124,
    publishNotReadyAddresses: false,
    selector: {},
  }),
  service('ext', { ports: port80, externalIPs: ['192.0.2.9'] }),
  service('warn', {
    type: 'LoadBalancer',
    ports: port80,
    loadBalancerIP: '2001:DB8::1',
    trafficDistribution: 'PreferClose',
    externalName: 'x',
  }),
  put(`${services}/made`, { metadata: { name: 'made' }, spec: { ports: port80 } }),
]

const again = (spec: Json): Step => put(`${services}/x`, { metadata: { name: 'x' }, spec })
const time = '2026-01-02T03:04:05Z'
const condition = {
  type: 'a/b',
  status: 'True',
  reason: 'R',
  message: '',
  lastTransitionTime: time,
}
const status = (body: Json): Step => patch(`${services}/x/status`, body, 'strategic')

const serviceChanges: readonly Step[] = [
  service('x', {
    type: 'LoadBalancer',
    loadBalancerClass: 'foo',
    ipFamilyPolicy: 'PreferDualStack',
    ports: port80,
    externalTrafficPolicy: 'Local',
    sessionAffinity: 'ClientIP',
  }),
  status({
    metadata: { annotations: { a: 'b' } },
    spec: { selector: { q: 'z' } },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] }, conditions: [condition] },
  }),
  status({
    status: {
      loadBalancer: {
        ingress: [
          { ip: 'x' },
          { hostname: '1.2.3.4', ipMode: 'VIP' },
          { ip: '1.2.3.4', ipMode: 'F' },
        ],
      },
    },
  }),
  status({ metadata: { uid: 'other' }, status: { loadBalancer: { ingress: null } } }),
  status({ metadata: { annotations: { a: null } }, status: { loadBalancer: { ingress: null } } }),
  status({ status: { conditions: [{ type: 'a/b', $patch: 'delete' }] } }),
  again({ type: 'LoadBalancer', loadBalancerClass: 'bar', ports: port80 }),
  again({
    type: 'LoadBalancer',
    loadBalancerClass: 'foo',
    ports: [...port80, { name: 'b', port: 81 }],
  }),
  again({
    type: 'LoadBalancer',
    loadBalancerClass: 'foo',
    ports: port80,
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 30555,
  }),
  again({ ports: port80 }),
  status({ status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } }),
  again({ clusterIP: '10.96.0.9', ports: port80 }),
  again({ ipFamilyPolicy: 'SingleStack', clusterIP: '10.96.0.9', ports: port80 }),
  again({ clusterIP: 'None', ports: port80 }),
  again({ type: 'NodePort', ipFamilyPolicy: 'SingleStack', ports: port80 }),
  again({ type: 'NodePort', ipFamilyPolicy: 'RequireDualStack', ports: port80 }),
  again({ type: 'ExternalName', externalName: 'a.b.' }),
  again({ ports: port80 }),
  patch(`${services}/x`, { spec: { ports: [{ port: 81, name: 'q' }] } }, 'strategic'),
  remove(`${services}/x`),
  remove(`${services}/x`),
]

const pools = '/apis/metallb.io/v1beta1/namespaces/NS/ipaddresspools'
const typed = { apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool' }
const pool = (name: string, spec: Json, meta: Json = {}): Json => ({
  ...typed,
  metadata: { name, ...meta },
  spec,
})
const addresses = ['192.0.2.0/24']
const whole = { assignedIPv4: 1, assignedIPv6: 0, availableIPv4: 1, availableIPv6: 2 }

const custom: readonly Step[] = [
  post(pools, {
    ...pool('p', { addresses, foo: 1 }, { foo: 1, finalizers: ['foo'] }),
    status: whole,
  }),
  post(`${pools}?fieldValidation=Strict`, pool('q', { addresses, foo: 1 }, { foo: 1 })),
  post(pools, { ...typed }),
  post(pools, pool('Q_', {})),
  post(pools, pool('q', { addresses, autoAssign: 'x' })),
  roughly(post(pools, pool('q', { addresses }, { labels: { a: 1 } }))),
  post(pools, pool('p', { addresses })),
  put(`${pools}/p`, pool('p', { addresses })),
  put(`${pools}/p`, pool('p', { addresses }, { resourceVersion: '1' })),
  put(`${pools}/p/status`, pool('p', { addresses })),
  patch(`${pools}/p`, { metadata: { uid: 'x' } }),
  patch(`${pools}/p`, { spec: { addresses: 1 } }),
  patch(`${pools}/p`, { spec: { foo: 1 } }),
  patch(`${pools}/p`, { spec: { autoAssign: false } }),
  patch(`${pools}/p`, { metadata: { labels: { a: 'b' } } }),
  patch(`${pools}/p`, { status: whole }),
  patch(`${pools}/p`, { spec: { autoAssign: null } }),
  patch(`${pools}/p/status`, { status: { assignedIPv4: 'x' } }),
  patch(`${pools}/p/status`, { metadata: { labels: { x: 'y' } }, status: { ...whole, foo: 3 } }),
  patch(
    `${pools}/p?fieldManager=m`,
    { ...typed, metadata: { name: 'p' }, spec: { addresses: [] } },
    'apply',
  ),
  patch(
    `${pools}/p?fieldManager=m&force=true`,
    { ...typed, metadata: { name: 'p' }, spec: { addresses: [] } },
    'apply',
  ),
  remove(`${pools}/p`),
  patch(`${pools}/p`, { metadata: { finalizers: null } }),
  remove(`${pools}/p`),
]

const peers = '/apis/metallb.io/v1beta2/namespaces/NS/bgppeers'
const peer = (spec: Json): Step =>
  post(peers, {
    apiVersion: 'metallb.io/v1beta2',
    kind: 'BGPPeer',
    metadata: { name: 'p' },
    spec: { myASN: 1, peerASN: 2, peerAddress: '10.0.0.1', ...spec },
  })

const rules: readonly Step[] = [
  peer({ connectTime: '0s' }),
  peer({ connectTime: '0.5s' }),
  peer({ connectTime: 'x' }),
  peer({ connectTime: '0s', holdTime: 5 }),
  peer({ enableGracefulRestart: true, connectTime: '10s' }),
  patch(`${peers}/p`, { spec: { enableGracefulRestart: false } }),
  patch(`${peers}/p`, { spec: { enableGracefulRestart: null } }),
  post('/apis/metallb.io/v1beta1/namespaces/NS/bgpadvertisements', {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'BGPAdvertisement',
    metadata: { name: 'p' },
    spec: { aggregationLength: 24, serviceSelectors: [{}] },
  }),
]

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const crd = (spec: Json = {}, names: Json = {}, name = 'foos.x.dev'): Json => ({
  metadata: { name },
  spec: {
    group: 'x.dev',
    scope: 'Cluster',
    names: { kind: 'Foo', plural: 'foos', ...names },
    versions: [version({ type: 'object' })],
    ...spec,
  },
})
const version = (schema: Json | undefined, more: Json = {}): Json => ({
  name: 'v1',
  served: true,
  storage: true,
  ...(schema === undefined ? {} : { schema: { openAPIV3Schema: schema } }),
  ...more,
})
const withSchema = (schema: Json | undefined, more: Json = {}): Json =>
  crd({ versions: [version(schema, more)] })
const fields = (properties: Json): Json => withSchema({ type: 'object', properties })
const text = { type: 'string' }
const keyed = (more: Json): Json => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  items: { type: 'object', properties: { k: { type: 'string' } } },
  ...more,
})

const definitions: readonly Step[] = [
  post(crds, crd({}, {}, 'bar.x.dev')),
  roughly(post(crds, withSchema({ type: 'object' }, { storage: false }))),
  post(crds, withSchema(undefined)),
  post(crds, withSchema({})),
  post(crds, withSchema({ type: 'string' })),
  post(
    crds,
    fields({
      a: {},
      b: { type: 'array' },
      e: { type: 'array', items: {} },
      f: { type: 'string', pattern: '(' },
      metadata: { type: 'object', properties: { labels: { type: 'object' } } },
    }),
  ),
  post(crds, fields({ c: { type: 'foo' } })),
  post(
    crds,
    fields({ d: { type: 'object', additionalProperties: text, properties: { x: text } } }),
  ),
  post(
    crds,
    fields({
      a: {
        type: 'object',
        anyOf: [{ type: 'object', properties: { x: text } }],
        not: { description: 'x', default: 1, nullable: true, 'x-kubernetes-int-or-string': true },
      },
    }),
  ),
  post(crds, withSchema({ type: 'object', anyOf: [{ properties: { x: { minLength: 1 } } }] })),
  post(crds, fields({ a: keyed({}) })),
  post(crds, fields({ b: keyed({ 'x-kubernetes-list-map-keys': ['q'] }) })),
  post(crds, fields({ c: keyed({ 'x-kubernetes-list-map-keys': ['k'] }) })),
  post(crds, fields({ d: { type: 'string', 'x-kubernetes-list-type': 'set' } })),
  post(crds, fields({ e: { type: 'array', uniqueItems: true, items: text } })),
  post(crds, fields({ a: { type: 'string', default: 5 } })),
  post(crds, fields({ b: { type: 'object', default: { x: 1 }, properties: { y: text } } })),
  post(
    crds,
    crd({ group: 'nodot', scope: 'Foo' }, { kind: 'foo bar', plural: 'Foos', shortNames: ['A'] }),
  ),
  post(crds, crd({}, { kind: '', plural: '' })),
  post(
    crds,
    withSchema(
      { type: 'object' },
      { additionalPrinterColumns: [{ name: '', type: 'foo', jsonPath: 'x' }, { name: 'a' }] },
    ),
  ),
  post(crds, withSchema({ type: 'object' }, { deprecationWarning: 'x' })),
  post(crds, crd({ conversion: { strategy: 'Webhook' } })),
  post(crds, crd({ conversion: { strategy: 'Foo' } })),
  post(crds, crd({ preserveUnknownFields: true })),
  post(crds, crd({ group: 'foo.k8s.io' }, {}, 'foos.foo.k8s.io')),
  roughly(post(crds, crd()), 'code'),
  patch(`${crds}/foos.x.dev`, {
    spec: { group: 'y.dev', names: { plural: 'bars' } },
  }),
  patch(`${crds}/foos.x.dev`, {
    spec: { versions: [{ ...version({ type: 'object' }), name: 'v2' }] },
  }),
  put(`${crds}/foos.x.dev`, crd()),
  roughly(remove(`${crds}/foos.x.dev`), 'code'),
]

const groups: Readonly<Record<string, readonly Step[]>> = {
  metadata,
  writing,
  going,
  kinds,
  workloads,
  'service checks': serviceChecks,
  'service kinds': serviceKinds,
  'service changes': serviceChanges,
  custom,
  rules,
  definitions,
}

type Recorded = Readonly<Record<string, readonly Answer[]>>

describe.skipIf(server !== undefined)('as Kubernetes answers', async () => {
  const recorded: Recorded = server === undefined ? JSON.parse(readFileSync(file, 'utf8')) : {}
  test.each(Object.keys(groups))('%s', async (group) => {
    const stand = await WritesStand.start()
    await stand.installCrds()
    await stand.create('/api/v1/namespaces', { metadata: { name: namespace(group) } })
    const steps = groups[group] ?? []
    for (const [index, step] of steps.entries()) {
      const asked = inside(step, namespace(group))
      const [ours, theirs] = [plain(await stand.ask(asked), asked), recorded[group]?.[index]]
      const { compares = 'all' } = step
      const title = `${step.method} ${step.path} ${JSON.stringify(step.body)?.slice(0, 200)}`
      if (compares === 'all') expect({ title, ...ours }).toEqual({ title, ...theirs })
      else
        expect({ title, ...summary(ours, compares) }).toEqual({
          title,
          ...summary(theirs, compares),
        })
    }
    expect(stand.failures).toEqual([])
  })
})

test.runIf(server !== undefined)(
  'ask a Kubernetes, and keep its answers',
  { timeout: 300_000 },
  async () => {
    const answers: Record<string, Answer[]> = {}
    for (const [group, steps] of Object.entries(groups)) {
      const name = namespace(group)
      await overTheWire(post('/api/v1/namespaces', { metadata: { name } }))
      const given: Answer[] = []
      for (const step of steps) {
        const asked = inside(step, name)
        given.push(plain(await overTheWire(asked), asked))
      }
      answers[group] = given
    }
    writeFileSync(file, `${JSON.stringify(answers, undefined, 2)}\n`)
  },
)

const inside = (step: Step, name: string): Step =>
  JSON.parse(JSON.stringify(step).replaceAll('NS', name))

function summary(answer: Answer | undefined, compares: Step['compares']): object {
  const { code, body } = answer ?? {}
  if (compares === 'code') return { code }
  const { reason, details } = (body ?? {}) as { reason?: string; details?: { causes?: Json[] } }
  const causes = details?.causes?.map(({ message: _, ...rest }) => rest)
  return { code, reason, ...(causes === undefined ? {} : { causes }) }
}

/** Without what is different every time, unless the request says it. */
function plain({ code, body, warnings }: Answer, asked: Step): Answer {
  const said = JSON.stringify(asked)
  const unless = (word: string) => (found: string) => (said.includes(found) ? found : word)
  const text = JSON.stringify(body ?? null)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, unless('TIME'))
    .replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"1"')
    .replace(/(in record|object meta:) \(?\d+\)?/g, '$1 REVISION')
    .replace(/10\.(9[6-9]|1[01]\d)\.\d+\.\d+/g, unless('10.96.0.0'))
    .replace(/fd00:10:96::[0-9a-f]+/g, unless('fd00:10:96::'))
    .replace(/:3[0-2]\d\d\d\b/g, (found) => (said.includes(found) ? found : ':30000'))
  return { code, body: JSON.parse(text), warnings }
}

const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}

function overTheWire({ method, path, body, type }: Step): Promise<Answer> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = {
    'Content-Length': Buffer.byteLength(text),
    Authorization: `Bearer ${token}`,
    'User-Agent': 'tester/1',
    'Content-Type': type === undefined ? 'application/json' : types[type],
  }
  const options = { method, headers, rejectUnauthorized: false }
  return new Promise((resolve, reject) => {
    const asked = request(`${server}${path}`, options, async (response) => {
      const answer = (await Array.fromAsync(response.setEncoding('utf8'))).join('')
      const warnings = (response.headersDistinct['warning'] ?? []).map((one) =>
        JSON.parse(one.slice(one.indexOf('"'))),
      )
      resolve({ code: response.statusCode ?? 0, body: JSON.parse(answer), warnings })
    })
    asked.on('error', reject)
    asked.end(text)
  })
}
