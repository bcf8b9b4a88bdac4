// On which wire is a network of a NetConfig (R12.4)? Namespaces allocate on their own unless an
// administrator says that they are on one wire: in the Tenants that they belong to, or on the
// Namespaces. A NetConfig can be written by a tenant, so what it says of its wire joins none.
import type { Tenant } from '../tenant.ts'
import type { View } from '../view.ts'
import type { NetConfig } from '../wires.ts'
import {
  linkWire,
  type Namespaces,
  namedWire,
  ownWire,
  wireNamed,
  wiresNamedIn,
} from './wireNames.ts'

export type WireSources = Namespaces & { readonly tenants: ReadonlyMap<string, Tenant> }

/** Where the networks of a NetConfig are. */
export type Plan = {
  /** By network, in lower case. */
  readonly wires: ReadonlyMap<string, string>
  /** Where a network may have been that it does not have. */
  readonly elsewhere: readonly string[]
  /** Of the ledgers that are open for it. */
  readonly subnets: string[]
}

export function planOf(sources: WireSources, config: NetConfig): Plan {
  const { namespace } = config
  const named = wireNamed(sources, namespace)
  const elsewhere = [ownWire(namespace), ...(named === '' ? [] : [namedWire(named)])]
  return { wires: wiresOf(sources, config), elsewhere, subnets: [] }
}

/** Whose networks may be on other wires after the change. */
export function rewiredBy(
  { tenants }: Pick<WireSources, 'tenants'>,
  views: readonly (View | undefined)[],
): ReadonlySet<string> {
  const of = views.flatMap((view) => (view?.kind === 'Tenant' ? view.namespaces : []))
  const [was, is] = views.map((view) => (view?.kind === 'Namespace' ? view.wire : undefined))
  const changed = views.find((view) => view !== undefined)
  if (changed?.kind !== 'Namespace' || was === is) return new Set(of)
  const { name } = changed
  const beside = [...tenants.values()].filter(({ namespaces }) => namespaces.includes(name))
  return new Set([name, ...beside.flatMap(({ namespaces }) => namespaces)])
}

/** Where ranges come or go with it. */
export function rangedWires(sources: Namespaces, view: View | undefined): readonly string[] {
  if (view?.kind === 'Namespace') return view.wire === undefined ? [] : [namedWire(view.wire)]
  if (view?.kind !== 'Tenant') return []
  return [...view.networks.flatMap((one) => linkWire(one) ?? []), ...wiresNamedIn(sources, view)]
}

/** By network, in lower case; the first of a name counts. */
function wiresOf(sources: WireSources, config: NetConfig): ReadonlyMap<string, string> {
  const { namespace, networks } = config
  const named = wireNamed(sources, namespace)
  const own = named === '' ? ownWire(namespace) : namedWire(named)
  const ofTenant = tenantWires(sources, makerOf(sources, config))
  const wires = new Map<string, string>()
  for (const { name } of networks) {
    const network = name.toLowerCase()
    if (!wires.has(network)) wires.set(network, ofTenant.get(network) ?? own)
  }
  return wires
}

/** Whoever writes a NetConfig can name any owner: only one that lists the namespace counts. */
function makerOf({ tenants }: WireSources, { maker, namespace }: NetConfig): Tenant | undefined {
  const [kind, name = ''] = maker?.split('/') ?? []
  const tenant = kind === 'Tenant' ? tenants.get(name) : undefined
  return tenant?.namespaces.includes(namespace) ? tenant : undefined
}

/** Its interface and VLAN; without an interface, one for all namespaces of the tenant. */
function tenantWires(sources: Namespaces, tenant: Tenant | undefined): ReadonlyMap<string, string> {
  if (tenant === undefined) return new Map()
  const [first] = wiresNamedIn(sources, tenant)
  return new Map(
    tenant.networks.map((network): [string, string] => {
      const name = network.name.toLowerCase()
      return [name, linkWire(network) ?? first ?? `tenant/${tenant.name}/${name}`]
    }),
  )
}
