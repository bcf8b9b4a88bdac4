// How are custom kinds written, and the definitions of them?
import { type Json, patch, post, put, remove, roughly, type Step } from './recordedSteps.ts'

const pools = '/apis/metallb.io/v1beta1/namespaces/NS/ipaddresspools'
const typed = { apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool' }
const pool = (name: string, spec: Json, meta: Json = {}): Json => ({
  ...typed,
  metadata: { name, ...meta },
  spec,
})
const addresses = ['192.0.2.0/24']
const whole = { assignedIPv4: 1, assignedIPv6: 0, availableIPv4: 1, availableIPv6: 2 }

export const custom: readonly Step[] = [
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

export const rules: readonly Step[] = [
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

export const definitions: readonly Step[] = [
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
