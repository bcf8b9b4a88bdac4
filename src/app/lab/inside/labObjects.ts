// Which objects has the API of a lab from the start? Its nodes with a pod on each, a pool and how
// it is announced, and one Service to try.
import type { JsonObject } from '../../../core/model/gate.ts'
import { poolRanges } from '../addresses.ts'
import { type Both, type Place, portOn } from '../place.ts'
import { asNumbers } from '../routerConfig.ts'

/** What the backend of every node answers on. */
export const backendPorts = { http: 8080, echo: 7777 } as const
export const backendLabels = { app: 'echo' } as const
export const firstService = { namespace: 'default', name: 'web' } as const

export type LabObject = {
  readonly json: JsonObject
  /** A status is not taken with the rest of an object: it is written beside it. */
  readonly status?: JsonObject
}

export type LabWish = {
  readonly nodes: readonly Place[]
  readonly routers: readonly Place[]
  readonly ownNamespace: string
}

export function labObjects({ nodes, routers, ownNamespace }: LabWish): readonly LabObject[] {
  const inOwn = (name: string) => ({ namespace: ownNamespace, name })
  const announcing = routers.length === 0 ? onLan(inOwn) : byRouters(inOwn, routers)
  return [
    { json: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ownNamespace } } },
    ...nodes.map(nodeObject),
    ...nodes.map(podObject),
    ...announcing.map((json) => ({ json })),
    { json: webService() },
  ]
}

type Naming = (name: string) => JsonObject

const onLan = (named: Naming): readonly JsonObject[] => [
  {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: named('lan'),
    spec: { addresses: [...poolRanges.lan] },
  },
  {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'L2Advertisement',
    metadata: named('lan'),
    spec: { ipAddressPools: ['lan'], interfaces: ['eth0'] },
  },
]

/** Short timers, so that a killed node is missed soon. */
const byRouters = (named: Naming, routers: readonly Place[]): readonly JsonObject[] => [
  {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: named('routed'),
    spec: { addresses: [...poolRanges.routed] },
  },
  {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'BGPAdvertisement',
    metadata: named('routed'),
    spec: { ipAddressPools: ['routed'] },
  },
  ...routers.map((router) => ({
    apiVersion: 'metallb.io/v1beta2',
    kind: 'BGPPeer',
    metadata: named(router.name),
    spec: {
      myASN: asNumbers.nodes,
      peerASN: asNumbers.routers,
      peerAddress: portOn(router, 'lan')?.addresses[4] ?? '',
      dualStackAddressFamily: true,
      holdTime: '3s',
      keepaliveTime: '1s',
    },
  })),
]

const timesOf = { lastHeartbeatTime: null, lastTransitionTime: null } as const

function nodeObject(place: Place): LabObject {
  const { name } = place
  const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' }
  const internal = listed(portOn(place, 'mgmt')?.addresses)
  return {
    json: { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } },
    status: {
      addresses: [
        ...internal.map((address) => ({ type: 'InternalIP', address })),
        { type: 'Hostname', address: name },
      ],
      conditions: [{ type: 'Ready', status: 'True', reason: 'Lab', message: 'it is', ...timesOf }],
    },
  }
}

function podObject({ name, pod }: Place): LabObject {
  const [first = '', ...rest] = listed(pod)
  const ports = Object.entries(backendPorts).map(([port, containerPort]) => ({
    name: port,
    containerPort,
    protocol: port === 'echo' ? 'UDP' : 'TCP',
  }))
  return {
    json: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'default', name: `echo-${name}`, labels: { ...backendLabels } },
      spec: { nodeName: name, containers: [{ name: 'echo', image: 'berth-lab', ports }] },
    },
    status: {
      phase: 'Running',
      podIP: first,
      podIPs: [first, ...rest].map((ip) => ({ ip })),
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  }
}

const listed = (addresses: Both | undefined): string[] =>
  addresses === undefined ? [] : [addresses[4], addresses[6]]

/** Local, so that whoever announces also answers: the name of the node comes back. */
function webService(): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...firstService },
    spec: {
      type: 'LoadBalancer',
      selector: { ...backendLabels },
      ipFamilyPolicy: 'PreferDualStack',
      externalTrafficPolicy: 'Local',
      ports: [
        { name: 'http', protocol: 'TCP', port: 80, targetPort: backendPorts.http },
        { name: 'echo', protocol: 'UDP', port: 7, targetPort: backendPorts.echo },
      ],
    },
  }
}
