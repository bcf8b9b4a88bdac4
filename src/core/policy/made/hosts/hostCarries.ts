// What does an interface of a node carry that is not ours? That stays (R4.27): addresses are added
// to it, and nothing is taken.
import type { ReadonlyWorld } from '../../../model/world.ts'
import { contains } from '../../../net/intervals.ts'
import { rangeOf } from '../../../net/range.ts'
import type { HostAddress } from './hostAddresses.ts'
import type { HostLink } from './hostLinks.ts'
import { type Own, ownPolicyOf } from './ownPolicies.ts'

export type Carried = {
  /** Permanent addresses of others, which a policy has to repeat, or nmstate removes them. */
  readonly kept: readonly HostAddress[]
  /** Whether anything is on it that is not ours. */
  readonly isInUse: boolean
  /** Whether it is a bridge, a bond or the like. */
  readonly isPlain: boolean
}
/** Why nothing may be done to it. */
type Untouchable = { readonly why: string }

/** `given`: what the node gets there, whether or not it shows it already. */
export function carriedBy(
  world: ReadonlyWorld,
  node: string,
  { link, given }: { readonly link: HostLink; readonly given: readonly HostAddress[] },
): Carried | Untouchable {
  const policy = ownPolicyOf(world, node)
  const before = keptIn(policy, link.name)
  const report = world.all('NodeInterfaces').get(node)
  const annotated = world.all('Node').get(node)?.annotated ?? []
  if (report === undefined && annotated.length === 0) {
    const why = whyUnknown(world, node, link)
    if (why !== undefined && policy === undefined) return { why }
    return { kept: before, isInUse: before.length > 0, isPlain: true }
  }
  const shown = report?.interfaces.find(({ name }) => name === link.name)
  const ours = new Set([...givenIn(policy, link.name), ...given].map(({ address }) => address))
  const others = [
    ...(shown?.addresses ?? []),
    ...annotated.filter((one) => one.interface === link.name),
  ].filter(({ address }) => !ours.has(address) && world.holdersOf(address).length === 0)
  const permanent = others.filter((one) => !('isTemporary' in one && one.isTemporary))
  return {
    kept: once([...before, ...permanent]),
    isInUse: others.length + before.length > 0,
    isPlain: shown?.type === undefined,
  }
}

/** What was there before stays in the policy, whether or not a report shows it just now. */
export const keptIn = (policy: Own | undefined, link: string): readonly HostAddress[] =>
  (policy?.own.kept ?? [])
    .filter((one) => one.interface === link)
    .map(({ address, prefixLength }) => ({ address, prefixLength }))

/** What the policy has beside that. */
function givenIn(policy: Own | undefined, link: string): readonly HostAddress[] {
  const kept = new Set(keptIn(policy, link).map(({ address }) => address))
  return (policy?.interfaces ?? [])
    .filter(({ name }) => name === link)
    .flatMap(({ addresses }) => addresses)
    .filter(({ address }) => !kept.has(address))
}

/** Without a report only a VLAN that the node's own address is not in can be made blindly. */
function whyUnknown(world: ReadonlyWorld, node: string, link: HostLink): string | undefined {
  const remedy = 'run a speaker there, or annotate the Node with berth.dev/interface-addresses'
  if (link.vlan === undefined) {
    return `nobody reports what ${link.name} of ${node} carries: ${remedy}`
  }
  const own = world.all('Node').get(node)?.addresses ?? []
  const inside = own.find((ip) =>
    link.networks.some(({ network }) => network.cidrs.some((cidr) => contains(rangeOf(cidr), ip))),
  )
  if (inside === undefined) return undefined
  return `${node} has its own address ${inside} in the network, nobody reports where: ${remedy}`
}

function once(addresses: readonly HostAddress[]): readonly HostAddress[] {
  const all = addresses.map(({ address, prefixLength }) => ({ address, prefixLength }))
  return [...new Map(all.map((one) => [one.address, one])).values()]
}
