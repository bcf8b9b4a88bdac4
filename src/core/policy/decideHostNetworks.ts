// Which node's network is changed next (R4.17, R4.27)? One node at a time, the next only when
// nmstate has done the last: a mistake costs one node, not the cluster.
import type { Changed } from '../model/changed.ts'
import { includes } from '../model/json.ts'
import { isSame } from '../model/sameView.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Write } from '../model/write.ts'
import type { Decider } from './decider.ts'
import { hostNetworks } from './made/hosts/hostLinks.ts'
import { madeNodePolicy, type NodePlan, nodePlans } from './made/hosts/madeNodePolicy.ts'
import { isDone, isOwn, policyNameOf } from './made/hosts/ownPolicies.ts'
import { interfacesIn } from './made/hosts/writtenLinks.ts'

/** All nodes are decided together. */
const everyNode = 'every node'

export const hostNetworkPolicies: Decider = {
  name: 'host-networks',
  kind: 'NodeNetworkConfigurationPolicy',
  reads: [
    'Tenant',
    'Node',
    'NodeInterfaces',
    'NodeNetworkConfigurationPolicy',
    'NodeNetworkConfigurationEnactment',
  ],
  wakes: (changed, world) => (isConcerned(changed, world) ? [everyNode] : []),
  decide(world) {
    const kind = 'NodeNetworkConfigurationPolicy'
    return { writes: world.obstacles.isServed(kind) ? writesFor(world) : [] }
  },
}

function isConcerned(changed: Changed, world: ReadonlyWorld): boolean {
  if (changed.type === 'served') return changed.kind === 'NodeNetworkConfigurationPolicy'
  if (changed.type !== 'object') return false
  const { kind, before, after } = changed
  // A policy may differ in what no view shows.
  if (kind !== 'NodeNetworkConfigurationPolicy' && isSame(before, after)) return false
  const tenants = [before, after].filter((view) => view?.kind === 'Tenant')
  if (kind === 'Tenant') return tenants.some((tenant) => hostNetworks(tenant).length > 0)
  return isUsed(world)
}

function isUsed(world: ReadonlyWorld): boolean {
  for (const tenant of world.all('Tenant').values()) {
    if (hostNetworks(tenant).length > 0) return true
  }
  for (const policy of world.all('NodeNetworkConfigurationPolicy').values()) {
    if (isOwn(policy)) return true
  }
  return false
}

function writesFor(world: ReadonlyWorld): Write[] {
  const plans = nodePlans(world).filter((plan) => !isTaken(world, plan))
  const changing = nodeToChange(world, plans)
  const kept = plans.flatMap((plan): Write[] => {
    const mayChange = plan.node === changing
    const { node, current, interfaces } = plan
    if (current === undefined && (!mayChange || interfaces.length === 0)) return []
    if (interfaces.length === 0) return [removal(policyNameOf(node), node)]
    return [{ type: 'apply', object: madeNodePolicy(world, plan, mayChange) }]
  })
  return [...orphans(world), ...kept]
}

/** Its name is another's (R4.19). */
const isTaken = (world: ReadonlyWorld, { node, current }: NodePlan): boolean =>
  current === undefined && world.all('NodeNetworkConfigurationPolicy').has(policyNameOf(node))

/** The node that may be changed now: the one that is under way, else the first that differs. */
function nodeToChange(world: ReadonlyWorld, plans: readonly NodePlan[]): string | undefined {
  const underWay = plans.filter(
    ({ node, current }) => current !== undefined && !isDone(world, node, current),
  )
  const [first, ...rest] = underWay
  if (first === undefined) return plans.find(differs)?.node
  // What nmstate is at work on is not changed under its hands.
  const isFree = rest.length === 0 && first.current?.progress?.state !== 'Progressing'
  return isFree && differs(first) ? first.node : undefined
}

/** One that only has to go changes nothing on the node. */
const differs = ({ current, interfaces }: NodePlan): boolean =>
  interfaces.length > 0 && (current === undefined || !includes(interfacesIn(current), interfaces))

/** A node that left gives its addresses back once its Node is gone. */
function orphans(world: ReadonlyWorld): Write[] {
  return [...world.all('NodeNetworkConfigurationPolicy').values()]
    .filter(isOwn)
    .map(({ name, maker = '' }) => ({ name, node: maker.slice('Node/'.length) }))
    .filter(({ node }) => !world.all('Node').has(node))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, node }) => removal(name, node))
}

const removal = (name: string, node: string): Write => ({
  type: 'delete',
  of: { kind: 'NodeNetworkConfigurationPolicy', name },
  madeFrom: { kind: 'Node', name: node },
})
