// Which node reports that it announces a Service on layer 2? As MetalLB writes it (M1.8).
import type { Key } from '../../../core/model/service.ts'
import { metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'
import { internedList } from './interned.ts'

export const l2StatusLabels = {
  node: 'metallb.io/node',
  name: 'metallb.io/service-name',
  namespace: 'metallb.io/service-namespace',
} as const

export type L2Status = {
  readonly name: string
  readonly uid: string
  /** Its resource version as a number, which takes less memory than text. */
  readonly version: number
  readonly node: string
  readonly service: Key
  /** Sorted; empty for all. */
  readonly interfaces: readonly string[]
  /** Created in two steps: the second one writes the status. */
  readonly isComplete: boolean
}

export function decodeL2Status(object: Fields): L2Status {
  const { name, uid, resourceVersion, labels } = metaOf(object)
  const status = object.inner('status')
  const node = status.text('node') || labels[l2StatusLabels.node] || ''
  const serviceName = status.text('serviceName') || labels[l2StatusLabels.name] || ''
  const namespace = status.text('serviceNamespace') || labels[l2StatusLabels.namespace] || ''
  const interfaces = status.each('interfaces').map((one) => one.text('name'))
  return {
    name,
    uid,
    version: Number(resourceVersion),
    node,
    service: `${namespace}/${serviceName}`,
    interfaces: internedList(interfaces.sort()),
    isComplete: status.text('node') !== '',
  }
}
