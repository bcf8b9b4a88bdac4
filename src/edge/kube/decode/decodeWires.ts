// Who else assigns addresses? Objects of other projects, so invalid parts are skipped.
import type {
  NetConfig,
  NetConfigSubnet,
  NodePolicy,
  PolicyInterface,
  Reservation,
} from '../../../core/model/wires.ts'
import { familyOf, type Ip, parseIp, toBigInt } from '../../../core/net/ip.ts'
import { parsePrefix, type Range } from '../../../core/net/range.ts'
import { type HostAddress, parseHostAddress } from './decodeHostAddress.ts'
import { metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

export function decodeNetConfig(object: Fields): NetConfig {
  const { name, namespace } = metaOf(object)
  const networks = object.inner('spec').each('networks')
  const subnets = networks.flatMap((network) =>
    network.each('subnets').map((subnet) => subnetOf(network.text('name'), subnet)),
  )
  const occupied = subnets.flatMap(({ gateway, nextHops }) =>
    gateway === undefined ? nextHops : [gateway, ...nextHops],
  )
  return { kind: 'NetConfig', key: `${namespace}/${name}`, name, namespace, subnets, occupied }
}

function subnetOf(network: string, subnet: Fields): NetConfigSubnet {
  const excluded = subnet.parseEachIf('excludeAddresses', parseIp)
  return {
    network,
    name: subnet.text('name'),
    cidr: subnet.parseIf('cidr', parsePrefix),
    vlan: subnet.number('vlan') || undefined,
    gateway: subnet.parseIf('gateway', parseIp),
    nextHops: subnet.each('routes').flatMap((route) => route.parseIf('nexthop', parseIp) ?? []),
    ranges: subnet
      .each('allocationRanges')
      .flatMap((range) => without(rangeBetween(range, 'start', 'end'), excluded)),
  }
}

function rangeBetween(parent: Fields, start: string, end: string): readonly Range[] {
  const [first, last] = [parent.parseIf(start, parseIp), parent.parseIf(end, parseIp)]
  if (first === undefined || last === undefined || familyOf(first) !== familyOf(last)) return []
  const range = { family: familyOf(first), first: toBigInt(first), last: toBigInt(last) }
  return range.first <= range.last ? [range] : []
}

/** Excluded addresses split the range into the parts before and after them. */
function without(ranges: readonly Range[], excluded: readonly Ip[]): readonly Range[] {
  return excluded.reduce((rest, ip) => {
    const at = toBigInt(ip)
    return rest.flatMap((range) => {
      if (range.family !== familyOf(ip) || at < range.first || range.last < at) return [range]
      const sides = [
        { ...range, last: at - 1n },
        { ...range, first: at + 1n },
      ]
      return sides.filter((side) => side.first <= side.last)
    })
  }, ranges)
}

export function decodeNodePolicy(object: Fields): NodePolicy {
  const desired = object.inner('spec').inner('desiredState')
  const routes = desired.inner('routes').each('config')
  return {
    kind: 'NodeNetworkConfigurationPolicy',
    name: metaOf(object).name,
    interfaces: desired.each('interfaces').filter(isWanted).map(policyInterface),
    nextHops: routes
      .filter(isWanted)
      .flatMap((route) => route.parseIf('next-hop-address', parseIp) ?? []),
  }
}

/** nmstate removes what a policy lists as absent. */
const isWanted = (entry: Fields): boolean => entry.text('state') !== 'absent'

function policyInterface(entry: Fields): PolicyInterface {
  const vlan = entry.inner('vlan')
  return {
    name: entry.text('name'),
    base: vlan.text('base-iface'),
    vlan: vlan.number('id'),
    addresses: ['ipv4', 'ipv6'].flatMap((family) =>
      entry.inner(family).each('address').flatMap(hostAddress),
    ),
  }
}

function hostAddress(entry: Fields): readonly HostAddress[] {
  const host = parseHostAddress(`${entry.text('ip')}/${entry.number('prefix-length')}`)
  return host.ok ? [host.value] : []
}

export function decodeReservation(object: Fields): Reservation {
  const { name, namespace } = metaOf(object)
  const byNetwork = object.inner('spec').inner('reservation')
  const networks = [...byNetwork.names()].sort()
  return {
    kind: 'Reservation',
    key: `${namespace}/${name}`,
    name,
    namespace,
    occupied: networks.flatMap(
      (network) => byNetwork.inner(network).parseIf('address', parseIp) ?? [],
    ),
  }
}
