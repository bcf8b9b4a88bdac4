// Which address does each node get in each network? The one that its policy has, else one that its
// interface shows, else the lowest that is free, nodes in order of name (R4.17).
import { linkOf, type Network } from '../../../model/tenant.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import { contains, covers } from '../../../net/intervals.ts'
import { fromBigInt, type Ip, toBigInt } from '../../../net/ip.ts'
import { type Range, rangeOf } from '../../../net/range.ts'
import { interfaceAddresses } from '../../wires/wiresOfNodes.ts'
import { ownPolicyOf } from './ownPolicies.ts'

export type HostAddress = { readonly address: Ip; readonly prefixLength: number }
type Given = ReadonlyMap<string, readonly HostAddress[]>

/** By node; one that is not in it got none: the ranges are used up. */
export function hostAddresses(
  world: ReadonlyWorld,
  network: Network,
  shown: ShownAddresses,
): Given {
  const nodes = [...world.all('Node').keys()].sort()
  const given = new Map<string, HostAddress[]>()
  for (const cidr of network.cidrs) {
    const ranges = network.hosts.filter((range) => covers(rangeOf(cidr), range))
    if (ranges.length === 0) continue
    for (const [node, address] of inOneFamily(world, { network, nodes, ranges, shown })) {
      const before = given.get(node) ?? []
      given.set(node, [...before, { address, prefixLength: cidr.length }])
    }
  }
  return given
}

/** What nodes are known to have: which address on which node, and on which interface. */
type ShownAddresses = {
  readonly on: (node: string, link: string) => readonly Ip[]
  readonly isOfAnother: (ip: Ip, node: string) => boolean
}

export function shownAddresses(world: ReadonlyWorld): ShownAddresses {
  const reported = interfaceAddresses(world)
  const nodes = new Map<Ip, Set<string>>()
  const add = (ip: Ip, node: string) => nodes.set(ip, (nodes.get(ip) ?? new Set()).add(node))
  for (const [node, addresses] of reported) for (const { address } of addresses) add(address, node)
  for (const { name, addresses } of world.all('Node').values()) {
    for (const address of addresses) add(address, name)
  }
  return {
    on: (node, link) =>
      (reported.get(node) ?? [])
        .filter((one) => one.interface === link)
        .map(({ address }) => address),
    isOfAnother: (ip, node) => [...(nodes.get(ip) ?? [])].some((one) => one !== node),
  }
}

type Giving = {
  readonly network: Network
  readonly nodes: readonly string[]
  readonly ranges: readonly Range[]
  readonly shown: ShownAddresses
}

function inOneFamily(world: ReadonlyWorld, giving: Giving): ReadonlyMap<string, Ip> {
  const { network, nodes, ranges, shown } = giving
  const link = linkOf(network)
  const isIn = (ip: Ip) => ranges.some((range) => contains(range, ip))
  const given = new Map<string, Ip>()
  const taken = new Set<Ip>()
  const give = (node: string, ip: Ip | undefined) => {
    if (ip === undefined || given.has(node) || taken.has(ip)) return
    given.set(node, ip)
    taken.add(ip)
  }
  for (const node of nodes) give(node, inPolicy(world, node, link).find(isIn))
  for (const node of nodes) give(node, shown.on(node, link).find(isIn))
  const free = unused(ranges, taken)
  for (const node of nodes) {
    if (!given.has(node))
      give(
        node,
        free((ip) => shown.isOfAnother(ip, node)),
      )
  }
  return given
}

const inPolicy = (world: ReadonlyWorld, node: string, link: string): readonly Ip[] =>
  (ownPolicyOf(world, node)?.interfaces ?? [])
    .filter(({ name }) => name === link)
    .flatMap(({ addresses }) => addresses.map(({ address }) => address))

/** The lowest free address; those below it are not checked again. */
function unused(ranges: readonly Range[], taken: ReadonlySet<Ip>) {
  const all = addressesIn(ranges)
  return (isOfAnother: (ip: Ip) => boolean): Ip | undefined => {
    for (let next = all.next(); next.done !== true; next = all.next()) {
      if (!taken.has(next.value) && !isOfAnother(next.value)) return next.value
    }
    return undefined
  }
}

function* addressesIn(ranges: readonly Range[]): Generator<Ip> {
  const sorted = [...ranges].sort((one, other) => (one.first < other.first ? -1 : 1))
  for (const { family, first, last } of sorted) {
    for (let at = first; at <= last; at++) yield fromBigInt(family, at)
  }
}

export const byAddress = (one: HostAddress, other: HostAddress): number =>
  toBigInt(one.address) < toBigInt(other.address) ? -1 : 1
