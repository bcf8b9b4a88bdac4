// What do NetConfigs, attachments and reservations claim? Ranges, subnets and gateways.
import type { Made } from '../../model/made.ts'
import { objectOf } from '../../model/view.ts'
import type { Attachment, NetConfig, NetConfigSubnet, Reservation } from '../../model/wires.ts'
import { contains } from '../../net/intervals.ts'
import type { Ip } from '../../net/ip.ts'
import { rangeOf } from '../../net/range.ts'
import { without } from '../../net/subtract.ts'
import { unknownWire, vlanOf, type Wire, type WiresNamed, wiresUnder } from './wires.ts'
import { behind } from './wiresBehind.ts'
import { mostRanges } from './wiresEffort.ts'
import { justOne, type RangeUse, rangeUseAt } from './wiresRangeUse.ts'

/** What was made from a tenant is left to the tenant, which says the same (R4.19). */
export const isMade = ({ maker }: Made): boolean => maker !== undefined

/** `wireName` is what its Namespace calls the wire (R12.4). */
export const netConfigRangeUses = (config: NetConfig, wireName: string): RangeUse[] =>
  config.subnets.flatMap((subnet) => {
    const { network, cidr, ranges, sticky, gateway, nextHops } = subnet
    const field = 'spec.networks'
    const giver = { namespace: config.namespace, tenant: '', networkName: wireName }
    const place = { object: objectOf(config), field, wires: [wireOf(subnet)], giver }
    const hops = [...new Set(nextHops)].filter((hop) => hop !== gateway)
    return [
      ...(cidr === undefined ? [] : [rangeUseAt(place, 'subnet', network)(rangeOf(cidr))]),
      ...ranges.map(rangeUseAt(place, 'node', `nodes of ${network}`)),
      ...sticky.map(rangeUseAt(place, 'node', `pods of ${network}`)),
      ...gatewayOf(gateway).map(rangeUseAt(place, 'gateway', `gateway of ${network}`)),
      ...hops.map(justOne).map(rangeUseAt(place, 'gateway', `next hop of ${network}`)),
    ]
  })

/** A NetConfig knows VLAN ids only: which interface a data-plane node has is its own affair. */
const wireOf = ({ vlan }: NetConfigSubnet): Wire => ({ ...unknownWire, vlan: vlanOf(vlan) })

type AttachmentPlace = {
  readonly named: WiresNamed
  readonly tenant: string
  /** Who takes addresses behind its range; empty if nobody does. */
  readonly taker: string
}

export function attachmentRangeUses(
  attachment: Attachment,
  { named, tenant, taker }: AttachmentPlace,
): RangeUse[] {
  const { namespace, networkName, master, vlan } = attachment
  const wires = wiresUnder(named, { name: master, vlan: vlanOf(vlan) })
  const giver = { namespace, tenant, networkName }
  const place = { object: objectOf(attachment), field: 'spec.config', wires, giver }
  return attachment.ranges.flatMap(({ subnet, given, excluded, gateway }) => [
    rangeUseAt(place, 'subnet', '')(rangeOf(subnet)),
    ...without([given], excluded).map(rangeUseAt(place, 'attachment', '')),
    ...(taker === '' ? [] : [behind(given, subnet)]).map(
      rangeUseAt(place, 'attachment', `taken by ${taker}`),
    ),
    ...gatewayOf(gateway).map(rangeUseAt(place, 'gateway', 'gateway')),
  ])
}

const gatewayOf = (ip: Ip | undefined) => (ip === undefined ? [] : [justOne(ip)])

/** On the wire of the subnet that it came from, in the NetConfig of its namespace. */
export function reservationRangeUses(
  reservation: Reservation,
  configs: readonly NetConfig[],
): RangeUse[] {
  const subnets = configs
    .filter(({ namespace }) => namespace === reservation.namespace)
    .flatMap((config) => config.subnets)
    .slice(0, mostRanges)
  // One more, so that it is seen to be too much.
  return reservation.occupied.slice(0, mostRanges + 1).map((ip) => {
    const home = subnets.filter(({ cidr }) => cidr !== undefined && contains(rangeOf(cidr), ip))
    const wires = home.length === 0 ? [unknownWire] : home.map(wireOf)
    const place = { object: objectOf(reservation), field: 'spec.reservation', wires }
    return rangeUseAt(place, 'nodeAddress', '')(justOne(ip))
  })
}
