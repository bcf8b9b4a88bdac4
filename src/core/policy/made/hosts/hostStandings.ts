// Has each node what a tenant wants on it, and if not, why not (R4.23)?

import { recordAt, textAt } from '../../../model/json.ts'
import { linkOf, type Tenant } from '../../../model/tenant.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import type { Standing } from '../standing.ts'
import { hostNetworks } from './hostLinks.ts'
import { type NodePlan, nodePlans } from './madeNodePolicy.ts'
import { isDone, policyNameOf } from './ownPolicies.ts'
import { interfacesIn } from './writtenLinks.ts'

const kind = 'NodeNetworkConfigurationPolicy'

export function hostStandings(world: ReadonlyWorld, tenant: Tenant): readonly Standing[] {
  if (hostNetworks(tenant).length === 0) return []
  if (!world.obstacles.isServed(kind)) {
    const message = `the API does not serve ${kind}: install nmstate's operator`
    return [{ of: { kind, name: policyNameOf('*') }, state: 'NotServed', message }]
  }
  return nodePlans(world).map((plan) => ({
    of: { kind, name: policyNameOf(plan.node) },
    ...stateOf(world, tenant, plan),
  }))
}

type State = Pick<Standing, 'state' | 'message'>

const made: State = { state: 'Made', message: '' }

function stateOf(world: ReadonlyWorld, tenant: Tenant, plan: NodePlan): State {
  const { node, current } = plan
  const name = policyNameOf(node)
  if (current === undefined && world.all(kind).has(name)) {
    return { state: 'NameTaken', message: `it was not made from Node/${node}` }
  }
  const refusal = world.obstacles.refusalOf({ kind, name })
  if (refusal !== undefined) return { state: 'Refused', message: refusal }
  const stopped = whyNot(tenant, plan)
  if (stopped !== undefined) return { state: 'Refused', message: stopped }
  if (current === undefined || !hasAll(tenant, plan)) {
    return { state: 'Waiting', message: 'another node comes first' }
  }
  if (current.progress?.state === 'Failed') {
    return { state: 'Refused', message: `nmstate: ${current.progress.message}` }
  }
  return isDone(world, node, current) ? made : { state: 'Waiting', message: 'for nmstate' }
}

function whyNot(tenant: Tenant, { untouched, without }: NodePlan): string | undefined {
  for (const network of hostNetworks(tenant)) {
    const why = untouched.get(linkOf(network))
    if (why !== undefined) return `host-interface-in-use: ${why}`
    if (without.includes(`${tenant.name} ${network.name}`)) {
      return `network ${network.name} has no address left in hosts`
    }
  }
  return undefined
}

/** Whether the policy, as the API shows it, has the interfaces of the tenant as they are wanted. */
function hasAll(tenant: Tenant, { current, interfaces }: NodePlan): boolean {
  const shown = new Map(
    (current === undefined ? [] : interfacesIn(current)).map((one) => [textAt(one, 'name'), one]),
  )
  const links = new Set(hostNetworks(tenant).map(linkOf))
  return interfaces
    .filter((one) => links.has(textAt(one, 'name')))
    .every((one) => {
      const there = shown.get(textAt(one, 'name'))
      return ['ipv4', 'ipv6'].every(
        (field) =>
          JSON.stringify(recordAt(there, field)['address']) ===
          JSON.stringify(recordAt(one, field)['address']),
      )
    })
}
