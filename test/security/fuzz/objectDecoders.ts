// What reads objects that others wrote? The decoder of every kind that anything is decided from, those
// of other projects among them, and the World, which has to be the same once the object is gone.
import { keyOf } from '../../../src/core/model/view.ts'
import { World } from '../../../src/core/model/world.ts'
import { check } from '../../../src/core/policy/check/check.ts'
import { nodeProblems } from '../../../src/core/policy/ipam/nodeProblems.ts'
import { siteProblems } from '../../../src/core/policy/made/site/siteProblems.ts'
import { nameProblems } from '../../../src/core/policy/names/nameProblems.ts'
import { ledgerProblems } from '../../../src/core/policy/wires/ledgerProblems.ts'
import { settings } from '../../../src/core/sim/runScenario.ts'
import { decode } from '../../../src/edge/kube/decode/decode.ts'
import { ValidatedSink } from '../../../src/edge/kube/feed/validatedSink.ts'
import { type Decoder, octetsOf } from './damage.ts'

const [metallb, berth] = ['metallb.io/v1beta1', 'berth.dev/v1alpha1']
const named = (apiVersion: string, kind: string, spec: object) => ({
  ...{ apiVersion, kind, metadata: { name: 'a', namespace: 'n', uid: 'u', labels: { a: 'b' } } },
  spec,
})

const addressing: readonly object[] = [
  named(metallb, 'IPAddressPool', {
    addresses: ['192.0.2.0/28', '2001:db8::1-2001:db8::9'],
    serviceAllocation: { priority: 1, namespaces: ['n'], serviceSelectors: [{}] },
  }),
  named(berth, 'Tenant', {
    namespaces: { names: ['n'], selector: { matchLabels: { a: 'b' } } },
    networks: [
      { name: 'x', cidrs: ['10.1.0.0/24'], loadBalancer: ['10.1.0.8/29'], gateway: '10.1.0.1' },
    ],
    quota: { addresses: 3 },
  }),
  {
    ...named(berth, 'Address', {
      ...{ address: '192.0.2.3', reservedFor: { namespace: 'n', name: 'a' }, pool: 'a' },
      holders: [{ kind: 'Service', namespace: 'n', name: 'a', uid: 'u', ports: ['TCP/80'] }],
    }),
    metadata: { name: '192.0.2.3' },
  },
  {
    ...named('v1', 'Service', { type: 'LoadBalancer', ports: [{ port: 80, protocol: 'TCP' }] }),
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.3' }] } },
  },
]

const nodes: readonly object[] = [
  { ...named('v1', 'Namespace', {}), metadata: { name: 'n', labels: { a: 'b' } } },
  {
    ...named('v1', 'Node', {}),
    status: {
      addresses: [{ type: 'InternalIP', address: '192.0.2.9' }],
      conditions: [{ type: 'NetworkUnavailable', status: 'False' }],
    },
  },
  {
    ...named(berth, 'NodeInterfaces', {}),
    status: {
      interfaces: [{ name: 'eth0', mac: '02:00:00:00:00:01', addresses: ['192.0.2.9/24'] }],
    },
  },
  {
    ...named('discovery.k8s.io/v1', 'EndpointSlice', {}),
    metadata: { name: 'a', namespace: 'n', labels: { 'kubernetes.io/service-name': 'a' } },
    endpoints: [{ addresses: ['10.0.0.1'], nodeName: 'a', conditions: { ready: true } }],
  },
]

const announcing: readonly object[] = [
  named(metallb, 'Community', { communities: [{ name: 'c', value: '64512:1' }] }),
  named(metallb, 'BFDProfile', { receiveInterval: 300, echoMode: true }),
  named('metallb.io/v1beta2', 'BGPPeer', {
    ...{ myASN: 64_512, peerASN: 64_513, peerAddress: '10.0.0.1', holdTime: '90s' },
    nodeSelectors: [{ matchLabels: { a: 'b' } }],
  }),
  named(metallb, 'L2Advertisement', { ipAddressPools: ['a'], interfaces: ['eth0'] }),
  named(metallb, 'BGPAdvertisement', {
    ...{ aggregationLength: 28, localPref: 100, communities: ['64512:1', 'c'], peers: ['a'] },
    ipAddressPoolSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
  }),
  named(berth, 'BGPSession', {}),
  { ...named('v1', 'Secret', {}), type: 'kubernetes.io/basic-auth', data: { password: 'eA==' } },
]

const plugins = [
  {
    ...{ type: 'macvlan', master: 'eth0', vlanId: 20 },
    ipam: { type: 'whereabouts', range: '10.1.0.0/24', range_start: '10.1.0.30', exclude: [] },
  },
]
const subnet = {
  ...{ name: 's', cidr: '10.1.0.0/24', gateway: '10.1.0.1', vlan: 20 },
  allocationRanges: [{ start: '10.1.0.100', end: '10.1.0.250' }],
  ...{ excludeAddresses: ['10.1.0.120'], routes: [{ nexthop: '10.1.0.2' }] },
}

const ofOthers: readonly object[] = [
  named('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', {
    config: JSON.stringify({ cniVersion: '0.3.1', plugins }),
  }),
  named('network.openstack.org/v1beta1', 'NetConfig', {
    networks: [{ name: 'x', subnets: [subnet] }],
  }),
  named('network.openstack.org/v1beta1', 'Reservation', {
    reservation: { x: { address: '10.1.0.101' } },
  }),
  named('nmstate.io/v1', 'NodeNetworkConfigurationPolicy', {
    desiredState: {
      interfaces: [
        {
          ...{ name: 'eth0.20', type: 'vlan', vlan: { 'base-iface': 'eth0', id: 20 } },
          ipv4: { address: [{ ip: '10.1.0.5', 'prefix-length': 24 }] },
        },
      ],
      routes: { config: [{ 'next-hop-address': '10.1.0.1' }] },
    },
  }),
]

/** To look at all that overlaps costs more than to read an object. */
const betweenLooks = 200
const looks = [ledgerProblems, nodeProblems, nameProblems, siteProblems]

function read(): (bytes: Uint8Array) => boolean {
  const world = new World(settings)
  const sink = new ValidatedSink(world, check)
  sink.open()
  let count = 0
  return (bytes) => {
    const decoded = decode(parsed(Buffer.from(bytes).toString()))
    if (decoded.kind !== 'view') return false
    const { view } = decoded
    sink.put(view)
    count += 1
    if (count % betweenLooks === 0) for (const look of looks) look(world)
    sink.drop(view.kind, keyOf(view))
    if (world.all(view.kind).size > 0) throw new Error('it is still there')
    return true
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const openstack = 'network.openstack.org/v1beta1'
const owner = { apiVersion: openstack, kind: 'IPSet', name: 'a', uid: 'u' }
const owned = (object: ReturnType<typeof named>, annotations: object = {}) => ({
  ...object,
  metadata: { ...object.metadata, annotations, ownerReferences: [owner], finalizers: ['f'] },
})

const ofHosts: readonly object[] = [
  {
    ...owned(
      named(openstack, 'IPSet', {
        networks: [{ name: 'x', subnetName: 's', fixedIP: '10.1.0.101', defaultRoute: true }],
      }),
      { 'berth.dev/keep': '24h', 'berth.dev/for': 'pod' },
    ),
    status: {
      conditions: [{ type: 'ReservationReady', status: 'False', message: 'm' }],
      reservations: [{ network: 'x', address: '10.1.0.101', gateway: '10.1.0.1' }],
    },
  },
  named(berth, 'AddressBlock', {
    ...{ wire: 'n', first: '10.1.0.0' },
    holders: [{ address: '10.1.0.101', namespace: 'n', name: 'a', uid: 'u', network: 'x' }],
  }),
  named('whereabouts.cni.cncf.io/v1alpha1', 'IPPool', {
    ...{ range: '10.1.0.0/24', allocations: { 30: { id: 'i', podref: 'n/a' } } },
  }),
  {
    ...named('network.openstack.org/v1beta1', 'NetConfig', {
      networks: [{ name: 'x', subnets: [subnet] }],
    }),
    metadata: {
      ...{ name: 'a', namespace: 'n', uid: 'u' },
      annotations: { 'berth.dev/sticky': 'x=10.1.0.200-10.1.0.209', 'berth.dev/keep': 'always' },
    },
  },
]

const ofNames: readonly object[] = [
  named(openstack, 'DNSMasq', {
    options: [{ key: 'server', values: ['192.0.2.53', '/a.example/192.0.2.54'] }],
    ...{ replicas: 2, dnsDataLabelSelectorValue: 'a', topologyRef: { name: 'a' } },
    override: { service: { metadata: { annotations: { a: 'b' } }, spec: { type: 'x' } } },
  }),
  named(openstack, 'DNSData', {
    dnsDataLabelSelectorValue: 'a',
    hosts: [{ ip: '10.1.0.101', hostnames: ['a.example', 'b'] }],
  }),
  {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '10.1.0.101 a.example b\n# c\n' } },
    metadata: { name: 'a', namespace: 'n', uid: 'u', labels: { dnsmasqhosts: 'a' } },
  },
  {
    ...named('apps/v1', 'Deployment', { replicas: 1 }),
    status: { readyReplicas: 1, conditions: [{ type: 'Progressing', status: 'False' }] },
  },
  named('topology.openstack.org/v1beta1', 'Topology', {
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone' }],
  }),
]

const ofRoutes: readonly object[] = [
  named(openstack, 'BGPConfiguration', {
    frrConfigurationNamespace: 'a',
    frrNodeConfigurationSelector: [{ nodeName: 'a', nodeSelector: { matchLabels: { a: 'b' } } }],
  }),
  named('frrk8s.metallb.io/v1beta1', 'FRRConfiguration', {
    nodeSelector: { matchLabels: { a: 'b' } },
    bgp: { routers: [{ asn: 1, prefixes: ['10.1.0.1/32'], neighbors: [{ address: '10.1.0.2' }] }] },
  }),
  {
    ...named('v1', 'Pod', { nodeName: 'a' }),
    metadata: {
      ...{ name: 'a', namespace: 'n', uid: 'u', labels: { predictableip: '10.1.0.1' } },
      annotations: {
        'k8s.v1.cni.cncf.io/networks': '[{"name": "a"}]',
        'k8s.v1.cni.cncf.io/network-status': '[{"name": "n/a", "ips": ["10.1.0.3"]}]',
      },
    },
    status: { phase: 'Running' },
  },
]

const places: readonly object[] = [
  named(berth, 'Site', {
    internalNetwork: '10.1.0.0/24',
    external: {
      ...{ apiVIP: '192.0.2.1', ingressVIP: '192.0.2.2', prefixLength: 24, gateway: '192.0.2.254' },
      secondary: { apiVIP: '2001:db8::1', ingressVIP: '2001:db8::2' },
      ...{ routes: [{ destination: '10.0.0.0/8', nextHop: '192.0.2.9' }], baseDomain: 'a.example' },
    },
    ingress: { ports: [80, 443], selector: { a: 'b' } },
    move: { commitBy: '2026-01-01T00:00:00Z' },
  }),
  named(berth, 'ReleasedPool', {}),
  {
    ...named(berth, 'BGPSession', {}),
    status: {
      ...{ node: 'a', peer: 'a', bgpStatus: 'established', localASN: 64_512, routesSent: 1 },
      agreed: { holdTime: '90s', families: ['IPv4'], capabilities: ['route-refresh'] },
      lastError: { message: 'm', endedBy: 'peer' },
    },
  },
  {
    ...named('nmstate.io/v1beta1', 'NodeNetworkConfigurationEnactment', {}),
    metadata: { name: 'a.b', labels: { 'nmstate.io/policy': 'b', 'nmstate.io/node': 'a' } },
    status: { conditions: [{ type: 'Available', status: 'True' }], policyGeneration: 1 },
  },
  named('core.openstack.org/v1beta1', 'OpenStackControlPlane', {
    keystone: {
      apiOverride: {},
      template: {
        override: {
          service: {
            internal: {
              metadata: { annotations: { 'metallb.universe.tf/loadBalancerIPs': '10.1.0.80' } },
              spec: { type: 'LoadBalancer' },
            },
          },
        },
      },
    },
    telemetry: { enabled: true, template: { logging: { enabled: true, port: 10_514 } } },
    designate: { enabled: true },
  }),
]

export const objectTemplates: readonly object[] = [
  ...[addressing, nodes, announcing, ofOthers],
  ...[ofHosts, ofNames, ofRoutes, places],
].flat()

export const objectDecoders: readonly Decoder[] = [
  {
    name: 'an object of any kind',
    templates: objectTemplates.map((json) => octetsOf(JSON.stringify(json))),
    words: ['null', '[]', '{}', '"', '-1', '1e99', '0.0.0.0/0', '::/0', '-', '/', '"__proto__":'],
    read: read(),
  },
]
