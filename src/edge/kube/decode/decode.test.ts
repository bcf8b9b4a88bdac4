import { expect, test } from 'vitest'
import { range } from '../../../../test/build/wires.ts'
import type { View } from '../../../core/model/view.ts'
import { type Decoded, decode, groupOf } from './decode.ts'

type Object = { metadata?: object; spec?: object; [field: string]: unknown }
const decoded = (apiVersion: string, kind: string, { metadata, ...rest }: Object = {}): Decoded =>
  decode({
    apiVersion,
    kind,
    metadata: { name: 'x', namespace: 'metallb-system', ...metadata },
    ...rest,
  })

function view(apiVersion: string, kind: string, object: Object = {}): View {
  const result = decoded(apiVersion, kind, object)
  if (result.kind !== 'view') throw new Error(JSON.stringify(result))
  return result.view
}
const paths = (result: Decoded) =>
  result.kind === 'refused' ? result.errors.map(({ path }) => path) : result.kind

test.each([
  ['batch/v1', 'Job', 'unknown-group'],
  ['', '', 'held'],
  ['v1', 'Event', 'held'],
  ['network.openstack.org/v1beta1', 'IPSet', 'view'],
  ['metallb.io/v1beta1', 'ServiceL2Status', 'held'],
  ['berth.dev/v1alpha1', 'Site', 'view'],
  ['metallb.io/v1beta1', 'IPAdressPool', 'unknown-kind'],
  ['metallb.io/v1beta1', 'AddressPool', 'unknown-kind'],
  ['berth.dev/v1alpha1', 'Tennant', 'unknown-kind'],
  ['constructor/v1', 'constructor', 'unknown-group'],
])('%s %s is %s', (apiVersion, kind, answer) => {
  expect(decoded(apiVersion, kind).kind).toBe(answer)
})

test('the core group is empty', () => {
  expect([groupOf('v1'), groupOf('metallb.io/v1beta1')]).toEqual(['', 'metallb.io'])
})

const pool = (spec: object, metadata: object = {}) =>
  view('metallb.io/v1beta1', 'IPAddressPool', { metadata, spec })

test('[M1.1] a pool has its ranges in order, and defaults', () => {
  const addresses = ['10.0.0.5 - 10.0.0.9', '192.0.2.7/24', 'fd00::/120']
  expect(pool({ addresses }, { creationTimestamp: '2026-01-01T00:00:00Z' })).toMatchObject({
    name: 'x',
    createdAt: '2026-01-01T00:00:00Z',
    ranges: ['10.0.0.5-10.0.0.9', '192.0.2.0/24', 'fd00::/120'].map(range),
    autoAssign: true,
    avoidBuggyIPs: false,
    allocation: undefined,
    status: undefined,
  })
})

test('[M8.1 rule 16] every invalid entry is refused at its path', () => {
  const addresses = ['10.0.0.0/24', '10.0.1.0/33', '10.0.2.9-10.0.2.1', '10.0.3.1', 'x-y']
  const result = decoded('metallb.io/v1beta1', 'IPAddressPool', { spec: { addresses } })
  expect(paths(result)).toEqual([1, 2, 3, 4].map((index) => `spec.addresses[${index}]`))
})

test('[M1.1] an empty serviceAllocation is kept', () => {
  const none = { priority: 0, namespaces: [], namespaceSelectors: [], serviceSelectors: [] }
  expect(pool({ addresses: [], serviceAllocation: {} })).toMatchObject({ allocation: none })
})

test.each([
  ['internalapi', ['internalapi'], []],
  [' a, b ,c ', ['a', 'b', 'c'], []],
  ['a,,B,-c,d.e,', ['a'], ['B', '-c', 'd.e']],
  ['', [], []],
])('[R1.1] a pool serves %j: %j, and not %j', (text, serves, badServes) => {
  const annotations = { 'berth.dev/serves': text }
  expect(pool({ addresses: [] }, { annotations })).toMatchObject({ serves, badServes })
})

test("[R2.1] [R8.3] [R4.3] a pool's annotations and labels are kept as written", () => {
  const metadata = {
    annotations: { 'berth.dev/when-full': 'maybe', 'berth.dev/split': 'safe' },
    labels: { 'berth.dev/tenant': 'north' },
  }
  expect(pool({}, metadata)).toMatchObject({ whenFull: 'maybe', split: 'safe', tenant: 'north' })
})

const ours = { 'app.kubernetes.io/managed-by': 'berth' }
const owner = { apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', name: 'north' }
test.each([
  [ours, [owner], 'north', true],
  [{}, [owner], 'north', false],
  [ours, [{ ...owner, kind: 'Site' }], 'Site/north', true],
  [ours, [{ ...owner, apiVersion: 'example.com/v1' }, owner], 'north', true],
])('[R4.19] labels %j and owners %j: made from %j', (labels, owners, madeFrom, isOurs) => {
  const metadata = { labels, ownerReferences: owners }
  expect(pool({}, metadata)).toMatchObject({ madeFrom, isOurs })
})

const peerSpec = { myASN: 64500, peerASN: 64501, peerAddress: '2001:DB8::1' }
const peer = (spec: object, version = 'v1beta2') =>
  decoded(`metallb.io/${version}`, 'BGPPeer', { spec: { ...peerSpec, ...spec } })

test.each(['v1beta1', 'v1beta2'])('[M12.2] in %s an absent timer stays absent', (version) => {
  expect(peer({ holdTime: '1m30s' }, version)).toMatchObject({
    view: {
      peerAddress: '2001:db8::1',
      peerPort: 179,
      holdMs: 90_000,
      keepaliveMs: undefined,
      connectMs: undefined,
    },
  })
})

test.each([
  [{ peerAddress: '192.0.2.400' }, 'spec.peerAddress'],
  [{ routerID: 'the usual one' }, 'spec.routerID'],
  [{ sourceAddress: 'eth0' }, 'spec.sourceAddress'],
  [{ holdTime: '90' }, 'spec.holdTime'],
])('[M8.1 rule 8] %j is refused', (spec, path) => {
  expect(paths(peer(spec))).toEqual([path])
})

test("[M1.4] a peer's view says that it has a password, not which", () => {
  const result = peer({ password: 'hush', passwordSecret: { name: 'bgp', namespace: 'other' } })
  expect(result).toMatchObject({ view: { hasPassword: true, passwordSecret: 'bgp' } })
  expect(JSON.stringify(result)).not.toContain('hush')
})

test('[M1.2] [M1.3] advertisements and their defaults', () => {
  const selector = { matchLabels: { a: 'b' } }
  const preferred = [{ weight: 10, preference: selector }]
  const spec = { ipAddressPools: ['p'], preferredNodeSelectors: preferred, interfaces: ['eth0'] }
  expect(view('metallb.io/v1beta1', 'L2Advertisement', { spec })).toMatchObject({
    pools: ['p'],
    interfaces: ['eth0'],
    preferred: [{ weight: 10, preference: { ...selector, matchExpressions: [] } }],
  })
  expect(view('metallb.io/v1beta1', 'BGPAdvertisement', { spec: {} })).toMatchObject({
    pools: [],
    aggregationLength: 32,
    aggregationLengthV6: 128,
    localPref: 0,
  })
})

test('[M1.6] [M1.7] profiles and communities', () => {
  const profile = view('metallb.io/v1beta1', 'BFDProfile', { spec: { echoMode: true } })
  expect(profile).toMatchObject({ echoMode: true, passiveMode: false, receiveInterval: undefined })
  const communities = [{ name: 'bar', value: '1:2' }]
  const community = view('metallb.io/v1beta1', 'Community', { spec: { communities } })
  expect(community).toMatchObject({ aliases: communities })
})

test('[M8.1 rule 11] only the type and keys of a Secret are kept', () => {
  const secret = view('v1', 'Secret', {
    type: 'kubernetes.io/basic-auth',
    data: { username: 'eA==', password: 'aHVzaA==' },
    stringData: { password: 'hush' },
  })
  expect(secret).toMatchObject({ type: 'kubernetes.io/basic-auth', keys: ['password', 'username'] })
  expect(JSON.stringify(secret)).not.toMatch(/hush|aHVzaA/)
})

test('[R4.1] a Namespace has a label with its own name', () => {
  const metadata = { name: 'team-a', namespace: '', labels: { tenant: 'red' } }
  expect(view('v1', 'Namespace', { metadata })).toEqual({
    kind: 'Namespace',
    name: 'team-a',
    labels: { tenant: 'red', 'kubernetes.io/metadata.name': 'team-a' },
  })
})

test('[R6.3] [M5.3] what a Node says about itself', () => {
  const annotations = { 'berth.dev/interface-addresses': 'eth0=10.0.0.5/24, eth1 = fd00::5/64,bad' }
  const addresses = [{ address: '192.0.2.5' }, { address: 'host.example.com' }]
  const conditions = [{ type: 'Ready', status: 'False' }]
  const status = { addresses, conditions }
  expect(view('v1', 'Node', { metadata: { annotations }, status })).toMatchObject({
    isNetworkUnavailable: false,
    addresses: ['192.0.2.5'],
    annotated: [
      { interface: 'eth0', address: '10.0.0.5', prefixLength: 24 },
      { interface: 'eth1', address: 'fd00::5', prefixLength: 64 },
    ],
  })
  const cut = { conditions: [{ type: 'NetworkUnavailable', status: 'True' }] }
  expect(view('v1', 'Node', { status: cut })).toMatchObject({ isNetworkUnavailable: true })
})

const ready = (message: string) => ({ conditions: [{ type: 'Ready', status: 'False', message }] })

test.each([
  {
    what: 'nothing special',
    given: { status: ready('container runtime is down') },
    isGoing: false,
  },
  { what: 'a cordon', given: { spec: { unschedulable: true } }, isGoing: true },
  { what: 'a shutdown', given: { status: ready('node is shutting down') }, isGoing: true },
  {
    what: 'a deletion',
    given: { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
    isGoing: true,
  },
])('[R8.12] a Node with $what: going $isGoing', ({ given, isGoing }) => {
  expect(view('v1', 'Node', given)).toMatchObject({ isGoing })
})

test('[R8.5] what a speaker reports about its node', () => {
  const eth0 = { name: 'eth0', mac: 'aa:bb:cc:00:11:22', carrier: true, addresses: ['10.0.0.5/24'] }
  const reported = view('berth.dev/v1alpha1', 'NodeInterfaces', { spec: { interfaces: [eth0] } })
  expect(reported).toEqual({
    kind: 'NodeInterfaces',
    name: 'x',
    occupied: ['10.0.0.5'],
    interfaces: [
      {
        name: 'eth0',
        mac: 'aa:bb:cc:00:11:22',
        hasCarrier: true,
        addresses: [{ address: '10.0.0.5', prefixLength: 24 }],
      },
    ],
  })
})

const address = (spec: object) => decoded('berth.dev/v1alpha1', 'Address', { spec })

test('[R3.2] an Address, its reservation and its holders', () => {
  const holder = {
    kind: 'Service',
    namespace: 'openstack',
    name: 'keystone',
    uid: 'u',
    ports: ['TCP/5000'],
    backend: '',
  }
  const reservedFor = { namespace: 'openstack', name: 'keystone' }
  expect(address({ address: 'FD00::80', reservedFor, holders: [holder] })).toMatchObject({
    view: { address: 'fd00::80', reservedFor: 'openstack/keystone', holders: [holder] },
  })
  expect(address({ address: '10.0.0.1' })).toMatchObject({
    view: { reservedFor: undefined, isOurs: false },
  })
})

test.each([{ address: '172.17.0.300' }, { address: '10.0.0.1-10.0.0.2' }, {}, { address: 7 }])(
  '[R3.8] an Address of %j is refused',
  (spec) => {
    expect(paths(address(spec))).toEqual(['spec.address'])
  },
)

test('[R4] a Tenant and its defaults', () => {
  const network = {
    name: 'internalapi',
    cidrs: ['172.27.0.0/24'],
    loadBalancer: ['172.27.0.80/32'],
  }
  const spec = {
    namespaces: { names: ['a'], selector: { matchLabels: { tenant: 'a' } } },
    services: [{ namespace: 'logging', name: 'a' }],
    quota: { addresses: 40 },
    networks: [network],
    bgp: { myASN: 64999, peers: [{ address: '100.65.4.1', asn: 64999 }] },
  }
  const metadata = { annotations: { 'berth.dev/allow-delete': 'true' } }
  expect(view('berth.dev/v1alpha1', 'Tenant', { metadata, spec })).toMatchObject({
    namespaces: ['a'],
    selector: { matchLabels: { tenant: 'a' } },
    services: ['logging/a'],
    requestedAddresses: 'Strict',
    openPools: false,
    quota: 40,
    generate: ['Pools'],
    bgp: { myASN: 64999, peers: [{ address: '100.65.4.1', asn: 64999, passwordSecret: '' }] },
    mayBeDeleted: true,
    networks: [
      {
        announce: 'Layer2',
        autoAssign: true,
        vlan: undefined,
        loadBalancer: [range('172.27.0.80')],
        loadBalancerTexts: ['172.27.0.80/32'],
      },
    ],
  })
  expect(view('berth.dev/v1alpha1', 'Tenant', { spec: { generate: [] } })).toMatchObject({
    selector: undefined,
    quota: undefined,
    generate: [],
    mayBeDeleted: false,
  })
})

test('[R4.21] an invalid value in a network is refused at its path', () => {
  const networks = [{}, { cidrs: ['x'], gateway: 'y', hosts: ['10.0.0.1-10.0.0.2', 'z'] }]
  const result = decoded('berth.dev/v1alpha1', 'Tenant', { spec: { networks } })
  const at = 'spec.networks[1]'
  expect(paths(result)).toEqual([`${at}.cidrs[0]`, `${at}.gateway`, `${at}.hosts[1]`])
})

test('[R12.11] of an IPSet with too many networks the rest is not read', () => {
  const networks = Array.from({ length: 65 }, (_, at) => ({ name: `n${at}`, subnetName: 's' }))
  const ipSet = view('network.openstack.org/v1beta1', 'IPSet', { spec: { networks } })
  expect(ipSet).toMatchObject({
    requests: { length: 64 },
    unread: [{ path: 'spec.networks', message: 'Too many: 65: must have at most 64 items' }],
  })
})
