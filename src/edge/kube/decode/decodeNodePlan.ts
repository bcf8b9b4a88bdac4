// What does a NetConfig plan? Its networks as written; a field that cannot be read is an error of
// that field, for admission to refuse and for the rest to go on without.
import type { FieldError } from '../../../core/model/admission.ts'
import { unreadable } from '../../../core/model/fieldError.ts'
import type {
  NodeNetwork,
  NodePlan,
  NodeRoute,
  NodeSubnet,
} from '../../../core/model/ipam/nodePlan.ts'
import { familyOf, type Ip, parseIp, toBigInt } from '../../../core/net/ip.ts'
import { apart, withoutEach } from '../../../core/net/ordered.ts'
import type { Parsed } from '../../../core/net/parsed.ts'
import { parsePrefix, type Range } from '../../../core/net/range.ts'
import { berth } from '../annotations.ts'
import { keepOf } from './decodeKeep.ts'
import { metaOf } from './decodeMeta.ts'
import { withSticky } from './decodeSticky.ts'
import type { Fields } from './fields.ts'

export function nodePlanOf(object: Fields): NodePlan {
  const { annotations, createdAt } = metaOf(object)
  const unread: FieldError[] = []
  const networks = object
    .inner('spec')
    .each('networks')
    .map((network, at) => networkOf(network, new Reading(unread, `spec.networks[${at}]`)))
  return {
    createdAt,
    networks: withSticky(networks, annotations[berth.sticky] ?? '', unread),
    unread,
    wire: annotations[berth.wire] ?? '',
    skipsAsUpstream: annotations[berth.skip] === 'upstream',
    keep: keepOf(annotations, unread),
  }
}

/** Where we read, and what could not be read so far. */
class Reading {
  readonly #errors: FieldError[]
  readonly #path: string

  constructor(errors: FieldError[], path: string) {
    this.#errors = errors
    this.#path = path
  }

  at(name: string, index?: number): Reading {
    const place = index === undefined ? name : `${name}[${index}]`
    return new Reading(this.#errors, `${this.#path}.${place}`)
  }

  take<T>(result: Parsed<T>): T | undefined {
    if (result.ok) return result.value
    this.#errors.push(unreadable(this.#path, result.why))
    return undefined
  }
}

function networkOf(network: Fields, reading: Reading): NodeNetwork {
  const name = network.text('name')
  return {
    name,
    dnsDomain: network.text('dnsDomain'),
    mtu: network.number('mtu') ?? 1500,
    serviceNetwork: network.text('serviceNetwork') || name.toLowerCase(),
    subnets: network
      .each('subnets')
      .map((subnet, at) => subnetOf(name, subnet, reading.at('subnets', at))),
  }
}

function subnetOf(network: string, subnet: Fields, reading: Reading): NodeSubnet {
  const [cidrText, gatewayText] = [subnet.text('cidr'), subnet.text('gateway')]
  const routes = subnet.each('routes').map((route, at) => routeOf(route, reading.at('routes', at)))
  const excluded = subnet
    .texts('excludeAddresses')
    .map((text, at) => reading.at('excludeAddresses', at).take(parseIp(text)))
  const allocation = subnet.each('allocationRanges').map((range, at) => ({
    start: reading
      .at('allocationRanges', at)
      .at('start')
      .take(parseIp(range.text('start'))),
    end: reading
      .at('allocationRanges', at)
      .at('end')
      .take(parseIp(range.text('end'))),
  }))
  return {
    network,
    name: subnet.text('name'),
    cidr: reading.at('cidr').take(parsePrefix(cidrText)),
    cidrText,
    dnsDomain: subnet.text('dnsDomain'),
    vlan: subnet.number('vlan'),
    gateway: subnet.has('gateway') ? reading.at('gateway').take(parseIp(gatewayText)) : undefined,
    gatewayText,
    routes,
    nextHops: routes.flatMap(({ nextHop }) => nextHop ?? []),
    allocation,
    excluded,
    sticky: [],
    ranges: withoutEach(
      apart(allocation.flatMap(({ start, end }) => rangeBetween(start, end))),
      excluded.flatMap((ip) => (ip === undefined ? [] : [justOne(ip)])),
    ),
  }
}

function routeOf(route: Fields, reading: Reading): NodeRoute {
  const [destination, nexthop] = [route.text('destination'), route.text('nexthop')]
  reading.at('destination').take(parsePrefix(destination))
  return { destination, nexthop, nextHop: reading.at('nexthop').take(parseIp(nexthop)) }
}

function rangeBetween(start: Ip | undefined, end: Ip | undefined): readonly Range[] {
  if (start === undefined || end === undefined || familyOf(start) !== familyOf(end)) return []
  const range = { family: familyOf(start), first: toBigInt(start), last: toBigInt(end) }
  return range.first <= range.last ? [range] : []
}

const justOne = (ip: Ip): Range => ({
  family: familyOf(ip),
  first: toBigInt(ip),
  last: toBigInt(ip),
})
