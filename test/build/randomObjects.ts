// Which objects meet each other in every way that decisions know? A small town: a few pools, tenants,
// namespaces and Services with few ports and keys, so that random objects collide all the time.
import fc from 'fast-check'
import type { Json } from '../../src/core/sim/json.ts'

const ownNamespace = 'metallb-system'
export const namespaces = ['a', 'b', 'c'] as const
export const serviceNames = ['s0', 's1', 's2', 's3', 's4', 's5', 's6', 's7'] as const
export const poolNames = ['p0', 'p1', 'p2', 'p3'] as const
export const tenantNames = ['t0', 't1'] as const
export const nodeNames = ['n0', 'n1'] as const
const teams = ['red', 'blue'] as const
const apps = ['web', 'db'] as const

/** A Service's namespace follows from its number, so that a name means one object. */
export const namespaceOf = (service: string): string =>
  namespaces[Number(service.slice(1)) % namespaces.length] ?? 'a'

/** Rare enough to leave the ordinary case common, frequent enough to meet the others. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>, weight = 3): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 9 }, { arbitrary, weight })

const given = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const block = (number: number): string[][] => [
  [`10.0.${number}.0/30`],
  [`10.0.${number}.254-10.0.${number}.255`, `10.0.${number}.8/31`],
  [`10.0.${number}.4/32`],
  [`fd0${number}::/127`],
  [`10.0.${number}.0/31`, `fd0${number}::/127`],
  [`10.0.${number}.1/32`, `fd0${number}::4/128`],
]
const ranges = (number: fc.Arbitrary<number>): fc.Arbitrary<string[]> =>
  number.chain((chosen) => fc.constantFrom(...block(chosen)))

/** What a Service may ask for, a person reserve or a node have: inside pools, beside, nowhere. */
const addresses = fc.oneof(
  fc
    .tuple(fc.nat(3), fc.constantFrom(0, 1, 2, 4, 8, 254, 255))
    .map(([pool, host]) => `10.0.${pool}.${host}`),
  fc
    .tuple(fc.nat(3), fc.constantFrom('', '1', '4'))
    .map(([pool, host]) => `fd0${pool}::${host}`),
  fc
    .tuple(fc.nat(1), fc.constantFrom(10, 11, 12))
    .map(([tenant, host]) => `172.16.${tenant}.${host}`),
  fc.constantFrom('10.9.0.10', '10.9.0.11', '10.9.0.99', '192.0.2.1'),
)

const labelSelector = (key: string, values: readonly string[]): fc.Arbitrary<Json> =>
  fc.oneof(
    fc.constantFrom(...values).map((value) => ({ matchLabels: { [key]: value } })),
    fc
      .tuple(fc.constantFrom('In', 'NotIn'), fc.subarray([...values], { minLength: 1 }))
      .map(([operator, some]) => ({ matchExpressions: [{ key, operator, values: some }] })),
  )

const allocation: fc.Arbitrary<Json> = fc
  .record({
    priority: fc.nat(2),
    namespaces: seldom(fc.subarray([...namespaces], { minLength: 1 }), 6),
    namespaceSelectors: seldom(labelSelector('team', teams).map((one) => [one])),
    serviceSelectors: seldom(labelSelector('app', apps).map((one) => [one])),
  })
  .map(given)

export const pool = (name: string, number: fc.Arbitrary<number>): fc.Arbitrary<Json> =>
  fc
    .record({
      addresses: ranges(number),
      autoAssign: fc.oneof({ arbitrary: fc.constant(true), weight: 4 }, fc.boolean()),
      avoidBuggyIPs: fc.oneof({ arbitrary: fc.constant(false), weight: 2 }, fc.boolean()),
      serviceAllocation: seldom(allocation),
      serves: seldom(fc.constantFrom('net', 'net,store', 'store')),
      whenFull: seldom(fc.constantFrom('wait', 'next', 'often')),
      tenant: seldom(fc.constantFrom(...tenantNames, 'ghost')),
    })
    .map(({ serves, whenFull, tenant, ...spec }) => ({
      apiVersion: 'metallb.io/v1beta1',
      kind: 'IPAddressPool',
      metadata: {
        name,
        namespace: ownNamespace,
        labels: given({ 'berth.dev/tenant': tenant }),
        annotations: given({ 'berth.dev/serves': serves, 'berth.dev/when-full': whenFull }),
      },
      spec: given(spec),
    }))

const network = (number: number): fc.Arbitrary<Json> =>
  fc
    .record({
      isDual: fc.boolean(),
      autoAssign: fc.oneof({ arbitrary: fc.constant(true), weight: 4 }, fc.boolean()),
      last: fc.constantFrom(10, 11, 12),
      gateway: seldom(fc.constant(`172.16.${number}.1`)),
    })
    .map(({ isDual, last, ...rest }) =>
      given({
        name: 'net',
        cidrs: [`172.16.${number}.0/24`, ...(isDual ? [`fd16:${number}::/64`] : [])],
        translateFrom: ['10.9.0.0/24'],
        loadBalancer: [
          `172.16.${number}.10-172.16.${number}.${last}`,
          ...(isDual ? [`fd16:${number}::10/127`] : []),
        ],
        ...rest,
      }),
    )

export const tenant = (name: string, listed: readonly string[]): fc.Arbitrary<Json> => {
  const number = Number(name.slice(1))
  return fc
    .record({
      names: fc.subarray([...listed], { minLength: 0 }),
      selector: seldom(labelSelector('team', teams), 6),
      services: seldom(fc.constant([`s${6 + number}`])),
      quota: seldom(fc.nat(4), 9),
      openPools: fc.boolean(),
      requestedAddresses: fc.constantFrom('Strict', 'Translate', 'Ignore'),
      networks: fc.array(network(number), { maxLength: 1 }),
      mayGo: fc.boolean(),
    })
    .map(({ names, selector, services = [], quota, mayGo, ...spec }) => ({
      apiVersion: 'berth.dev/v1alpha1',
      kind: 'Tenant',
      metadata: { name, annotations: given(mayGo ? { 'berth.dev/allow-delete': 'true' } : {}) },
      spec: {
        ...spec,
        namespaces: given({ names, selector }),
        services: services.map((one) => ({ namespace: namespaceOf(one), name: one })),
        ...(quota === undefined ? {} : { quota: { addresses: quota } }),
      },
    }))
}

const dual = ['10.96.0.9', 'fd00:96::9']
const families = fc.oneof(
  { arbitrary: fc.constant({ ipFamilyPolicy: 'SingleStack', clusterIPs: ['10.96.0.9'] }), weight: 4 },
  fc.constant({ ipFamilyPolicy: 'SingleStack', clusterIPs: ['fd00:96::9'] }),
  fc.constant({ ipFamilyPolicy: 'PreferDualStack', clusterIPs: ['10.96.0.9'] }),
  fc.constant({ ipFamilyPolicy: 'PreferDualStack', clusterIPs: dual, ipFamilies: ['IPv4', 'IPv6'] }),
  fc.constant({ ipFamilyPolicy: 'PreferDualStack', clusterIPs: dual, ipFamilies: ['IPv6', 'IPv4'] }),
  fc.constant({ ipFamilyPolicy: 'RequireDualStack', clusterIPs: dual }),
)
const ports = [
  { name: 'http', port: 80, protocol: 'TCP' },
  { name: 'https', port: 443, protocol: 'TCP' },
  { name: 'dns', port: 53, protocol: 'UDP' },
]
const asked = fc.oneof(
  { arbitrary: addresses, weight: 4 },
  fc.tuple(addresses, addresses).map((pair) => pair.join(',')),
  fc.constant('not-an-address'),
)

export const service = (name: string): fc.Arbitrary<Json> =>
  fc
    .record({
      families,
      ports: fc.subarray(ports, { minLength: 1 }),
      app: fc.constantFrom(...apps),
      key: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined }),
      isLocal: fc.oneof({ arbitrary: fc.constant(false), weight: 2 }, fc.boolean()),
      pool: seldom(fc.constantFrom(...poolNames, 'net', 'store', 't0-net', 'nowhere')),
      byAnnotation: seldom(asked),
      byField: seldom(fc.constantFrom('10.0.0.1', '10.0.1.0', '10.9.0.10'), 1),
      type: fc.oneof({ arbitrary: fc.constant('LoadBalancer'), weight: 8 }, fc.constant('ClusterIP')),
      ofAnotherClass: fc.oneof({ arbitrary: fc.constant(false), weight: 8 }, fc.boolean()),
    })
    .map((chosen) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name,
        namespace: namespaceOf(name),
        labels: { app: chosen.app },
        annotations: given({
          'metallb.io/allow-shared-ip': chosen.key,
          'metallb.io/address-pool': chosen.pool,
          'metallb.io/loadBalancerIPs': chosen.byAnnotation,
        }),
      },
      spec: given({
        ...chosen.families,
        type: chosen.type,
        ports: chosen.ports,
        selector: { app: chosen.app },
        loadBalancerIP: chosen.byField,
        loadBalancerClass: chosen.ofAnotherClass ? 'other' : undefined,
        externalTrafficPolicy:
          chosen.type === 'ClusterIP' ? undefined : chosen.isLocal ? 'Local' : 'Cluster',
      }),
    }))

/** An IPv6 address as its object is called: eight groups joined by hyphens (R3). */
export function addressName(text: string): string {
  if (!text.includes(':')) return text
  const [head = '', tail = ''] = text.split('::')
  const groups = (part: string) => part.split(':').filter((group) => group !== '')
  const missing = 8 - groups(head).length - groups(tail).length
  return [...groups(head), ...new Array<string>(missing).fill('0'), ...groups(tail)].join('-')
}

/** Reserved for somebody, or kept free by a person (R3.2, R3.3). */
export const address: fc.Arbitrary<Json> = fc
  .tuple(addresses, fc.option(fc.constantFrom(...serviceNames), { nil: undefined, freq: 5 }))
  .map(([text, name]) => ({
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'Address',
    metadata: { name: addressName(text) },
    spec: given({
      address: text,
      reservedFor: name === undefined ? undefined : { namespace: namespaceOf(name), name },
    }),
  }))

export const addressId: fc.Arbitrary<string> = addresses.map((text) => `Address/${addressName(text)}`)

export const node = (name: string): fc.Arbitrary<Json> =>
  fc.array(addresses, { maxLength: 2 }).map((some) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: { addresses: some.map((text) => ({ type: 'InternalIP', address: text })) },
  }))

export const namespace = (name: string): fc.Arbitrary<Json> =>
  seldom(fc.constantFrom(...teams), 9).map((team) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: given({ team }) },
  }))
