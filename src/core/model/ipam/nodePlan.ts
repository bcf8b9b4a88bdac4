// From which networks do nodes get their addresses? What a NetConfig says beyond its ranges, as it
// is written: what cannot be read is kept as an error, and takes no other network down.
import type { Ip } from '../../net/ip.ts'
import type { FieldError } from '../admission.ts'
import type { NetConfigSubnet } from '../wires.ts'

export type NodePlan = {
  readonly createdAt: string
  readonly networks: readonly NodeNetwork[]
  /** Fields that cannot be read. */
  readonly unread: readonly FieldError[]
  /** What it says, which joins nothing: the Namespace says where it is (R12.4). */
  readonly wire: string
  /** As upstream: gateways and addresses in use elsewhere are given too (R12.3). */
  readonly skipsAsUpstream: boolean
  /** How long the addresses of an IPSet that is gone are kept for its name (R12.9). */
  readonly keep: string
}

export type NodeNetwork = {
  readonly name: string
  readonly dnsDomain: string
  readonly mtu: number
  readonly serviceNetwork: string
  readonly subnets: readonly NodeSubnet[]
}

export type NodeSubnet = NetConfigSubnet & {
  readonly cidrText: string
  readonly dnsDomain: string
  readonly gatewayText: string
  readonly routes: readonly NodeRoute[]
  /** In the order of the fields; undefined where one cannot be read. */
  readonly allocation: readonly { readonly start: Ip | undefined; readonly end: Ip | undefined }[]
  readonly excluded: readonly (Ip | undefined)[]
}

export type NodeRoute = {
  readonly destination: string
  readonly nexthop: string
  readonly nextHop: Ip | undefined
}

export type NetworkSubnet = { readonly network: NodeNetwork; readonly subnet: NodeSubnet }

const isCalled = (wanted: string) => {
  const name = wanted.toLowerCase()
  return (one: { readonly name: string }): boolean => one.name.toLowerCase() === name
}

/** Names match regardless of case; the first in the order of the NetConfig counts. */
export const networkIn = ({ networks }: NodePlan, name: string): NodeNetwork | undefined =>
  networks.find(isCalled(name))

export const subnetIn = ({ subnets }: NodeNetwork, name: string): NodeSubnet | undefined =>
  subnets.find(isCalled(name))
