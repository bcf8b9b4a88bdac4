// What does Berth know of a node? Its labels, whether it is reachable, and its interfaces.
import type { Ip } from '../net/ip.ts'
import type { Occupying } from './elsewhere.ts'
import type { Labels } from './selector.ts'

export const excludeLabel = 'node.kubernetes.io/exclude-from-external-load-balancers'
/** The value that berth drain sets (R8.4). */
export const drainValue = 'berth-drain'

export type NodeView = Occupying & {
  readonly kind: 'Node'
  readonly name: string
  readonly uid?: string
  readonly labels: Labels
  readonly isNetworkUnavailable: boolean
  /** Cordoned, shutting down or being deleted: what stops there does not come back soon. */
  readonly isGoing: boolean
  /** status.addresses that are addresses (host names are left out). */
  readonly addresses: readonly Ip[]
  /** Those that are an address or a number, which a BGPPeer may take from it; absent: none. */
  readonly annotations?: Labels
  /** The annotation berth.dev/interface-addresses (R6.3). */
  readonly annotated: readonly InterfaceAddress[]
}

export type InterfaceAddress = {
  readonly interface: string
  readonly address: Ip
  readonly prefixLength: number
}

export type Interface = {
  readonly name: string
  readonly mac: string
  readonly hasCarrier: boolean
  /** As the kernel calls it, such as bridge; absent for a plain one. */
  readonly type?: string
  readonly addresses: readonly {
    readonly address: Ip
    readonly prefixLength: number
    /** It has a lifetime: DHCP or a router advertisement gave it. */
    readonly isTemporary?: true
  }[]
}

/** Written by the node's speaker (R8.5); offline, by the loader from the Node's annotations. */
export type NodeInterfaces = Occupying & {
  readonly kind: 'NodeInterfaces'
  /** Of the node. */
  readonly name: string
  readonly interfaces: readonly Interface[]
  /** Those that it has to where the Site asks for one; absent: nobody has looked (R6.14). */
  readonly routes?: readonly NodeRoute[]
}

export type NodeRoute = {
  /** As the Site writes it. */
  readonly destination: string
  readonly via: Ip
}
