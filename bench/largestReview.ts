// How long does the largest question that an API server passes on hold up the controller's loop?
// Prints a line for each: bytes of the request, milliseconds of this thread to read and to answer
// it, beside 1,000 tenants and 5,000 Services. The figures are in docs/bench/reviews.md.
import process from 'node:process'
import { webhookRoutes } from '../src/app/controller/webhookRoutes.ts'
import { ownCrds } from '../src/app/up/definitions.ts'
import type { JsonObject } from '../src/core/model/gate.ts'
import { World } from '../src/core/model/world.ts'
import { check, checkDelete } from '../src/core/policy/check/check.ts'
import { foresee } from '../src/core/policy/check/foresee.ts'
import { admission } from '../src/edge/kube/admission.ts'
import { decode } from '../src/edge/kube/decode/decode.ts'

/** Of one object, as etcd takes it; a review holds two. */
const largestBytes = 1_500_000
/** The largest object that is validated. */
const reviewedBytes = 256 * 1024 - 2_000
const ownNamespace = 'metallb-system'
const settings = { ownNamespace, loadBalancerClass: '' }

type Largest = { readonly name: string; readonly path: string; readonly object: JsonObject }
type Question = { readonly name: string; readonly path: string; readonly json: JsonObject }

/** As many items as there is room for. */
const filling =
  (bytes: number): Many =>
  (item) => {
    const items: ReturnType<typeof item>[] = []
    for (let used = 0; used < bytes - 2_000; ) {
      const one = item(items.length)
      used += JSON.stringify(one).length + 1
      items.push(one)
    }
    return items
  }
type Many = <T>(item: (index: number) => T) => T[]
const address = (at: number) => `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`
const metallb = (kind: string, spec: object, version = 'v1beta1'): Largest => ({
  ...{ name: kind, path: `/validate-metallb-io-${version}-${kind.toLowerCase()}` },
  object: {
    ...{ apiVersion: `metallb.io/${version}`, kind, spec },
    metadata: { name: 'largest', namespace: ownNamespace },
  },
})
const tenant = (name: string, spec: object): Largest => ({
  ...{ name: `Tenant, ${name}`, path: '/validate' },
  object: { apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', metadata: { name: 'big' }, spec },
})
const named = (largest: Largest, what: string): Largest => ({
  ...{ ...largest, name: `${largest.name}, ${what}` },
})
const labels = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key-${at}`, `value-${at}`]))
const peer = { myASN: 64_512, peerASN: 64_513, peerAddress: '10.0.0.1' }

const largest = (many: Many, bytes: number): readonly Largest[] => [
  named(metallb('IPAddressPool', { addresses: many((at) => `${address(at)}/32`) }), 'addresses'),
  named(metallb('IPAddressPool', { addresses: many(() => '10.0.0.0/8') }), 'the same again'),
  named(
    metallb('IPAddressPool', {
      addresses: ['10.0.0.0/24'],
      serviceAllocation: { namespaces: many((at) => `namespace-${at}`) },
    }),
    'namespaces',
  ),
  named(
    metallb('IPAddressPool', { addresses: ['10.0.0.0/24'], ...labels(Math.floor(bytes / 28)) }),
    'unknown',
  ),
  named(metallb('L2Advertisement', { ipAddressPools: many((at) => `pool-${at}`) }), 'pools'),
  named(metallb('L2Advertisement', { interfaces: many((at) => `eth${at}`) }), 'interfaces'),
  named(
    metallb('L2Advertisement', {
      nodeSelectors: many((at) => ({ matchLabels: { 'kubernetes.io/hostname': `node-${at}` } })),
    }),
    'selectors',
  ),
  named(
    metallb('BGPAdvertisement', { communities: many((at) => `${at & 65_535}:1`) }),
    'communities',
  ),
  named(metallb('BGPAdvertisement', { peers: many((at) => `peer-${at}`) }), 'peers'),
  named(
    metallb('Community', { communities: many((at) => ({ name: `c${at}`, value: '1:1' })) }),
    'communities',
  ),
  named(
    metallb(
      'BGPPeer',
      { ...peer, nodeSelectors: many((at) => ({ matchLabels: { a: `n${at}` } })) },
      'v1beta2',
    ),
    'selectors',
  ),
  tenant('namespaces', { namespaces: { names: many((at) => `n${at}`) } }),
  tenant('services', { services: many((at) => `n${at}/s`) }),
  tenant('networks', {
    namespaces: { names: ['n'] },
    networks: many((at) => ({ name: `n${at}`, cidrs: [`${address(at << 4)}/28`] })),
  }),
  tenant('ranges', {
    namespaces: { names: ['n'] },
    networks: [{ name: 'n', cidrs: ['10.0.0.0/8'], hosts: many((at) => `${address(at * 2)}/32`) }],
  }),
  tenant('bad ranges', {
    namespaces: { names: ['n'] },
    networks: [{ name: 'n', cidrs: ['192.0.2.0/24'], hosts: many((at) => address(at * 2)) }],
  }),
]

const openstack = (kind: string, what: string, spec: object): Largest => ({
  ...{
    name: `${kind}, ${what}`,
    path: `/validate-network-openstack-org-v1beta1-${kind.toLowerCase()}`,
  },
  object: {
    ...{ apiVersion: 'network.openstack.org/v1beta1', kind, spec },
    metadata: { name: 'largest', namespace: 'tenant-1' },
  },
})
const subnetWith = (more: object) => ({
  networks: [{ name: 'n', subnets: [{ name: 's', cidr: '10.0.0.0/8', ...more }] }],
})

/** Of OpenStack's kinds, which tenants may write in their namespaces. */
const largestOfOpenstack = (many: Many): readonly Largest[] => [
  openstack('NetConfig', 'networks', {
    networks: many((at) => ({
      name: `n${at}`,
      subnets: [{ name: 's', cidr: `${address(at << 4)}/28` }],
    })),
  }),
  openstack('NetConfig', 'subnets', {
    networks: [
      { name: 'n', subnets: many((at) => ({ name: `s${at}`, cidr: `${address(at << 4)}/28` })) },
    ],
  }),
  openstack(
    'NetConfig',
    'ranges',
    subnetWith({
      allocationRanges: many((at) => ({ start: address(at * 4), end: address(at * 4 + 1) })),
    }),
  ),
  openstack('NetConfig', 'exclusions', {
    networks: [
      {
        name: 'n',
        subnets: [
          {
            ...{ name: 's', cidr: '10.0.0.0/8' },
            allocationRanges: [{ start: '10.0.0.1', end: '10.255.255.250' }],
            excludeAddresses: many((at) => address(at * 2 + 1)),
          },
        ],
      },
    ],
  }),
  openstack(
    'NetConfig',
    'routes',
    subnetWith({ routes: many((at) => ({ destination: '0.0.0.0/0', nexthop: address(at) })) }),
  ),
  openstack('IPSet', 'networks', {
    networks: many((at) => ({ name: `n${at}`, subnetName: 's', fixedIP: address(at) })),
  }),
  openstack('DNSData', 'hosts', {
    hosts: many((at) => ({ ip: address(at), hostnames: [`h${at}.example.com`] })),
  }),
  openstack('DNSData', 'names', {
    hosts: [{ ip: '10.0.0.1', hostnames: many((at) => `h${at}.a`) }],
  }),
  openstack('DNSMasq', 'options', {
    options: many((at) => ({ key: 'server', values: [`/h${at}.a/10.0.0.1`] })),
  }),
]

/** What fills in defaults is asked before. */
const completing = (one: Largest): Largest => ({
  ...one,
  name: `${one.name}, completed`,
  path: one.path.replace('/validate-', '/mutate-'),
})

const own = (at: number): JsonObject => ({
  ...{ apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', metadata: { name: `t${at}` } },
  spec: {
    namespaces: { names: [`tenant-${at}`] },
    networks: [{ name: 'n', cidrs: [`172.${16 + (at >> 8)}.${at & 255}.0/24`] }],
  },
})

const crowded = { addresses: ['11.0.0.0/16'] }
const inCrowd = (at: number): JsonObject => ({
  ...{ apiVersion: 'v1', kind: 'Service' },
  metadata: { name: `s${at}`, namespace: `n${at % 500}`, uid: `${at}` },
  spec: { type: 'LoadBalancer', clusterIPs: ['10.96.0.1'], ports: [{ port: 80 }] },
  status: { loadBalancer: { ingress: [{ ip: `11.0.${at >> 8}.${at & 255}` }] } },
})
const crowdedPool = {
  ...metallb('IPAddressPool', crowded).object,
  metadata: { name: 'crowded', namespace: ownNamespace },
}

function known(): World {
  const world = new World(settings)
  const some = <T>(count: number, make: (at: number) => T) =>
    Array.from({ length: count }, (_, at) => make(at))
  for (const json of [...some(1000, own), crowdedPool, ...some(5_000, inCrowd)]) {
    const decoded = decode(json)
    if (decoded.kind === 'view') world.apply({ type: 'upsert', view: decoded.view })
  }
  return world
}

/** The object twice, as a change of it is asked about. */
function review({ name, path, object }: Largest, operation = 'UPDATE'): Question {
  const [group, version] = String(object['apiVersion']).split('/')
  const before = { ...object, spec: { ...(object['spec'] as object), note: 'before' } }
  const request = {
    ...{ uid: 'u', kind: { group, version, kind: object['kind'] }, operation },
    ...{ object: operation === 'DELETE' ? null : object, oldObject: before },
  }
  const json = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }
  return { name, path, json }
}

function conversion(many: Many): Question {
  const objects = many(
    (at) => metallb('BGPPeer', { ...peer, peerAddress: address(at) }, 'v1beta2').object,
  )
  const request = { uid: 'u', desiredAPIVersion: 'metallb.io/v1beta1', objects }
  const json = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request }
  return { name: 'BGPPeer, a list of them', path: '/convert', json }
}

/** Many Services hold its addresses. */
const pools = metallb('IPAddressPool', {}).path
const concerning = (many: Many): readonly Question[] => [
  review({ name: 'IPAddressPool, gone', path: pools, object: crowdedPool }, 'DELETE'),
  review({
    ...{ name: 'IPAddressPool, in use', path: pools },
    object: { ...crowdedPool, spec: { addresses: many((at) => `${address(at)}/32`) } },
  }),
  review(tenant('every namespace', { namespaces: { selector: {} } })),
]

type Measured = { readonly name: string; readonly bytes: number; readonly ms: number }
type Measure = (question: Question) => Measured

function measuring(): Measure {
  const world = known()
  const gate = admission({ crds: ownCrds(), check, checkDelete, foresee, bgpMode: 'frr' })
  const routes = webhookRoutes({ gate, world: () => world, lastKnown: () => world })
  return ({ name, path, json }) => {
    const body = Buffer.from(JSON.stringify(json))
    const from = process.threadCpuUsage()
    const reply = routes.get(path)?.(body)
    const sent = JSON.stringify(reply?.json)
    const { user, system } = process.threadCpuUsage(from)
    if (reply?.status !== 200 || sent.length === 0) throw new Error(`${name} was not answered`)
    return { name, bytes: body.length, ms: (user + system) / 1000 }
  }
}

const questions: readonly Question[] = [
  ...largest(filling(reviewedBytes), reviewedBytes).map((one) => review(one)),
  ...[reviewedBytes, largestBytes].flatMap((bytes) => {
    const all = largestOfOpenstack(filling(bytes))
    const completed = all.filter(({ name }) => /^NetConfig|^DNSMasq/.test(name)).map(completing)
    return [...all, ...completed].map((one) => review(one))
  }),
  ...largest(filling(largestBytes), largestBytes).map((one) => review(one)),
  conversion(filling(1_000_000)),
  ...concerning(filling(reviewedBytes)),
]

const measure = measuring()
// Twice before, as after a minute of work; then the middle one of five.
for (const question of questions) for (let time = 0; time < 2; time++) measure(question)
for (const question of questions) {
  const times = Array.from({ length: 5 }, () => measure(question)).sort(
    (one, other) => one.ms - other.ms,
  )
  const { name, bytes, ms } = times[2] ?? measure(question)
  const [size, time] = [`${bytes} B`, `${ms.toFixed(1)} ms`]
  process.stdout.write(`${name.padEnd(32)} ${size.padStart(11)} ${time.padStart(10)}\n`)
}
