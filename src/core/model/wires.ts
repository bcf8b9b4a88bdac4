// Who else gives out addresses on the wires? NetConfigs, attachments, node policies, reservations.
import type { Ip } from '../net/ip.ts'
import type { Prefix, Range } from '../net/range.ts'
import type { Occupying } from './elsewhere.ts'

export type NetConfigSubnet = {
  readonly network: string
  readonly name: string
  readonly cidr: Prefix | undefined
  readonly vlan: number | undefined
  readonly gateway: Ip | undefined
  readonly nextHops: readonly Ip[]
  readonly ranges: readonly Range[]
}
export type NetConfig = Occupying & {
  readonly kind: 'NetConfig'
  readonly key: string
  readonly name: string
  readonly namespace: string
  readonly subnets: readonly NetConfigSubnet[]
}

/** A NetworkAttachmentDefinition whose addresses come from whereabouts. */
export type Attachment = {
  readonly kind: 'NetworkAttachmentDefinition'
  readonly key: string
  readonly name: string
  readonly namespace: string
  readonly master: string
  /** The vlan of a bridge or vlan plugin, when the config has one. */
  readonly vlan: number | undefined
  readonly networkName: string
  readonly ranges: readonly AttachmentRange[]
}
export type AttachmentRange = {
  readonly subnet: Prefix
  /** range_start to range_end, less nothing: what whereabouts may give. */
  readonly given: Range
  readonly excluded: readonly Range[]
  readonly gateway: Ip | undefined
}

export type NodePolicy = {
  readonly kind: 'NodeNetworkConfigurationPolicy'
  readonly name: string
  readonly interfaces: readonly PolicyInterface[]
  readonly nextHops: readonly Ip[]
}
export type PolicyInterface = {
  readonly name: string
  readonly base: string
  readonly vlan: number | undefined
  readonly addresses: readonly { readonly address: Ip; readonly prefixLength: number }[]
}

export type Reservation = Occupying & {
  readonly kind: 'Reservation'
  readonly key: string
  readonly name: string
  readonly namespace: string
}
