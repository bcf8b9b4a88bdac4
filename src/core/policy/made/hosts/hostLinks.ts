// Which interfaces do tenants want on the cluster's own nodes? Each once, with the networks of all
// tenants that are on it: two policies for one interface would fight (R4.17).
import { linkOf, type Network, type Tenant } from '../../../model/tenant.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'

type HostNetwork = { readonly tenant: Tenant; readonly network: Network }

export type HostLink = {
  readonly name: string
  /** Under the VLAN; the interface itself where there is none. */
  readonly base: string
  readonly vlan: number | undefined
  /** The largest that a network asks for. */
  readonly mtu: number | undefined
  readonly networks: readonly HostNetwork[]
}

export const hostNetworks = ({ networks, generate }: Tenant): readonly Network[] =>
  generate.includes('HostNetworks')
    ? networks.filter((network) => network.hosts.length > 0 && linkOf(network) !== '')
    : []

/** By name; on each, networks by tenant and then in their order. */
export function hostLinks(world: ReadonlyWorld): readonly HostLink[] {
  const byLink = new Map<string, HostNetwork[]>()
  for (const tenant of byName([...world.all('Tenant').values()])) {
    for (const network of hostNetworks(tenant)) {
      const name = linkOf(network)
      byLink.set(name, [...(byLink.get(name) ?? []), { tenant, network }])
    }
  }
  return byName([...byLink].flatMap(([name, networks]) => hostLink(name, networks)))
}

function hostLink(name: string, networks: readonly HostNetwork[]): readonly HostLink[] {
  const [first] = networks
  if (first === undefined) return []
  const { interface: base, vlan } = first.network
  const mtus = networks.flatMap(({ network }) => network.mtu ?? [])
  const mtu = mtus.length === 0 ? undefined : Math.max(...mtus)
  return [{ name, base, vlan, mtu, networks }]
}

const byName = <T extends { readonly name: string }>(all: readonly T[]): readonly T[] =>
  [...all].sort((one, other) => (one.name < other.name ? -1 : 1))
