// Is what another tenant has on a wire of this namespace (R12.4)? Tenants with one interface and
// VLAN share a subnet, and so do Namespaces that name one wire; elsewhere, the same address is
// somebody else's and in nobody's way.
import type { PodAddresses } from '../../model/ipam/podAddresses.ts'
import { linkWire, namedWire, wireNamed, wiresNamedIn } from '../../model/ipam/wireNames.ts'
import type { Tenant } from '../../model/tenant.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { contains } from '../../net/intervals.ts'
import type { Ip } from '../../net/ip.ts'
import { rangeOf } from '../../net/range.ts'

type AddressOn = { readonly namespace: string; readonly wire: string; readonly ip: Ip }

/** Empty without one. */
export function tenantOf(world: ReadonlyWorld, namespace: string): string {
  const belonging = world.tenantOfNamespace(namespace)
  return belonging.kind === 'tenant' ? belonging.name : ''
}

/** Of different tenants. */
export function isApart(world: ReadonlyWorld, one: string, other: string): boolean {
  if (one === other) return false
  const [mine, theirs] = [tenantOf(world, one), tenantOf(world, other)]
  return mine !== theirs && mine !== '' && theirs !== ''
}

/** Whether what an object of whereabouts records counts: a tenant can write its own as it likes. */
export function isToldFor(world: ReadonlyWorld, namespace: string, pool: PodAddresses): boolean {
  const theirs = tenantOf(world, pool.namespace)
  return theirs === '' || theirs === tenantOf(world, namespace)
}

/** Where the tenant has the address, if it has: on those of its networks that contain it. */
export function wiresOfTenant(world: ReadonlyWorld, name: string, ip: Ip): readonly string[] {
  const tenant = world.all('Tenant').get(name)
  const named = tenant === undefined ? [] : wiresNamedIn(sourcesOf(world), tenant)
  return wiresWith(tenant, ip, named)
}

/** A namespace that a selector puts into its tenant is on the wire that it names itself. */
export function wiresOf(world: ReadonlyWorld, namespace: string, ip: Ip): readonly string[] {
  const tenant = world.all('Tenant').get(tenantOf(world, namespace))
  const named = tenant === undefined ? [] : wiresNamedIn(sourcesOf(world), tenant)
  return wiresWith(tenant, ip, [...named, ...namedBy(world, namespace)])
}

/** Only its tenant decides about a tenant's range: ranges on one wire do not overlap. */
export function isInOwnRange(world: ReadonlyWorld, namespace: string, ip: Ip): boolean {
  const tenant = world.all('Tenant').get(tenantOf(world, namespace))
  const ranges = (tenant?.networks ?? []).flatMap((one) => [
    ...[...one.loadBalancer, ...one.attachments],
    ...[...one.nodes, ...one.hosts],
  ])
  return ranges.some((range) => contains(range, ip))
}

/** Of a wire that is known: hosts of NetConfigs of its own are on the one that it names. */
export function isOn(world: ReadonlyWorld, { namespace, wire, ip }: AddressOn): boolean {
  return [...wiresOf(world, namespace, ip), ...namedBy(world, namespace)].includes(wire)
}

const wiresWith = (tenant: Tenant | undefined, ip: Ip, named: readonly string[]) =>
  (tenant?.networks ?? [])
    .filter((network) => hasIn(network, ip))
    .flatMap((network) => linkWire(network) ?? named)

function namedBy(world: ReadonlyWorld, namespace: string): readonly string[] {
  const named = wireNamed(sourcesOf(world), namespace)
  return named === '' ? [] : [namedWire(named)]
}

const sourcesOf = (world: ReadonlyWorld) => ({ namespaces: world.all('Namespace') })

const hasIn = ({ cidrs }: Tenant['networks'][number], ip: Ip): boolean =>
  cidrs.some((cidr) => contains(rangeOf(cidr), ip))
