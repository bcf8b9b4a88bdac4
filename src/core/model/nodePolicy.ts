// How is a node's network to be configured? nmstate's policies, of others and our own, and what
// nmstate says of them.
import type { Ip } from '../net/ip.ts'
import type { JsonObject } from './gate.ts'
import type { Made } from './made.ts'
import type { InterfaceAddress } from './node.ts'

export type NodePolicy = Made & {
  readonly kind: 'NodeNetworkConfigurationPolicy'
  readonly name: string
  /** What nmstate says of it; absent while it says nothing. */
  readonly progress?: PolicyProgress
  readonly own?: OwnPolicy
  /** Of the one that is made from the Site (R6.6). */
  readonly ofSite?: {
    readonly generation: number
    /** As written. */
    readonly routes: readonly JsonObject[]
  }
  readonly interfaces: readonly PolicyInterface[]
  readonly nextHops: readonly Ip[]
}
export type PolicyProgress = {
  readonly state: 'Available' | 'Progressing' | 'Failed'
  /** As nmstate writes the time; empty where it does not. */
  readonly since: string
  readonly message: string
}
/** What only one has that we made. */
export type OwnPolicy = {
  readonly generation: number
  readonly desired: JsonObject
  /** The addresses that its interfaces had before. */
  readonly kept: readonly InterfaceAddress[]
  /** Those that it gave before and that reports may still show. */
  readonly leaving: readonly InterfaceAddress[]
  /** Those that it follows from. */
  readonly tenants: readonly string[]
}
/** nmstate's record of a policy on one node. */
export type Enactment = {
  readonly kind: 'NodeNetworkConfigurationEnactment'
  /** `<node>.<policy>` */
  readonly name: string
  /** The generation of the policy that it is about. */
  readonly policyGeneration: number
  readonly progress?: PolicyProgress
}
export type PolicyInterface = {
  readonly name: string
  readonly base: string
  readonly vlan: number | undefined
  readonly addresses: readonly { readonly address: Ip; readonly prefixLength: number }[]
}
