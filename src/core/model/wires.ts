// Who else gives out addresses on the wires? NetConfigs, attachments, reservations.
import type { Ip } from '../net/ip.ts'
import type { Prefix, Range } from '../net/range.ts'
import type { Occupying } from './elsewhere.ts'
import type { NodePlan } from './ipam/nodePlan.ts'
import type { Reserved } from './ipam/reserved.ts'
import type { Made } from './made.ts'

export type NetConfigSubnet = {
  readonly network: string
  readonly name: string
  readonly cidr: Prefix | undefined
  readonly vlan: number | undefined
  readonly gateway: Ip | undefined
  readonly nextHops: readonly Ip[]
  /** In the order in which they are given from; none overlaps another. */
  readonly ranges: readonly Range[]
  /** For pods that keep their address (R12.15): hosts get none of these. */
  readonly sticky: readonly Range[]
}
export type NetConfig = Occupying &
  Made &
  NodePlan & {
    readonly kind: 'NetConfig'
    readonly key: string
    readonly name: string
    readonly namespace: string
    readonly subnets: readonly NetConfigSubnet[]
  }

/** A NetworkAttachmentDefinition whose addresses come from whereabouts. */
export type Attachment = Made & {
  readonly kind: 'NetworkAttachmentDefinition'
  readonly key: string
  readonly name: string
  readonly namespace: string
  readonly master: string
  /** The vlan of a bridge or vlan plugin, when the config has one. */
  readonly vlan: number | undefined
  readonly networkName: string
  readonly ranges: readonly AttachmentRange[]
  /** The network of the NetConfig that it is on: its own name unless it says another. */
  readonly network: string
  /** Its pods get the addresses that they are annotated with (the static plugin). */
  readonly takesIps: boolean
  /** Whether anything gives its pods addresses. */
  readonly hasIpam: boolean
  /** As written; operators make it the default route of their pods. */
  readonly gatewayText: string
}
export type AttachmentRange = {
  readonly subnet: Prefix
  /** range_start to range_end, less nothing: what whereabouts may give. */
  readonly given: Range
  readonly excluded: readonly Range[]
  readonly gateway: Ip | undefined
}

export type Reservation = Occupying &
  Reserved & {
    readonly kind: 'Reservation'
    readonly key: string
    readonly name: string
    readonly namespace: string
  }
