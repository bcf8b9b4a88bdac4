// Which pods are reached by routes of their own, and what tells the routers? BGPConfigurations,
// pods, and the FRRConfigurations that frr-k8s reads.
import type { Ip } from '../../net/ip.ts'
import type { JsonObject } from '../gate.ts'
import type { LibCondition } from '../ipam/ipSet.ts'
import type { Selector } from '../selector.ts'

type Named = {
  readonly key: string
  readonly name: string
  readonly namespace: string
}

export type BgpConfiguration = Named & {
  readonly kind: 'BGPConfiguration'
  readonly uid: string
  readonly createdAt: string
  readonly isGoing: boolean
  readonly finalizers: readonly string[]
  /** Where the FRRConfigurations are, unless OpenShift's own namespace for them is there. */
  readonly frrNamespace: string
  /** Which FRRConfiguration is the one of a node, where its selector is not the usual one. */
  readonly selectors: readonly { readonly node: string; readonly selector: Selector }[]
  readonly status: { readonly conditions: readonly LibCondition[] }
}

/** One with networks of its own, or an address that it is labelled with. */
export type PodView = Named & {
  readonly kind: 'Pod'
  readonly createdAt: string
  readonly node: string
  /** Not starting, done, failed or being deleted. */
  readonly isRunning: boolean
  /** How many networks it asks for beside that of the cluster. */
  readonly asked: number
  /** What Multus says that it got; without the network of the cluster. */
  readonly attached: readonly Attached[]
  /** Its label predictableip, as written; empty without. */
  readonly predictable: string
}
export type Attached = {
  /** namespace/name of the NetworkAttachmentDefinition. */
  readonly attachment: string
  readonly ips: readonly string[]
}

export type FrrConfiguration = Named & {
  readonly kind: 'FRRConfiguration'
  readonly createdAt: string
  /** Whose pod it announces; absent for what MetalLB's speakers and administrators write. */
  readonly routeOf?: RouteOf
  readonly selector: Selector
  /** As written: what is made from it is a copy. */
  readonly spec: JsonObject
  /** Each address that a router of it announces alone. */
  readonly announced: readonly Ip[]
  /** Addresses of the routers that it speaks with. */
  readonly neighbours: readonly Ip[]
}
export type RouteOf = {
  /** namespace/name of the BGPConfiguration. */
  readonly configuration: string
  readonly uid: string
  /** Empty for a name that no label can hold. */
  readonly pod: string
}
