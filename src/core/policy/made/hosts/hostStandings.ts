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
  const plans = nodePlans(world)
  const first = plans.find(
    ({ node, current }) => current !== undefined && !isDone(world, node, current),
  )
  return plans.map((plan) => ({
    of: { kind, name: policyNameOf(plan.node) },
    ...stateOf(world, tenant, { plan, first }),
  }))
}

type State = Pick<Standing, 'state' | 'message'>

const made: State = { state: 'Made', message: '' }

/** `first`: the node that the others wait for, if nmstate is not through with one. */
type Queued = { readonly plan: NodePlan; readonly first: NodePlan | undefined }

function stateOf(world: ReadonlyWorld, tenant: Tenant, { plan, first }: Queued): State {
  const { node, current } = plan
  const name = policyNameOf(node)
  if (current === undefined && world.all(kind).has(name)) {
    return { state: 'NameTaken', message: `it was not made from Node/${node}` }
  }
  const refusal = world.obstacles.refusalOf({ kind, name }, `Node/${node}`)
  if (refusal !== undefined) return { state: 'Refused', message: refusal }
  const stopped = whyNot(tenant, plan)
  if (stopped !== undefined) return { state: 'Refused', message: stopped }
  if (current === undefined || !hasAll(tenant, plan)) {
    return { state: 'Waiting', message: waitingText(node, first) }
  }
  if (current.progress?.state === 'Failed') {
    return { state: 'Refused', message: `nmstate: ${current.progress.message}` }
  }
  return isDone(world, node, current) ? made : { state: 'Waiting', message: 'for nmstate' }
}

/** A node that is switched off holds up all others: the reader has to see which, and since when. */
function waitingText(node: string, first: NodePlan | undefined): string {
  if (first === undefined) return 'other nodes come first'
  const isFirst = first.node === node
  const where = isFirst ? '' : `Node/${first.node} comes first, where `
  const { state, since = '', message = '' } = first.current?.progress ?? {}
  const timeAfter = (word: string) => (since === '' ? '' : ` ${word} ${since}`)
  if (state === 'Failed') return `${where}nmstate failed${timeAfter('at')}: ${message}`
  const done =
    state === 'Progressing'
      ? `has been at work${timeAfter('since')}`
      : 'has not reported the last change'
  const which = isFirst ? 'this' : 'that'
  return `${where}nmstate ${done}; if ${which} node is gone for good, delete its Node`
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
