// Do VLANs and subnets fit one another? Subnets that overlap count as one that is written twice.
import { prefixesOf, rangeText } from '../../net/intervals.ts'
import { prefixText, type Range } from '../../net/range.ts'
import type { Effort } from './wiresEffort.ts'
import type { RangeUse } from './wiresRangeUse.ts'
import type { Overlap } from './wiresSweep.ts'

/** Both sides know all their VLAN ids and have none in common. */
export const onTwoVlans = (one: RangeUse, other: RangeUse): boolean =>
  one.wires.every(
    ({ vlan }) =>
      vlan !== undefined &&
      other.wires.every((wire) => wire.vlan !== undefined && wire.vlan !== vlan),
  )

export function vlanText({ wires }: RangeUse): string {
  const ids = new Set(wires.map(({ vlan = 0 }) => vlan))
  return `VLAN ${[...ids].sort((one, other) => one - other).join(' and ')}`
}

/** As a prefix where it is one; what is in common need not be. */
export function subnetText(range: Range): string {
  const [prefix, ...more] = prefixesOf(range)
  const isSubnet = prefix !== undefined && more.length === 0 && range.first < range.last
  return isSubnet ? prefixText(prefix) : rangeText(range)
}

type SharedVlan = { readonly wire: string; readonly both: Overlap }

/** Each subnet with one that another object has on the same VLAN: with one only, or a VLAN with a
 *  hundred subnets would be five thousand problems. Takes uses in ascending order. */
export function* twoSubnets(uses: readonly RangeUse[], effort: Effort): Generator<SharedVlan> {
  for (const { wire, subnets } of vlansIn(uses)) {
    for (const subnet of subnets) {
      for (const use of subnet) {
        if (!effort.mayCompare(subnets.length)) return
        const stranger = strangerBeside(use, subnet, subnets)
        if (stranger !== undefined) yield { wire, both: [stranger, use] }
      }
    }
  }
}

function strangerBeside(
  use: RangeUse,
  own: Subnet,
  subnets: Iterable<Subnet>,
): RangeUse | undefined {
  for (const subnet of subnets) {
    if (subnet === own) continue
    const stranger = subnet.find(({ object }) => object !== use.object)
    if (stranger !== undefined) return stranger
  }
  return undefined
}

/** Everybody who says that it is there. */
type Subnet = RangeUse[]
type Vlan = { readonly wire: string; readonly subnets: Subnet[]; lastReach: bigint }

/** Of known interfaces only, and each family for itself: dual stack is one network. */
function vlansIn(uses: readonly RangeUse[]): Iterable<Vlan> {
  const vlans = new Map<string, Vlan>()
  for (const use of uses) {
    if (use.role !== 'subnet') continue
    for (const { interface: name, vlan } of use.wires) {
      if (name === undefined || vlan === undefined) continue
      const wire = `${name}.${vlan}`
      const key = `${wire} ${use.range.family}`
      const { first, last } = use.range
      const known = vlans.get(key) ?? { wire, subnets: [], lastReach: -1n }
      vlans.set(key, known)
      if (known.lastReach >= first) known.subnets.at(-1)?.push(use)
      else known.subnets.push([use])
      if (last > known.lastReach) known.lastReach = last
    }
  }
  return vlans.values()
}
