// What is looked up to tell whose an address is (R16.5)? Once for all pods of a namespace, of which
// there can be thousands.
import type { FrrConfiguration } from '../../model/podRoutes/podRoutes.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { type Ip, parseIp } from '../../net/ip.ts'
import { type Range, rangeOf } from '../../net/range.ts'

export type Surroundings = {
  /** Routes of other namespaces, the oldest of each address. */
  readonly others: ReadonlyMap<Ip, FrrConfiguration>
  readonly space: Space
  /** Where sessions go to: by address, the first by name that names it. */
  readonly routers: ReadonlyMap<Ip, string>
}
/** The networks of the namespace's tenant; without a tenant those of all, which are not for it. */
type Space =
  | { readonly tenant: string; readonly ranges: readonly Range[] }
  | { readonly why: string }

export const surroundings = (world: ReadonlyWorld, namespace: string): Surroundings => ({
  others: routesElsewhere(world, namespace),
  space: spaceOf(world, namespace),
  routers: routerAddresses(world),
})

function spaceOf(world: ReadonlyWorld, namespace: string): Space {
  const belonging = world.tenantOfNamespace(namespace)
  if (belonging.kind === 'ambiguous')
    return { why: `namespace ${namespace} is claimed by two tenants` }
  const tenant = belonging.kind === 'tenant' ? belonging.name : ''
  const ranges = [...world.all('Tenant').values()]
    .filter(({ name }) => tenant === '' || name === tenant)
    .flatMap(({ networks }) => networks.flatMap(({ cidrs }) => cidrs.map(rangeOf)))
  return { tenant, ranges }
}

/** By address: the oldest route of another namespace. */
function routesElsewhere(
  world: ReadonlyWorld,
  namespace: string,
): ReadonlyMap<Ip, FrrConfiguration> {
  const found = new Map<Ip, FrrConfiguration>()
  for (const route of world.all('FRRConfiguration').values()) {
    const { routeOf, announced } = route
    if (routeOf === undefined || routeOf.configuration.startsWith(`${namespace}/`)) continue
    for (const ip of announced) {
      const known = found.get(ip)
      if (known === undefined || ageOf(route) < ageOf(known)) found.set(ip, route)
    }
  }
  return found
}

/** Of peers, and of what has frr-k8s speak with them. */
function routerAddresses(world: ReadonlyWorld): ReadonlyMap<Ip, string> {
  const found = new Map<Ip, string>()
  const note = (ip: Ip, object: string) => {
    const known = found.get(ip)
    if (known === undefined || object < known) found.set(ip, object)
  }
  for (const { namespace, name, peerAddress } of world.all('BGPPeer').values()) {
    const ip = parseIp(peerAddress)
    if (ip.ok) note(ip.value, `BGPPeer ${namespace}/${name}`)
  }
  for (const one of world.all('FRRConfiguration').values()) {
    if (one.routeOf !== undefined) continue
    for (const ip of one.neighbours) note(ip, `FRRConfiguration ${one.key}`)
  }
  return found
}

export const ageOf = ({ createdAt, key }: FrrConfiguration): string => `${createdAt} ${key}`
