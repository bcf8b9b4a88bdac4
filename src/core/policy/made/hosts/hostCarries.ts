// What does an interface of a node carry that is not ours? That stays (R4.27): addresses are added
// to it, and nothing is taken.
import type { JsonObject } from '../../../model/gate.ts'
import { textAt } from '../../../model/json.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import { contains } from '../../../net/intervals.ts'
import type { Ip } from '../../../net/ip.ts'
import { rangeOf } from '../../../net/range.ts'
import type { HostAddress } from './hostAddresses.ts'
import type { HostLink } from './hostLinks.ts'
import { isWhole } from './linkState.ts'
import { type Own, ownPolicyOf } from './ownPolicies.ts'
import { keptIn, leavingIn, listedIn, writtenIn } from './writtenLinks.ts'

export type Carried = {
  /** Permanent addresses of others, which a policy has to repeat, or nmstate removes them. */
  readonly kept: readonly HostAddress[]
  /** Whether anything is on it that is not ours. */
  readonly isInUse: boolean
  /** Known to be neither a bridge nor a bond nor the like. */
  readonly isEthernet: boolean
}
/** Why it stays as it is: as the policy has it, or outside the policy. */
type Untouchable = { readonly why: string }

export type Filled = { readonly link: HostLink; readonly given: readonly HostAddress[] }

/** `given`: what the node gets there, whether or not it shows it already. */
export function carriedBy(
  world: ReadonlyWorld,
  node: string,
  { link, given }: Filled,
): Carried | Untouchable {
  const known = knownOf(world, node)
  const written = writtenIn(known.policy, link.name)
  const why = whyUnknown(known, link, written)
  if (why !== undefined) return { why }
  const kept = keptHere(known, link.name)
  const ours = new Set(
    // Where a network gives the node its own address, that was there before us.
    addressesOf([...listedIn(known.policy, link.name), ...given]).filter(
      (address) => !known.own.includes(address),
    ),
  )
  const leaving = new Set(addressesOf(leavingIn(known.policy, link.name)))
  const isLeaving = ({ address, isTemporary }: Shown) =>
    // What DHCP gave is nothing that a policy gave.
    leaving.has(address) && isTemporary !== true && !known.own.includes(address)
  const others = known.shown
    .filter((one) => one.interface === link.name && !ours.has(one.address) && !isLeaving(one))
    .filter(({ address }) => world.holdersOf(address).length === 0)
  const isInUse = others.length + kept.length > 0 || (written !== undefined && !isWhole(written))
  return {
    kept: once([...kept, ...others.filter((one) => one.isTemporary !== true)]),
    isInUse,
    isEthernet:
      known.types.get(link.name) === '' &&
      (written === undefined ? !isInUse : textAt(written, 'type') === 'ethernet'),
  }
}

/** Never removed: what the host had before, and the Node's own addresses. */
export const keptOn = (world: ReadonlyWorld, node: string, link: string): readonly HostAddress[] =>
  keptHere({ own: ownAddresses(world, node), policy: ownPolicyOf(world, node) }, link)

const keptHere = ({ own, policy }: Pick<Known, 'own' | 'policy'>, link: string) =>
  once([
    ...keptIn(policy, link),
    ...listedIn(policy, link).filter(({ address }) => own.includes(address)),
  ])

type Shown = HostAddress & { readonly interface: string; readonly isTemporary?: true }
type Known = {
  readonly node: string
  readonly own: readonly Ip[]
  readonly policy: Own | undefined
  readonly shown: readonly Shown[]
  /** Of the interfaces that the speaker reports; '' is a plain one. */
  readonly types: ReadonlyMap<string, string>
}

function knownOf(world: ReadonlyWorld, node: string): Known {
  const reported = world.all('NodeInterfaces').get(node)?.interfaces ?? []
  return {
    node,
    own: ownAddresses(world, node),
    policy: ownPolicyOf(world, node),
    shown: shownOn(world, node),
    types: new Map(reported.map(({ name, type = '' }) => [name, type])),
  }
}

/** As its speaker reports them and as it is annotated. */
export const shownOn = (world: ReadonlyWorld, node: string): readonly Shown[] => [
  ...(world.all('NodeInterfaces').get(node)?.interfaces ?? []).flatMap(({ name, addresses }) =>
    addresses.map((one) => ({ interface: name, ...one })),
  ),
  ...(world.all('Node').get(node)?.annotated ?? []),
]

/** kube-proxy in IPVS mode has the addresses of Services on the node: they are not its own. */
const ownAddresses = (world: ReadonlyWorld, node: string): readonly Ip[] =>
  (world.all('Node').get(node)?.addresses ?? []).filter((ip) => world.holdersOf(ip).length === 0)

/** Without a report only a VLAN that the node's own address is not in can be made blindly. */
function whyUnknown(known: Known, link: HostLink, written?: JsonObject): string | undefined {
  const { node, own, policy, shown, types } = known
  const remedy = 'run a speaker there, or annotate the Node with berth.dev/interface-addresses'
  const isOurs = link.vlan !== undefined && (written === undefined || isWhole(written))
  const isKnown = types.has(link.name) || shown.some((one) => one.interface === link.name)
  if (!isOurs && !isKnown) return `nobody reports what ${link.name} of ${node} carries: ${remedy}`
  const placed = new Set([
    ...addressesOf(shown),
    ...(policy?.interfaces ?? []).flatMap(({ addresses }) => addressesOf(addresses)),
  ])
  const cidrs = link.networks.flatMap(({ network }) => network.cidrs.map(rangeOf))
  const unplaced = own.find((ip) => !placed.has(ip) && cidrs.some((cidr) => contains(cidr, ip)))
  if (unplaced === undefined) return undefined
  return `${node} has its own address ${unplaced} in the network, nobody reports where: ${remedy}`
}

const addressesOf = (all: readonly HostAddress[]): readonly Ip[] =>
  all.map(({ address }) => address)

function once(addresses: readonly HostAddress[]): readonly HostAddress[] {
  const all = addresses.map(({ address, prefixLength }) => ({ address, prefixLength }))
  return [...new Map(all.map((one) => [one.address, one])).values()]
}
