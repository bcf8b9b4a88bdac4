// What does an object claim on a wire? Addresses in one role; the ledger compares such uses.
import { familyOf, type Ip, toBigInt } from '../../net/ip.ts'
import type { Range } from '../../net/range.ts'
import { mayBeOne, type Wire } from './wires.ts'

export type Role = 'vip' | 'node' | 'nodeAddress' | 'attachment' | 'gateway' | 'subnet'

export type RangeUse = {
  readonly role: Role
  /** Where a problem with it is reported. */
  readonly object: string
  /** Empty where no field says it. */
  readonly field: string
  /** What it is inside the object, for people; empty where the object says it all. */
  readonly what: string
  /** Never empty: what is not known is an unknown wire. */
  readonly wires: readonly Wire[]
  readonly range: Range
  /** Who gives the addresses, and under which whereabouts network_name or wire. */
  readonly giver?: Giver
}
type Giver = {
  readonly namespace: string
  readonly tenant: string
  readonly networkName: string
}
export type RangeSource = Pick<RangeUse, 'object' | 'field' | 'wires' | 'giver'>

export const rangeUseAt =
  (place: RangeSource, role: Role, what: string) =>
  (range: Range): RangeUse => ({ ...place, role, what, range })

export function justOne(ip: Ip): Range {
  const value = toBigInt(ip)
  return { family: familyOf(ip), first: value, last: value }
}

export const shareWire = (one: RangeUse, other: RangeUse): boolean =>
  one.wires.some((wire) =>
    other.wires.some((another) =>
      one.object === other.object ? isSaidOfOne(wire, another) : mayBeOne(wire, another),
    ),
  )

/** Where one object says both, no VLAN id beside one means untagged. */
const isSaidOfOne = (one: Wire, other: Wire): boolean =>
  mayBeOne(one, other) && one.vlan === other.vlan
