// Which node reports that it announces a Service, and how? As MetalLB writes it (M1.8): a kind for
// layer 2 and one for BGP, which differ in one list.
import type { Key } from '../../../core/model/service.ts'
import { keyFrom, metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'
import { internedList } from './interned.ts'

/** As in MetalLB: a node name that does not fit into a label cannot be reported. */
export const canTell = (node: string): boolean => node.length <= longestLabel
const longestLabel = 63

export const statusLabels = {
  node: 'metallb.io/node',
  name: 'metallb.io/service-name',
  namespace: 'metallb.io/service-namespace',
} as const

/** Selects what is about the node. */
export const ofNode = (node: string): Readonly<Record<'labelSelector', string>> => ({
  labelSelector: `${statusLabels.node}=${node}`,
})

export type StatusKind = 'ServiceL2Status' | 'ServiceBGPStatus'

export type ServiceStatus = {
  readonly name: string
  readonly uid: string
  /** Its resource version as a number, which takes less memory than text. */
  readonly version: number
  readonly node: string
  readonly service: Key
  /** Sorted: the interfaces, none for all; for BGP the peers. */
  readonly names: readonly string[]
  /** Created in two steps: the second one writes the status. */
  readonly isComplete: boolean
}

type StatusForm = {
  /** How names of objects begin. */
  readonly prefix: string
  readonly read: (status: Fields) => readonly string[]
  readonly written: (names: readonly string[]) => object
}

export const statusForms: Readonly<Record<StatusKind, StatusForm>> = {
  ServiceL2Status: {
    prefix: 'l2-',
    read: (status) => status.each('interfaces').map((one) => one.text('name')),
    written: (names) => ({
      interfaces: names.length === 0 ? null : names.map((name) => ({ name })),
    }),
  },
  ServiceBGPStatus: {
    prefix: 'bgp-',
    read: (status) => status.texts('peers'),
    written: (peers) => ({ peers }),
  },
}

export function decodeServiceStatus(kind: StatusKind, object: Fields): ServiceStatus {
  const { name, uid, resourceVersion, labels } = metaOf(object)
  const status = object.inner('status')
  const node = status.text('node') || labels[statusLabels.node] || ''
  const serviceName = status.text('serviceName') || labels[statusLabels.name] || ''
  const namespace = status.text('serviceNamespace') || labels[statusLabels.namespace] || ''
  return {
    name,
    uid,
    version: Number(resourceVersion),
    node,
    service: keyFrom(namespace, serviceName),
    names: internedList([...statusForms[kind].read(status)].sort()),
    isComplete: status.text('node') !== '',
  }
}
