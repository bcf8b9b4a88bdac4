// How is a node's network to be configured, and has nmstate done it? A policy of others, or one
// that we made; and nmstate's own record of what became of it on one node.
import type {
  Enactment,
  NodePolicy,
  OwnPolicy,
  PolicyInterface,
  PolicyProgress,
} from '../../../core/model/nodePolicy.ts'
import { parseIp } from '../../../core/net/ip.ts'
import { berth, isManaged } from '../annotations.ts'
import { type HostAddress, interfaceAddresses, parseHostAddress } from './decodeHostAddress.ts'
import { madeOf } from './decodeMaker.ts'
import { metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

export function decodeNodePolicy(object: Fields): NodePolicy {
  const desired = object.inner('spec').inner('desiredState')
  const routes = desired.inner('routes').each('config')
  const maker = makerOf(object)
  return {
    kind: 'NodeNetworkConfigurationPolicy',
    name: metaOf(object).name,
    ...(maker.startsWith('Node/') ? { maker, own: ownOf(object, desired) } : {}),
    ...(maker.startsWith('Site/') ? { maker, ofSite: ofSite(object, routes) } : {}),
    ...progressOf(object),
    interfaces: desired.each('interfaces').filter(isWanted).map(policyInterface),
    nextHops: routes
      .filter(isWanted)
      .flatMap((route) => route.parseIf('next-hop-address', parseIp) ?? []),
  }
}

/** It follows from all tenants together, so that its Node owns it (R4.27). */
function makerOf(object: Fields): string {
  const { labels, name } = metaOf(object)
  if (!isManaged(labels)) return ''
  const owners = object.inner('metadata').each('ownerReferences')
  const site = madeOf(object).maker ?? ''
  if (site.startsWith('Site/')) return site
  const owner = owners.find((one) => one.text('kind') === 'Node')
  if (owner !== undefined) return `Node/${owner.text('name')}`
  return owners.length === 0 ? `Node/${name.replace(/^berth-/, '')}` : ''
}

const ofSite = (object: Fields, routes: readonly Fields[]) => ({
  generation: object.inner('metadata').number('generation') ?? 0,
  routes: routes.map(({ json }) => json),
})

function ownOf(object: Fields, desired: Fields): OwnPolicy {
  const { annotations } = metaOf(object)
  return {
    generation: object.inner('metadata').number('generation') ?? 0,
    desired: desired.json,
    kept: interfaceAddresses(annotations[berth.keptAddresses] ?? ''),
    leaving: interfaceAddresses(annotations[berth.leavingAddresses] ?? ''),
    tenants: (annotations[berth.tenants] ?? '').split(',').filter((name) => name !== ''),
  }
}

/** nmstate removes what a policy lists as absent. */
const isWanted = (entry: Fields): boolean => entry.text('state') !== 'absent'

function policyInterface(entry: Fields): PolicyInterface {
  const vlan = entry.inner('vlan')
  return {
    name: entry.text('name'),
    base: vlan.text('base-iface'),
    vlan: vlan.whole('id'),
    addresses: ['ipv4', 'ipv6'].flatMap((family) =>
      entry.inner(family).each('address').flatMap(hostAddress),
    ),
  }
}

function hostAddress(entry: Fields): readonly HostAddress[] {
  const host = parseHostAddress(`${entry.text('ip')}/${entry.whole('prefix-length')}`)
  return host.ok ? [host.value] : []
}

/** Of a policy `Degraded`, of one node `Failing`. */
function progressOf(object: Fields): { readonly progress?: PolicyProgress } {
  const conditions = object.inner('status').each('conditions')
  const holding = conditions.find(
    (one) => one.text('status') === 'True' && progressStates.has(one.text('type')),
  )
  const state = progressStates.get(holding?.text('type') ?? '')
  if (holding === undefined || state === undefined) return {}
  const since = holding.text('lastTransitionTime')
  return { progress: { state, since, message: holding.text('message') } }
}

const progressStates: ReadonlyMap<string, PolicyProgress['state']> = new Map([
  ['Available', 'Available'],
  ['Degraded', 'Failed'],
  ['Failing', 'Failed'],
  ['Aborted', 'Failed'],
  ['Progressing', 'Progressing'],
  ['Pending', 'Progressing'],
])

export const decodeEnactment = (object: Fields): Enactment => ({
  kind: 'NodeNetworkConfigurationEnactment',
  name: metaOf(object).name,
  policyGeneration: object.inner('status').number('policyGeneration') ?? 0,
  ...progressOf(object),
})
