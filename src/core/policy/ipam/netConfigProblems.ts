// What in a NetConfig is accepted and can hardly be meant (R12.11)? Upstream accepts it, and hosts
// get addresses all the same: a problem to report, and a warning to whoever writes it.

import type { NodeNetwork, NodeSubnet } from '../../model/ipam/nodePlan.ts'
import type { Problem } from '../../model/problem.ts'
import { objectOf } from '../../model/view.ts'
import type { NetConfig } from '../../model/wires.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { contains, overlap, rangeText } from '../../net/intervals.ts'
import { familyOf, fromBigInt, toBigInt } from '../../net/ip.ts'
import { prefixText, type Range, rangeOf } from '../../net/range.ts'
import { byFirst } from '../../net/subtract.ts'
import { vlanOf } from '../wires/wires.ts'

type Doubt = Pick<Problem, 'code' | 'message'> & { readonly field: string }

/** Of one NetConfig: the rest of a long list says nothing new. */
const mostTold = 20

export function netConfigProblems(world: ReadonlyWorld): Problem[] {
  const configs = [...world.all('NetConfig').values()].filter(({ maker }) => maker === undefined)
  return configs.flatMap((config): readonly Problem[] => {
    const object = objectOf(config)
    const [counts = config] = world.nodes.configsIn(config.namespace)
    if (counts.key !== config.key) {
      const message = `NetConfig ${counts.key} is older: this one does nothing`
      return [{ code: 'configuration-twice', severity: 'error', object, message }]
    }
    return doubtsAbout(config).map((doubt) => ({ ...doubt, severity: 'warning', object }))
  })
}

/** In the order of the fields for each question. */
export function doubtsAbout(config: NetConfig): readonly Doubt[] {
  const subnets = subnetsOf(config)
  return [
    ...config.networks.flatMap(mtuDoubts),
    ...subnets.flatMap(vlanDoubts),
    ...subnets.flatMap(endDoubts),
    ...subnets.flatMap(rangeDoubts),
    ...overlapDoubts(subnets),
    ...sharedVlans(subnets),
  ].slice(0, mostTold)
}

type Placed = { readonly path: string; readonly network: string; readonly subnet: NodeSubnet }

const subnetsOf = ({ networks }: NetConfig): readonly Placed[] =>
  networks.flatMap(({ name, subnets }, at) =>
    subnets.map((subnet, index) => ({
      path: `spec.networks[${at}].subnets[${index}]`,
      network: name,
      subnet,
    })),
  )

const nameOf = ({ network, subnet }: Placed): string => `${network} ${subnet.name}`

/** RFC 791 and RFC 8200; nothing is larger than an IP packet. */
const [leastMtu, leastMtuV6, mostMtu] = [68, 1280, 65_535]

function mtuDoubts({ name, mtu, subnets }: NodeNetwork, at: number): readonly Doubt[] {
  const hasV6 = subnets.some(({ cidr }) => cidr?.family === 'IPv6')
  const least = hasV6 ? leastMtuV6 : leastMtu
  if (mtu >= least && mtu <= mostMtu) return []
  const message = `${name} has MTU ${mtu}; hosts need ${least} to ${mostMtu}`
  return [{ code: 'unlikely-value', field: `spec.networks[${at}].mtu`, message }]
}

function vlanDoubts(placed: Placed): readonly Doubt[] {
  const { vlan } = placed.subnet
  if (vlan === undefined || vlan > 0) return []
  const right = 'a VLAN id is 1 to 4094; leave it out for an untagged network'
  const message = `${nameOf(placed)} has VLAN ${vlan}: ${right}`
  return [{ code: 'unlikely-value', field: `${placed.path}.vlan`, message }]
}

function endDoubts(placed: Placed): readonly Doubt[] {
  const { cidr, cidrText } = placed.subnet
  if (cidr === undefined) return []
  const whole = rangeOf(cidr)
  // Networks of one or two addresses have no such ends (RFC 3021).
  if (whole.last - whole.first < 3n) return []
  const ends = [
    { what: 'network address', value: whole.first },
    ...(cidr.family === 'IPv4' ? [{ what: 'broadcast address', value: whole.last }] : []),
  ]
  return rangesOf(placed).flatMap(({ field, range }) =>
    ends.flatMap(({ what, value }) => {
      const ip = fromBigInt(cidr.family, value)
      if (!contains(range, ip)) return []
      const message = `${rangeText(range)} contains ${ip}, the ${what} of ${cidrText}`
      return [{ code: 'unlikely-value', field, message }]
    }),
  )
}

type Ranged = { readonly field: string; readonly range: Range }

const rangesOf = ({ path, subnet }: Placed): readonly Ranged[] =>
  subnet.allocation.flatMap(({ start, end }, at) => {
    if (start === undefined || end === undefined || familyOf(start) !== familyOf(end)) return []
    const range = { family: familyOf(start), first: toBigInt(start), last: toBigInt(end) }
    return range.first > range.last ? [] : [{ field: `${path}.allocationRanges[${at}]`, range }]
  })

function rangeDoubts(placed: Placed): readonly Doubt[] {
  return [...overlapsAmong(rangesOf(placed))].map(([one, other]) => {
    const message = `${rangeText(one.range)} and ${rangeText(other.range)} have addresses in common`
    return { code: 'subnets-overlap', field: other.field, message }
  })
}

/** One subnet on two VLANs is reported for all allocators elsewhere. */
function overlapDoubts(subnets: readonly Placed[]): readonly Doubt[] {
  const whole = subnets.flatMap((placed) => {
    const { cidr } = placed.subnet
    const vlan = vlanOf(placed.subnet.vlan)
    return cidr === undefined ? [] : [{ ...placed, vlan, range: rangeOf(cidr) }]
  })
  const doubts: Doubt[] = []
  for (const [one, other] of overlapsAmong(whole)) {
    if (doubts.length === mostTold) break
    const message = `${textOf(one)} and ${textOf(other)} have addresses in common`
    doubts.push({ code: 'subnets-overlap', field: `${other.path}.cidr`, message })
  }
  return doubts
}

/** As it is written, and as it is meant where that differs. */
function textOf(placed: Placed): string {
  const { cidr, cidrText } = placed.subnet
  const meant = cidr === undefined ? cidrText : prefixText(cidr)
  const text = meant === cidrText ? cidrText : `${cidrText}, which is ${meant}`
  return `${nameOf(placed)} (${text})`
}

/** Leaves of one network may use one id each for itself, and dual stack is one network. */
function sharedVlans(subnets: readonly Placed[]): readonly Doubt[] {
  const known = new Map<string, Placed>()
  return subnets.flatMap((placed) => {
    const { cidr } = placed.subnet
    const vlan = vlanOf(placed.subnet.vlan)
    if (vlan === undefined || cidr === undefined) return []
    const key = `${vlan} ${cidr.family}`
    const first = known.get(key) ?? placed
    known.set(key, first)
    if (first.network === placed.network) return []
    const message = `${nameOf(first)} and ${nameOf(placed)} are both on VLAN ${vlan}`
    return [{ code: 'one-vlan-two-subnets', field: `${placed.path}.vlan`, message }]
  })
}

type OnVlan = { readonly range: Range; readonly vlan?: number | undefined }

/**
 * Each with the one before it that reaches furthest: untagged, and on its VLAN, or on every VLAN
 * where it is untagged itself.
 */
function* overlapsAmong<T extends OnVlan>(all: readonly T[]): Generator<readonly [T, T], void> {
  const furthest = new Map<number | undefined, T>()
  for (const one of all.toSorted((one, other) => byFirst(one.range, other.range))) {
    const { vlan } = one
    for (const id of vlan === undefined ? [...furthest.keys()] : [undefined, vlan]) {
      const before = furthest.get(id)
      if (before === undefined) continue
      if (overlap(before.range, one.range) !== undefined) yield [before, one]
      // Nothing that comes later begins before its end.
      else furthest.delete(id)
    }
    const before = furthest.get(vlan)
    if (before === undefined || one.range.last > before.range.last) furthest.set(vlan, one)
  }
}
