// What becomes of the own networks of nodes in a plan? Which addresses and settings an interface of
// a node gains or loses by the policies that Berth makes, and which routes all nodes do.
import { isRecord, textAt } from '../model/json.ts'
import { externalOf, siteName } from '../model/site.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import { isOwn, type Own } from '../policy/made/hosts/ownPolicies.ts'
import { interfacesIn, keptIn, listedIn } from '../policy/made/hosts/writtenLinks.ts'
import { wantedRoutes } from '../policy/made/site/wantedRoutes.ts'

export type HostNetworks = {
  /** By `NODE INTERFACE`: `172.27.0.10/24`, `mtu 9000`. */
  readonly interfaces: ReadonlyMap<string, readonly string[]>
  /** Of the Site, for every node. */
  readonly routes: readonly string[]
}
export type InterfaceChange = {
  readonly node: string
  readonly interface: string
  readonly action: 'gain' | 'lose' | 'change'
  readonly before: readonly string[]
  readonly after: readonly string[]
}
export type NodeRouteChange = { readonly action: 'gain' | 'lose'; readonly route: string }

export function hostNetworksIn(world: ReadonlyWorld): HostNetworks {
  const site = world.all('Site').get(siteName)
  const external = site === undefined ? undefined : externalOf(site)
  const routes = external === undefined ? [] : wantedRoutes(world, external)
  const policies = [...world.all('NodeNetworkConfigurationPolicy').values()].filter(isOwn)
  return {
    interfaces: new Map(policies.flatMap(interfacesOf)),
    routes: routes.map(({ destination, nextHop, interface: link }) => {
      return `${destination} via ${nextHop}${link === '' ? '' : ` on ${link}`}`
    }),
  }
}

function interfacesOf(policy: Own): [string, readonly string[]][] {
  const node = (policy.maker ?? '').slice('Node/'.length)
  return interfacesIn(policy).flatMap((one): [string, readonly string[]][] => {
    const name = textAt(one, 'name')
    const kept = new Set(keptIn(policy, name).map(({ address }) => address))
    const given = listedIn(policy, name).filter(({ address }) => !kept.has(address))
    const texts = given.map(({ address, prefixLength }) => `${address}/${prefixLength}`)
    const all = [...texts, ...settingsOf(one)]
    return all.length === 0 ? [] : [[`${node} ${name}`, all]]
  })
}

/** What else a Tenant can ask for. */
const settingsOf = ({ mtu, vlan }: Readonly<Record<string, unknown>>): readonly string[] => [
  ...(isRecord(vlan) ? [`VLAN ${vlan['id']} on ${vlan['base-iface']}`] : []),
  ...(mtu === undefined ? [] : [`mtu ${mtu}`]),
]

/** Only what differs, by node and interface. */
export function interfaceChanges(
  before: HostNetworks,
  after: HostNetworks,
): readonly InterfaceChange[] {
  const names = [...new Set([...before.interfaces.keys(), ...after.interfaces.keys()])].sort()
  return names.flatMap((name): InterfaceChange[] => {
    const [node = '', link = ''] = name.split(' ')
    const [was, is] = [before.interfaces.get(name) ?? [], after.interfaces.get(name) ?? []]
    if (was.join() === is.join()) return []
    const action = was.length === 0 ? 'gain' : is.length === 0 ? 'lose' : 'change'
    return [{ node, interface: link, action, before: was, after: is }]
  })
}

export function nodeRouteChanges(
  { routes: before }: HostNetworks,
  { routes: after }: HostNetworks,
): readonly NodeRouteChange[] {
  const [lost, gained] = [without(before, after), without(after, before)]
  return [
    ...lost.map((route) => ({ action: 'lose' as const, route })),
    ...gained.map((route) => ({ action: 'gain' as const, route })),
  ]
}

const without = (all: readonly string[], others: readonly string[]): readonly string[] =>
  all.filter((one) => !others.includes(one))
