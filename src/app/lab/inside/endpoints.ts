// Who makes the EndpointSlices of Services that select the lab's pods? A controller of Kubernetes
// does where it runs; on the embedded API, this.
import type { JsonObject } from '../../../core/model/gate.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import type { Io } from '../../cli/io.ts'
import { families, type Place } from '../place.ts'
import { follow } from './follow.ts'
import { apiAt, put, services } from './labApi.ts'
import { backendLabels, backendPorts } from './labObjects.ts'
import { untilEnded } from './waits.ts'

type EndpointsWish = { readonly nodes: readonly Place[]; readonly kubeconfig: string }

export async function runEndpoints({ nodes, kubeconfig }: EndpointsWish, io: Io): Promise<void> {
  const api = await apiAt(kubeconfig)
  const written = new Map<string, string>()
  const { signal, err } = io
  const changed = (key: string): void => {
    const service = known.objects.get(key)
    const slices = service === undefined ? [] : slicesOf(service, nodes)
    const text = JSON.stringify(slices)
    if (slices.length === 0) written.delete(key)
    if (slices.length === 0 || written.get(key) === text) return
    written.set(key, text)
    write(api, slices).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error
      err(`endpoints of ${key}: ${error.message}\n`)
      written.delete(key)
      setTimeout(() => changed(key), retryMs).unref()
    })
  }
  const known = follow(api, services, { signal, changed })
  await untilEnded(signal)
  api.close()
}

const retryMs = 1000

async function write(api: Api, slices: readonly JsonObject[]): Promise<void> {
  await Promise.all(slices.map((slice) => put(api, slice)))
}

/** None for a Service that selects other pods, or none at all. */
export function slicesOf(service: unknown, nodes: readonly Place[]): readonly JsonObject[] {
  const object = new Fields(service, [])
  const metadata = object.inner('metadata')
  const [namespace, name] = [metadata.text('namespace'), metadata.text('name')]
  const selector = Object.entries(object.inner('spec').labels('selector'))
  const wanted: Readonly<Record<string, string>> = backendLabels
  const isOurs = selector.length > 0 && selector.every(([key, value]) => wanted[key] === value)
  if (!isOurs) return []
  return families.map((family) => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace,
      name: `${name}-ipv${family}`,
      labels: { 'kubernetes.io/service-name': name },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name, uid: metadata.text('uid') }],
    },
    addressType: `IPv${family}`,
    ports: object.inner('spec').each('ports').map(portOf),
    endpoints: nodes.flatMap(({ name: nodeName, pod }) =>
      pod === undefined
        ? []
        : [{ addresses: [pod[family]], nodeName, conditions: { ready: true } }],
    ),
  }))
}

function portOf(port: Fields): JsonObject {
  const named: Readonly<Record<string, number>> = backendPorts
  const target = port.number('targetPort') ?? named[port.text('targetPort')]
  return {
    name: port.text('name'),
    protocol: port.text('protocol') || 'TCP',
    port: target ?? port.number('port') ?? 0,
  }
}
