// Which EndpointSlices does a Service need that selects the lab's pods?
import type { JsonObject } from '../../../core/model/gate.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { typeOf } from '../../../edge/kube/kinds.ts'
import { families, type Machine } from '../machine.ts'
import { backendLabels, backendPorts } from './labObjects.ts'

/** None for a Service that selects other pods, or has no selector. */
export function slicesOf(service: unknown, nodes: readonly Machine[]): readonly JsonObject[] {
  const object = new Fields(service, [])
  const metadata = object.inner('metadata')
  const [namespace, name] = [metadata.text('namespace'), metadata.text('name')]
  const selector = Object.entries(object.inner('spec').labels('selector'))
  const wanted: Readonly<Record<string, string>> = backendLabels
  const isOurs = selector.length > 0 && selector.every(([key, value]) => wanted[key] === value)
  if (!isOurs) return []
  return families.map((family) => ({
    ...typeOf('EndpointSlice'),
    metadata: {
      namespace,
      name: `${name}-ipv${family}`,
      labels: { 'kubernetes.io/service-name': name },
      ownerReferences: [{ ...typeOf('Service'), name, uid: metadata.text('uid') }],
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
