// Are a tenant's ranges apart from everybody else's? (R4.22) And can its pools be announced?
import type { FieldError } from '../../model/admission.ts'
import { forbidden } from '../../model/fieldError.ts'
import { poolNameOf, type Tenant } from '../../model/tenant.ts'
import { isMadeFrom, poolsMadeFrom } from '../../model/tenantPools.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { mayBeOne, type WiresNamed, wiresNamed, wiresUnder } from '../wires/wires.ts'
import { checkAnnounced } from './checkAnnounced.ts'
import { claimsIn, type Place, placesOf } from './checkNetwork.ts'
import { type Claim, clashesBetween, clashText } from './checkOverlap.ts'
import { claimsOf } from './checkPools.ts'

/** Which wires are one, and who announces what, is said by other objects. */
export const checkTenantFits = (world: ReadonlyWorld, tenant: Tenant): readonly FieldError[] => [
  ...wiresAreApart(world, tenant),
  ...poolsCanBeMade(world, tenant),
]

/** In order of name, so that which one is named does not depend on the order of the map. */
export const othersOf = (world: ReadonlyWorld, { name }: Tenant): readonly Tenant[] =>
  [...world.all('Tenant').values()]
    .filter((other) => other.name !== name)
    .sort((one, other) => (one.name < other.name ? -1 : 1))

/** One space in a cluster: a node's forwarding cannot tell two equal ones apart. */
export function loadBalancersAreApart(world: ReadonlyWorld, tenant: Tenant): readonly FieldError[] {
  const others = othersOf(world, tenant)
  const tenants = new Set([tenant, ...others].map(({ name }) => name))
  const own = new Set(poolsMadeFrom(tenant, world.ownNamespace).map(({ name }) => name))
  // Its own may be there before it, without an owner: restored from a backup.
  const pools = [...world.pools.values()].filter(
    (pool) => !tenants.has(pool.madeFrom) && !(own.has(pool.name) && isMadeFrom(pool, tenant.name)),
  )
  const theirs = [
    ...pools.flatMap(claimsOf),
    ...others.flatMap(placesOf).flatMap((place) => claimsIn(place, ['loadBalancer'])),
  ]
  return placesOf(tenant).flatMap((place, index, places) => {
    const earlier = places.slice(0, index).flatMap((one) => claimsIn(one, ['loadBalancer']))
    return apart(claimsIn(place, ['loadBalancer']), [...theirs, ...earlier])
  })
}

/** What is not a load balancer's may be equal on different wires. */
function wiresAreApart(world: ReadonlyWorld, tenant: Tenant): readonly FieldError[] {
  const named = wiresNamed(world.all('NodeNetworkConfigurationPolicy').values())
  const theirs = othersOf(world, tenant).flatMap(placesOf)
  return placesOf(tenant).flatMap((place) => {
    const beside = theirs.filter((other) => areOnOneWire(named, place, other))
    return apart(claimsOnWire(place), beside.flatMap(claimsOnWire))
  })
}

const claimsOnWire = (place: Place): readonly Claim[] =>
  claimsIn(place, ['attachments', 'nodes', 'hosts'])

function areOnOneWire(named: WiresNamed, { network: one }: Place, { network: other }: Place) {
  const theirs = wiresUnder(named, { name: other.interface, vlan: other.vlan })
  return wiresUnder(named, { name: one.interface, vlan: one.vlan }).some((wire) =>
    theirs.some((their) => mayBeOne(wire, their)),
  )
}

const apart = (mine: readonly Claim[], theirs: readonly Claim[]): readonly FieldError[] =>
  clashesBetween(mine, theirs).map((clash) => forbidden(clash.mine.path, clashText(clash)))

/** A tenant that is let in while its pools would be turned away could never be served. */
function poolsCanBeMade(world: ReadonlyWorld, tenant: Tenant): readonly FieldError[] {
  const pools = new Map(poolsMadeFrom(tenant, world.ownNamespace).map((pool) => [pool.name, pool]))
  return placesOf(tenant).flatMap(({ network, path }) => {
    const pool = pools.get(poolNameOf(tenant.name, network.name))
    return pool === undefined ? [] : checkAnnounced(world, pool, `${path}.loadBalancer`)
  })
}
