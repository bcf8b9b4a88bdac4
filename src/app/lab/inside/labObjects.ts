// Which objects has the API of a lab from the start? Its nodes with a pod on each, a pool on the
// lan, and one Service to try.
import type { JsonObject } from '../../../core/model/gate.ts'
import { poolRanges } from '../addresses.ts'
import { type Both, type Place, portOn } from '../place.ts'

/** What the backend of every node answers on. */
export const backendPorts = { http: 8080, echo: 7777 } as const
export const backendLabels = { app: 'echo' } as const
export const firstService = { namespace: 'default', name: 'web' } as const

type LabObject = {
  readonly json: JsonObject
  /** A status is not taken with the rest of an object: it is written beside it. */
  readonly status?: JsonObject
}

export function labObjects(nodes: readonly Place[], ownNamespace: string): readonly LabObject[] {
  const announced = { namespace: ownNamespace, name: 'lan' }
  return [
    { json: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ownNamespace } } },
    ...nodes.map(nodeObject),
    ...nodes.map(podObject),
    {
      json: {
        apiVersion: 'metallb.io/v1beta1',
        kind: 'IPAddressPool',
        metadata: announced,
        spec: { addresses: [...poolRanges] },
      },
    },
    {
      json: {
        apiVersion: 'metallb.io/v1beta1',
        kind: 'L2Advertisement',
        metadata: announced,
        spec: { ipAddressPools: ['lan'], interfaces: ['eth0'] },
      },
    },
    { json: webService() },
  ]
}

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
