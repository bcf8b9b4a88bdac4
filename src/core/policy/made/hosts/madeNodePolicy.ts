// Which NodeNetworkConfigurationPolicy should a node have (R4.17, R4.27)? What tenants want there,
// what has to go first, and what stays as it is because somebody might still want it.
import { apiGroups, apiVersionOf } from '../../../model/apiGroups.ts'
import type { JsonObject } from '../../../model/gate.ts'
import { includes, textAt } from '../../../model/json.ts'
import { managed } from '../../../model/made.ts'
import type { InterfaceAddress } from '../../../model/node.ts'
import { isSame } from '../../../model/sameView.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import { type HostAddress, hostAddresses, shownAddresses } from './hostAddresses.ts'
import { carriedBy, type Filled, keptOn } from './hostCarries.ts'
import { type HostLink, hostLinks } from './hostLinks.ts'
import { leavingAddresses } from './leavingAddresses.ts'
import { leavingState, together, wantedState } from './linkState.ts'
import { isDone, type Own, ownPolicyOf, policyNameOf } from './ownPolicies.ts'
import { interfacesIn, listedIn, writtenIn } from './writtenLinks.ts'

const hostname = 'kubernetes.io/hostname'

export type NodePlan = {
  readonly node: string
  readonly current: Own | undefined
  /** Empty when the policy can go. */
  readonly interfaces: readonly JsonObject[]
  readonly kept: readonly (HostAddress & { readonly interface: string })[]
  readonly tenants: readonly string[]
  /** By interface: why nothing is done to it. */
  readonly untouched: ReadonlyMap<string, string>
  /** `<tenant> <network>` of networks that have no address of one family left for the node. */
  readonly without: readonly string[]
}

/** Of every node, by name. */
export function nodePlans(world: ReadonlyWorld): readonly NodePlan[] {
  const links = hostLinks(world)
  const shown = shownAddresses(world)
  const given = new Map(
    links.flatMap(({ networks }) =>
      networks.map((one) => [one.network, hostAddresses(world, one.network, shown)] as const),
    ),
  )
  return [...world.all('Node').keys()].sort().map((node) => {
    const addressesOf = (network: HostLink['networks'][number]['network']) =>
      given.get(network)?.get(node) ?? []
    return planOf(world, node, { links, addressesOf })
  })
}

type Wanted = {
  readonly links: readonly HostLink[]
  readonly addressesOf: (network: HostLink['networks'][number]['network']) => readonly HostAddress[]
}

function planOf(world: ReadonlyWorld, node: string, { links, addressesOf }: Wanted): NodePlan {
  const current = ownPolicyOf(world, node)
  const without = links.flatMap(({ networks }) =>
    networks
      .filter(({ network }) => addressesOf(network).length < familiesOf(network))
      .map(({ tenant, network }) => `${tenant.name} ${network.name}`),
  )
  if (current !== undefined && isInDoubt(world, current))
    return { ...asItIs(node, current), without }
  const untouched = new Map<string, string>()
  const interfaces = new Map<string, JsonObject>()
  const kept: (HostAddress & { interface: string })[] = []
  for (const link of links) {
    const given = link.networks.flatMap(({ network }) => addressesOf(network))
    const carried = carriedBy(world, node, { link, given })
    const stays = 'why' in carried ? writtenIn(current, link.name) : undefined
    if ('why' in carried && (stays === undefined || !hasGiven(world, node, { link, given }))) {
      untouched.set(link.name, carried.why)
    }
    if (given.length === 0) continue
    const state = 'why' in carried ? stays : wantedState(link, given, carried)
    if (state === undefined) continue
    interfaces.set(link.name, state)
    const all = 'why' in carried ? keptOn(world, node, link.name) : carried.kept
    kept.push(...all.map((one) => ({ interface: link.name, ...one })))
  }
  for (const leaving of leavingOf(world, node, interfaces)) {
    const name = textAt(leaving, 'name')
    interfaces.set(name, leaving)
    kept.push(...keptOn(world, node, name).map((one) => ({ interface: name, ...one })))
  }
  const tenants = new Set(
    links.flatMap(({ networks }) => networks.map(({ tenant }) => tenant.name)),
  )
  return {
    node,
    current,
    interfaces: [...interfaces.values()].sort(byName),
    kept,
    tenants: [...tenants].sort(),
    untouched,
    without,
  }
}

/** One address of each family that `hosts` has. */
const familiesOf = ({ hosts }: HostLink['networks'][number]['network']): number =>
  new Set(hosts.map(({ family }) => family)).size

/** Whether the policy, as it is, has just what is wanted there. */
function hasGiven(world: ReadonlyWorld, node: string, { link, given }: Filled): boolean {
  const written = listedIn(ownPolicyOf(world, node), link.name)
  const wanted = together(keptOn(world, node, link.name), given)
  const textsOf = (all: readonly HostAddress[]) =>
    all.map(({ address, prefixLength }) => `${address}/${prefixLength}`).sort()
  return isSame(textsOf(written), textsOf(wanted))
}

/** Those no longer wanted, until nmstate reports them as removed. */
function leavingOf(
  world: ReadonlyWorld,
  node: string,
  wanted: ReadonlyMap<string, JsonObject>,
): readonly JsonObject[] {
  const current = ownPolicyOf(world, node)
  if (current === undefined) return []
  const isOver = isDone(world, node, current)
  return interfacesIn(current).flatMap((before) => {
    const name = textAt(before, 'name')
    if (wanted.has(name)) return []
    const leaving = leavingState(before, keptOn(world, node, name))
    return isOver && includes(before, leaving) ? [] : [leaving]
  })
}

/** A tenant that is unusable, or vanished without a deletion, takes nothing away. */
const isInDoubt = (world: ReadonlyWorld, { own }: Own): boolean =>
  own.tenants.some(
    (name) =>
      !world.all('Tenant').has(name) &&
      (world.inert.has('Tenant', name) || !world.lost.wasTenantSeen(name)),
  )

const asItIs = (node: string, current: Own) => ({
  node,
  current,
  interfaces: interfacesIn(current),
  kept: current.own.kept,
  tenants: current.own.tenants,
  untouched: new Map<string, string>(),
})

const byName = (one: JsonObject, other: JsonObject): number =>
  textAt(one, 'name') < textAt(other, 'name') ? -1 : 1

/** A node that may not change now keeps the interfaces that it has. */
export function madeNodePolicy(
  world: ReadonlyWorld,
  plan: NodePlan,
  mayChange: boolean,
): JsonObject {
  const { node, current, tenants } = plan
  const { uid = '', labels = {} } = world.all('Node').get(node) ?? {}
  const isChanged = mayChange || current === undefined
  const interfaces = isChanged ? plan.interfaces : interfacesIn(current)
  const kept = isChanged ? plan.kept : current.own.kept
  const leaving = leavingAddresses(world, node, interfaces)
  return {
    apiVersion: apiVersionOf(apiGroups.nmstate),
    kind: 'NodeNetworkConfigurationPolicy',
    metadata: {
      name: policyNameOf(node),
      labels: managed,
      annotations: {
        'berth.dev/tenants': tenants.join(','),
        ...noted('berth.dev/kept-addresses', kept),
        ...noted('berth.dev/leaving-addresses', leaving),
      },
      ownerReferences: [
        { apiVersion: apiVersionOf(apiGroups.core), kind: 'Node', name: node, uid },
      ],
    },
    spec: {
      nodeSelector: { [hostname]: labels[hostname] ?? node },
      desiredState: { interfaces },
    },
  }
}

function noted(name: string, addresses: readonly InterfaceAddress[]): JsonObject {
  if (addresses.length === 0) return {}
  const texts = addresses.map((one) => `${one.interface}=${one.address}/${one.prefixLength}`)
  return { [name]: [...new Set(texts)].sort().join(',') }
}
