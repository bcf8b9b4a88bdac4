// Views for tests of announcements: each builder states the ordinary case, a test what differs.
import type {
  BfdProfile,
  BgpAdvertisement,
  Community,
  L2Advertisement,
  Peer,
  SecretView,
} from '../../src/core/model/announcing.ts'
import type { NodeInterfaces, NodeView } from '../../src/core/model/node.ts'
import type { Pool } from '../../src/core/model/pool.ts'
import type { Labels, Selector } from '../../src/core/model/selector.ts'
import type { EndpointSliceView, ServiceView } from '../../src/core/model/service.ts'
import type { View } from '../../src/core/model/view.ts'
import { World } from '../../src/core/model/world.ts'
import { type Ip, parseIp } from '../../src/core/net/ip.ts'
import { parseRange } from '../../src/core/net/range.ts'
import type { Speakers } from '../../src/core/policy/announce/advertise.ts'

const namespace = 'metallb-system'
const createdAt = '2026-01-01T00:00:00Z'

export function ip(text: string): Ip {
  const address = parseIp(text)
  if (!address.ok) throw new Error(address.why)
  return address.value
}

export const labelled = (matchLabels: Labels): Selector => ({ matchLabels, matchExpressions: [] })
/** Every node carries its own name as the label host. */
export const onNode = (name: string): Selector => labelled({ host: name })

export function node(name: string, given: Partial<NodeView> = {}): NodeView {
  const { addresses = [], annotated = [] } = given
  return {
    kind: 'Node',
    name,
    isNetworkUnavailable: false,
    isGoing: false,
    addresses,
    annotated,
    occupied: [...addresses, ...annotated.map(({ address }) => address)],
    ...given,
    labels: { host: name, ...given.labels },
  }
}

export const nodeInterfaces = (name: string, names: readonly string[]): NodeInterfaces => ({
  kind: 'NodeInterfaces',
  name,
  interfaces: names.map((name) => ({ name, mac: '', hasCarrier: true, addresses: [] })),
  occupied: [],
})

export function pool(name: string, ranges: readonly string[], given: Partial<Pool> = {}): Pool {
  return {
    kind: 'IPAddressPool',
    name,
    namespace,
    createdAt,
    labels: {},
    ranges: ranges.map((text) => {
      const range = parseRange(text)
      if (!range.ok) throw new Error(range.why)
      return range.value
    }),
    autoAssign: true,
    avoidBuggyIPs: false,
    allocation: undefined,
    serves: [],
    badServes: [],
    whenFull: '',
    split: '',
    tenant: '',
    madeFrom: '',
    isOurs: false,
    status: undefined,
    ...given,
  }
}

const advertisement = (name: string) => ({
  name,
  namespace,
  createdAt,
  pools: [],
  poolSelectors: [],
  nodeSelectors: [],
  serviceSelectors: [],
})

export function l2(name: string, given: Partial<L2Advertisement> = {}): L2Advertisement {
  const ordinary = { ...advertisement(name), interfaces: [], preferred: [] }
  return { kind: 'L2Advertisement', ...ordinary, ...given }
}

export function bgp(name: string, given: Partial<BgpAdvertisement> = {}): BgpAdvertisement {
  return {
    kind: 'BGPAdvertisement',
    ...advertisement(name),
    aggregationLength: 32,
    aggregationLengthV6: 128,
    localPref: 0,
    communities: [],
    peers: [],
    ...given,
  }
}

export function peer(name: string, given: Partial<Peer> = {}): Peer {
  return {
    kind: 'BGPPeer',
    name,
    namespace,
    createdAt,
    myASN: 64500,
    peerASN: 64500,
    dynamicASN: '',
    localASN: 0,
    peerAddress: '192.0.2.1',
    interface: '',
    sourceAddress: '',
    peerPort: 179,
    holdMs: undefined,
    keepaliveMs: undefined,
    connectMs: undefined,
    routerID: '',
    nodeSelectors: [],
    hasPassword: false,
    passwordSecret: '',
    bfdProfile: '',
    enableGracefulRestart: undefined,
    ebgpMultiHop: false,
    vrf: '',
    disableMP: false,
    dualStackAddressFamily: false,
    ...given,
  }
}

export const bfdProfile = (name: string): BfdProfile => ({
  kind: 'BFDProfile',
  name,
  namespace,
  createdAt,
  receiveInterval: undefined,
  transmitInterval: undefined,
  detectMultiplier: undefined,
  echoInterval: undefined,
  echoMode: false,
  passiveMode: false,
  minimumTtl: undefined,
})

export const secret = (name: string, type: string, keys: readonly string[]): SecretView => ({
  kind: 'Secret',
  key: `${namespace}/${name}`,
  name,
  namespace,
  createdAt,
  type,
  keys,
})

export const community = (name: string, aliases: Readonly<Record<string, string>>): Community => ({
  kind: 'Community',
  name,
  namespace,
  createdAt,
  aliases: Object.entries(aliases).map(([name, value]) => ({ name, value })),
})

/** A Service of namespace default that has these addresses. */
export function service(
  name: string,
  ingress: readonly string[],
  given: Partial<ServiceView> = {},
): ServiceView {
  return {
    kind: 'Service',
    key: `default/${name}`,
    namespace: 'default',
    name,
    uid: `uid-of-${name}`,
    resourceVersion: '1',
    createdAt,
    labels: {},
    isLoadBalancer: true,
    loadBalancerClass: '',
    clusterFamilies: ['IPv4'],
    familyPolicy: 'SingleStack',
    primaryFamily: 'IPv4',
    ports: [`TCP/${name}`],
    isLocal: false,
    backend: '',
    asksPool: '',
    asksByAnnotation: '',
    asksByField: '',
    sharingKey: '',
    hasSharingAnnotation: false,
    deprecatedAnnotation: '',
    ingress: ingress.map(ip),
    hasOtherIngress: false,
    recordedPool: '',
    addressed: undefined,
    ...given,
  }
}

export const endpoints = (name: string, nodes: readonly string[]): EndpointSliceView => ({
  kind: 'EndpointSlice',
  key: `default/${name}-slice`,
  service: `default/${name}`,
  endpoints: nodes.map((node) => ({ node, isUsable: true })),
})

export function worldOf(...views: readonly View[]): World {
  const world = new World({ ownNamespace: namespace, loadBalancerClass: '' })
  for (const view of views) world.apply({ type: 'upsert', view })
  return world
}

/** Every node of the World is expected to run a speaker; those that are down are not seen. */
export function speakersOf(world: World, down: readonly string[] = []): Speakers {
  const expected = new Set(world.all('Node').keys())
  return { expected, live: new Set([...expected].filter((name) => !down.includes(name))) }
}
