// Who may use which addresses? A Tenant (R4), its networks and what is asked of them.
import type { Ip } from '../net/ip.ts'
import type { Prefix, Range } from '../net/range.ts'
import type { Occupying } from './elsewhere.ts'
import type { Selector } from './selector.ts'
import type { Key } from './service.ts'

export type Network = {
  readonly name: string
  readonly cidrs: readonly Prefix[]
  readonly translateFrom: readonly Prefix[]
  readonly vlan: number | undefined
  readonly interface: string
  readonly gateway: Ip | undefined
  readonly mtu: number | undefined
  readonly loadBalancer: readonly Range[]
  /** As written, for the pool that is made from them. */
  readonly loadBalancerTexts: readonly string[]
  readonly attachments: readonly Range[]
  readonly nodes: readonly Range[]
  readonly hosts: readonly Range[]
  readonly announce: string
  readonly autoAssign: boolean
}

export type TenantPeer = {
  readonly address: string
  readonly asn: number
  /** The name of a Secret; empty without one. */
  readonly passwordSecret: string
}

export type Tenant = Occupying & {
  readonly kind: 'Tenant'
  readonly name: string
  readonly uid: string
  /** Since when it says what it says. */
  readonly createdAt: string
  readonly namespaces: readonly string[]
  readonly selector: Selector | undefined
  readonly services: readonly Key[]
  readonly requestedAddresses: string
  readonly openPools: boolean
  readonly quota: number | undefined
  readonly networks: readonly Network[]
  readonly generate: readonly string[]
  readonly bgp: { readonly myASN: number; readonly peers: readonly TenantPeer[] }
  readonly mayBeDeleted: boolean
  /** For its pools (R8.16), as written; absent when nothing is listed. */
  readonly allowedCommunities?: string
  /** Of its spec; absent where no API counts it. */
  readonly generation?: number
  /** It is being deleted, and waits for its finalizers. */
  readonly isGoing?: true
}

export const poolNameOf = (tenant: string, network: string): string => `${tenant}-${network}`

/** Where the network is on a node: its interface, or the VLAN on it; empty if nobody says. */
export const linkOf = ({ interface: base, vlan }: Pick<Network, 'interface' | 'vlan'>): string =>
  base === '' || vlan === undefined ? base : `${base}.${vlan}`
