// How is an interface of a node written in nmstate's language, while it is wanted and when it goes?
import type { JsonObject } from '../../../model/gate.ts'
import { recordAt, textAt } from '../../../model/json.ts'
import { type Family, familyOf } from '../../../net/ip.ts'
import { byAddress, type HostAddress } from './hostAddresses.ts'
import type { Carried } from './hostCarries.ts'
import type { HostLink } from './hostLinks.ts'

const families: readonly (readonly [string, Family])[] = [
  ['ipv4', 'IPv4'],
  ['ipv6', 'IPv6'],
]

export function wantedState(
  link: HostLink,
  given: readonly HostAddress[],
  { kept, isInUse, isEthernet }: Carried,
): JsonObject {
  const { name, base, vlan, mtu } = link
  const head = { name, state: 'up', ...(mtu === undefined ? {} : { mtu }) }
  const isOurs = vlan !== undefined && !isInUse
  const ip = families.map(([field, family]) => {
    const all = together(kept, given).filter(({ address }) => familyOf(address) === family)
    const hasGiven = given.some(({ address }) => familyOf(address) === family)
    return [field, isOurs ? whole(family, all) : hasGiven ? added(all) : undefined] as const
  })
  const addresses = Object.fromEntries(ip.filter(([, state]) => state !== undefined))
  if (vlan !== undefined) {
    return { ...head, type: 'vlan', vlan: { 'base-iface': base, id: vlan }, ...addresses }
  }
  // A bridge is not an ethernet: what is there keeps its type.
  return { ...head, ...(isEthernet ? { type: 'ethernet' } : {}), ...addresses }
}

/** A network may give a node the address that it has there already. */
export const together = (kept: readonly HostAddress[], given: readonly HostAddress[]) => [
  ...kept,
  ...given.filter(({ address }) => !kept.some((one) => one.address === address)),
]

/** An interface that we make has these addresses and no others. */
function whole(family: Family, all: readonly HostAddress[]): JsonObject {
  if (all.length === 0) return { enabled: false }
  const autoconf = family === 'IPv6' ? { autoconf: false } : {}
  return { enabled: true, dhcp: false, ...autoconf, address: listed(all) }
}

/** Whether it was written as one that we make, with our addresses and no others. */
export const isWhole = (written: JsonObject): boolean =>
  families
    .map(([field]) => recordAt(written, field))
    .every((ip) => ip['enabled'] === false || ip['dhcp'] === false)

/** In addition to what exists: DHCP is not mentioned, so it keeps running. */
const added = (all: readonly HostAddress[]): JsonObject => ({
  enabled: true,
  address: listed(all),
})

const listed = (all: readonly HostAddress[]): readonly JsonObject[] =>
  [...all]
    .sort(byAddress)
    .map(({ address, prefixLength }) => ({ ip: address, 'prefix-length': prefixLength }))

/**
 * nmstate keeps what a policy made when it no longer lists it. A VLAN of ours is removed; any other
 * interface, or a VLAN that DHCP serves, goes back to what it had.
 */
export function leavingState(before: JsonObject, kept: readonly HostAddress[]): JsonObject {
  const name = textAt(before, 'name')
  const type = textAt(before, 'type')
  if (textAt(before, 'state') === 'absent') return before
  if (type === 'vlan' && kept.length === 0 && isWhole(before)) {
    return { name, type, state: 'absent' }
  }
  const fields = families
    .filter(([field]) => Array.isArray(recordAt(before, field)['address']))
    .map(([field, family]) => {
      const own = kept.filter(({ address }) => familyOf(address) === family)
      return [field, { enabled: true, address: listed(own) }] as const
    })
  const vlan = type === 'vlan' ? { vlan: before['vlan'] } : {}
  return {
    name,
    state: 'up',
    ...(type === '' ? {} : { type }),
    ...vlan,
    ...Object.fromEntries(fields),
  }
}
