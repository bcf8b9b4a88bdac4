// Which objects does a lab's API have from the start? Its nodes with a pod each, a pool and its
// advertisement, and one Service to try.
import type { JsonObject } from '../../../core/model/gate.ts'
import { typeOf } from '../../../edge/kube/kinds.ts'
import { poolRanges } from '../addresses.ts'
import { type Both, type Machine, portOn } from '../machine.ts'
import { asNumbers, bfdProfile } from '../routerConfig.ts'

/** The ports of every node's backend. */
export const backendPorts = { http: 8080, echo: 7777 } as const
export const backendLabels = { app: 'echo' } as const
export const firstService = { namespace: 'default', name: 'web' } as const

type LabObject = {
  readonly json: JsonObject
  /** Written separately, because the API ignores a status in other writes. */
  readonly status?: JsonObject
}

type LabObjectsOptions = {
  readonly nodes: readonly Machine[]
  readonly routers: readonly Machine[]
  readonly hasBfd: boolean
  readonly ownNamespace: string
}

export function labObjects({
  nodes,
  routers,
  hasBfd,
  ownNamespace,
}: LabObjectsOptions): readonly LabObject[] {
  const inOwn = (name: string) => ({ namespace: ownNamespace, name })
  const announcing =
    routers.length === 0 ? onLan(inOwn) : byRouters(inOwn, routers, hasBfd ? byBfd : byHoldTime)
  return [
    { json: { ...typeOf('Namespace'), metadata: { name: ownNamespace } } },
    ...nodes.map(nodeObject),
    ...nodes.map(podObject),
    ...announcing.map((json) => ({ json })),
    { json: webService() },
  ]
}

type Naming = (name: string) => JsonObject

const onLan = (named: Naming): readonly JsonObject[] => [
  {
    ...typeOf('IPAddressPool'),
    metadata: named('lan'),
    spec: { addresses: [...poolRanges.lan] },
  },
  {
    ...typeOf('L2Advertisement'),
    metadata: named('lan'),
    spec: { ipAddressPools: ['lan'], interfaces: ['eth0'] },
  },
]

/** How a node that is gone is missed soon: by short timers, or by BFD alone. */
const byHoldTime: JsonObject = { holdTime: '3s', keepaliveTime: '1s' }
const byBfd: JsonObject = { holdTime: '90s', bfdProfile: bfdProfile.name }

const byRouters = (
  named: Naming,
  routers: readonly Machine[],
  missed: JsonObject,
): readonly JsonObject[] => [
  ...(missed === byBfd ? [profileObject(named)] : []),
  {
    ...typeOf('IPAddressPool'),
    metadata: named('routed'),
    spec: { addresses: [...poolRanges.routed] },
  },
  {
    ...typeOf('BGPAdvertisement'),
    metadata: named('routed'),
    spec: { ipAddressPools: ['routed'] },
  },
  ...routers.map((router) => ({
    ...typeOf('BGPPeer'),
    metadata: named(router.name),
    spec: {
      myASN: asNumbers.nodes,
      peerASN: asNumbers.routers,
      peerAddress: portOn(router, 'lan')?.addresses[4] ?? '',
      dualStackAddressFamily: true,
      ...missed,
    },
  })),
]

const profileObject = (named: Naming): JsonObject => ({
  ...typeOf('BFDProfile'),
  metadata: named(bfdProfile.name),
  spec: {
    receiveInterval: bfdProfile.intervalMs,
    transmitInterval: bfdProfile.intervalMs,
    detectMultiplier: bfdProfile.multiplier,
  },
})

const timesOf = { lastHeartbeatTime: null, lastTransitionTime: null } as const

function nodeObject(machine: Machine): LabObject {
  const { name } = machine
  const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' }
  const internal = listed(portOn(machine, 'mgmt')?.addresses)
  return {
    json: { ...typeOf('Node'), metadata: { name, labels } },
    status: {
      addresses: [
        ...internal.map((address) => ({ type: 'InternalIP', address })),
        { type: 'Hostname', address: name },
      ],
      conditions: [
        { type: 'Ready', status: 'True', reason: 'Lab', message: 'lab node', ...timesOf },
      ],
    },
  }
}

function podObject({ name, pod }: Machine): LabObject {
  const [first = '', ...rest] = listed(pod)
  const ports = Object.entries(backendPorts).map(([port, containerPort]) => ({
    name: port,
    containerPort,
    protocol: port === 'echo' ? 'UDP' : 'TCP',
  }))
  return {
    json: {
      ...typeOf('Pod'),
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

/** Policy Local, so that the announcing node also answers and its name comes back. */
function webService(): JsonObject {
  return {
    ...typeOf('Service'),
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
