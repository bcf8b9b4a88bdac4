// Are a tenant's ranges apart from everybody else's? (R4.22) And can its pools be announced?
import type { FieldError } from '../../model/admission.ts'
import { forbidden } from '../../model/fieldError.ts'
import { poolNameOf, type Tenant } from '../../model/tenant.ts'
import { isMadeFrom, poolsMadeFrom } from '../../model/tenantPools.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { mayBeOne, type WiresNamed, wiresNamed, wiresUnder } from '../wires/wires.ts'
import { checkAnnounced } from './checkAnnounced.ts'
import { claimsIn, type TenantNetwork, tenantNetworksOf } from './checkNetwork.ts'
import { type ClaimedRange, clashesBetween, clashesWithin, clashText } from './checkOverlap.ts'
import { claimsOf } from './checkPools.ts'
import { vipsHeldBack } from './vipsHeldBack.ts'

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
  const made = new Set(poolsMadeFrom(tenant, world.ownNamespace).map(({ name }) => name))
  // Its own may be there before it, without an owner: restored from a backup.
  const pools = [...world.pools.values()].filter(
    (pool) =>
      !tenants.has(pool.madeFrom) && !(made.has(pool.name) && isMadeFrom(pool, tenant.name)),
  )
  const theirs = [
    ...pools.flatMap(claimsOf),
    ...vipsHeldBack(world),
    ...others.flatMap(tenantNetworksOf).flatMap((place) => claimsIn(place, ['loadBalancer'])),
  ]
  const own = tenantNetworksOf(tenant).flatMap((place) => claimsIn(place, ['loadBalancer']))
  const place = new Map(own.map((claim, index) => [claim, index]))
  const isLater = (one: ClaimedRange, other: ClaimedRange) =>
    (place.get(one) ?? 0) > (place.get(other) ?? 0)
  const between = clashesWithin(own).map((clash) => {
    const { mine, other } = clash
    return isLater(mine, other) ? clash : { ...clash, mine: other, other: mine }
  })
  return [
    ...apart(own, theirs),
    ...between.map((clash) => forbidden(clash.mine.path, clashText(clash))),
  ]
}

/** What is not a load balancer's may be equal on different wires. */
function wiresAreApart(world: ReadonlyWorld, tenant: Tenant): readonly FieldError[] {
  const named = wiresNamed(world.all('NodeNetworkConfigurationPolicy').values())
  const wired = (place: TenantNetwork) => ({ place, wires: wiresOf(named, place) })
  const theirs = othersOf(world, tenant).flatMap(tenantNetworksOf).map(wired)
  return tenantNetworksOf(tenant).flatMap((place) => {
    const mine = claimsOnWire(place)
    if (mine.length === 0) return []
    const { wires } = wired(place)
    const beside = theirs.filter((other) => areOne(wires, other.wires))
    return apart(
      mine,
      beside.flatMap((other) => claimsOnWire(other.place)),
    )
  })
}

const claimsOnWire = (place: TenantNetwork): readonly ClaimedRange[] =>
  claimsIn(place, ['attachments', 'nodes', 'hosts'])

type Wires = ReturnType<typeof wiresUnder>

const wiresOf = (named: WiresNamed, { network }: TenantNetwork): Wires =>
  wiresUnder(named, { name: network.interface, vlan: network.vlan })

const areOne = (mine: Wires, theirs: Wires): boolean =>
  mine.some((wire) => theirs.some((their) => mayBeOne(wire, their)))

const apart = (
  mine: readonly ClaimedRange[],
  theirs: readonly ClaimedRange[],
): readonly FieldError[] =>
  clashesBetween(mine, theirs).map((clash) => forbidden(clash.mine.path, clashText(clash)))

/** A tenant that is let in while its pools would be turned away could never be served. */
function poolsCanBeMade(world: ReadonlyWorld, tenant: Tenant): readonly FieldError[] {
  const pools = new Map(poolsMadeFrom(tenant, world.ownNamespace).map((pool) => [pool.name, pool]))
  return tenantNetworksOf(tenant).flatMap(({ network, path }) => {
    const pool = pools.get(poolNameOf(tenant.name, network.name))
    return pool === undefined ? [] : checkAnnounced(world, pool, `${path}.loadBalancer`)
  })
}
