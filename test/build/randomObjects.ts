// Which objects meet each other in every way that decisions know? A small town: a few pools,
// tenants, namespaces and Services with few ports and keys, so that they collide all the time.
import fc from 'fast-check'
import type { Json } from '../../src/core/model/json.ts'

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

/** In so many of twelve cases; otherwise absent. */
const some = <T>(twelfths: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 12 - twelfths },
    { arbitrary, weight: twelfths },
  )
/** The ordinary value, and in so many of twelve cases another. */
const mostly = <T>(usual: T, twelfths: number, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof(
    { arbitrary: fc.constant(usual), weight: 12 - twelfths },
    { arbitrary: other, weight: twelfths },
  )

const given = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const block = (number: number): string[][] => [
  [`10.0.${number}.0/30`],
  [`10.0.${number}.0/30`, `fd0${number}::/127`],
  [`10.0.${number}.0/31`, `fd0${number}::/126`],
  [`10.0.${number}.254-10.0.${number}.255`, `10.0.${number}.8/31`],
  [`10.0.${number}.1/32`, `fd0${number}::4/128`],
  [`10.0.${number}.4/32`],
  [`fd0${number}::/127`],
]
const ranges = (number: fc.Arbitrary<number>): fc.Arbitrary<string[]> =>
  number.chain((chosen) => fc.constantFrom(...block(chosen)))

/** What a Service may ask for, a person reserve or a node have: inside pools, beside, nowhere. */
const addresses = fc.oneof(
  fc
    .tuple(fc.nat(3), fc.constantFrom(0, 1, 2, 4, 8, 254, 255))
    .map(([pool, host]) => `10.0.${pool}.${host}`),
  fc.tuple(fc.nat(3), fc.constantFrom('', '1', '4')).map(([pool, host]) => `fd0${pool}::${host}`),
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
      .map(([operator, listed]) => ({ matchExpressions: [{ key, operator, values: listed }] })),
  )

const allocation: fc.Arbitrary<Json> = fc
  .record({
    priority: fc.nat(2),
    namespaces: some(5, fc.subarray([...namespaces], { minLength: 1 })),
    namespaceSelectors: some(
      3,
      labelSelector('team', teams).map((one) => [one]),
    ),
    serviceSelectors: some(
      3,
      labelSelector('app', apps).map((one) => [one]),
    ),
  })
  .map(given)

export const pool = (name: string, number: fc.Arbitrary<number>): fc.Arbitrary<Json> =>
  fc
    .record({
      addresses: ranges(number),
      autoAssign: mostly(true, 1, fc.constant(false)),
      avoidBuggyIPs: mostly(false, 2, fc.constant(true)),
      serviceAllocation: some(3, allocation),
      serves: some(4, fc.constantFrom('net', 'net,store', 'store')),
      whenFull: some(3, fc.constantFrom('wait', 'next', 'often')),
      tenant: some(3, fc.constantFrom(...tenantNames, ...tenantNames, 'ghost')),
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
      autoAssign: mostly(true, 1, fc.constant(false)),
      last: fc.constantFrom(10, 11, 12),
      gateway: some(3, fc.constantFrom(`172.16.${number}.1`)),
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
      selector: some(5, labelSelector('team', teams)),
      services: some(4, fc.constant([`s${6 + number}`])),
      quota: some(6, fc.nat(4)),
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

const [four, six] = ['10.96.0.9', 'fd00:96::9']
const familyFields = (ipFamilyPolicy: string, clusterIPs: readonly string[]): Json => ({
  ipFamilyPolicy,
  clusterIPs,
  ipFamilies: clusterIPs.map((ip) => (ip === four ? 'IPv4' : 'IPv6')),
})
const families = mostly(
  familyFields('SingleStack', [four]),
  4,
  fc.constantFrom(
    familyFields('SingleStack', [six]),
    familyFields('PreferDualStack', [four]),
    familyFields('PreferDualStack', [four, six]),
    familyFields('PreferDualStack', [six, four]),
    familyFields('RequireDualStack', [four, six]),
  ),
)
const ports = [
  { name: 'http', port: 80, protocol: 'TCP' },
  { name: 'https', port: 443, protocol: 'TCP' },
  { name: 'dns', port: 53, protocol: 'UDP' },
  { name: 'quic', port: 443, protocol: 'UDP' },
]
const asked = fc.oneof(
  { arbitrary: addresses, weight: 9 },
  { arbitrary: fc.tuple(addresses, addresses).map((pair) => pair.join(',')), weight: 2 },
  { arbitrary: fc.constant('not-an-address'), weight: 1 },
)

/** What another controller may have written before us, or beside us (R3.9, M12.2). */
const shown = fc
  .array(
    fc.oneof(
      { arbitrary: addresses.map((ip) => ({ ip })), weight: 5 },
      fc.constant({ hostname: 'lb.example' }),
    ),
    {
      minLength: 1,
      maxLength: 2,
    },
  )
  .map((ingress) => ({ loadBalancer: { ingress } }))

export const service = (name: string): fc.Arbitrary<Json> =>
  fc
    .record({
      families,
      ports: fc.subarray(ports, { minLength: 1, maxLength: 2 }),
      app: mostly('web', 3, fc.constantFrom(...apps)),
      key: some(8, mostly('k1', 2, fc.constant('k2'))),
      isLocal: mostly(false, 2, fc.constant(true)),
      pool: some(
        2,
        fc.constantFrom(...poolNames, 'net', 'net', 'net', 'store', 't0-net', 'nowhere'),
      ),
      byAnnotation: some(1, asked),
      byField: some(1, fc.constantFrom('10.0.0.1', '10.0.1.0', '10.9.0.10')),
      type: mostly('LoadBalancer', 1, fc.constant('ClusterIP')),
      ofAnotherClass: mostly(false, 1, fc.boolean()),
      shown: some(1, shown),
    })
    .map((chosen) => ({
      ...(chosen.shown === undefined ? {} : { status: chosen.shown }),
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

export const addressId: fc.Arbitrary<string> = addresses.map(
  (text) => `Address/${addressName(text)}`,
)

export const node = (name: string): fc.Arbitrary<Json> =>
  fc.array(addresses, { maxLength: 2 }).map((own) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: { addresses: own.map((text) => ({ type: 'InternalIP', address: text })) },
  }))

export const namespace = (name: string): fc.Arbitrary<Json> =>
  some(9, fc.constantFrom(...teams)).map((team) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: given({ team }) },
  }))
