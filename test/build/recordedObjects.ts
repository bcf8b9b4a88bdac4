// How are objects written, whatever their kind, and the plain kinds?
import { type Json, patch, post, put, remove, roughly, type Step } from './recordedSteps.ts'

const maps = '/api/v1/namespaces/NS/configmaps'
const map = (name: string, more: Json = {}, metadata: Json = {}): Json => ({
  metadata: { name, ...metadata },
  ...more,
})
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u', controller: true }

export const metadata: readonly Step[] = [
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

export const writing: readonly Step[] = [
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

export const going: readonly Step[] = [
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

export const kinds: readonly Step[] = [
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

export const workloads: readonly Step[] = [
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
