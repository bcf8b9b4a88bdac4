// Whom does a tenant serve, from which addresses, what has it made, and what is wrong with it?
import { type Problem, problemRemedies } from '../../model/problem.ts'
import { selectorText } from '../../model/selector.ts'
import type { Key } from '../../model/service.ts'
import { type Network, poolNameOf, type Tenant } from '../../model/tenant.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { rangeText } from '../../net/intervals.ts'
import type { Ip } from '../../net/ip.ts'
import { prefixText } from '../../net/range.ts'
import type { Speakers } from '../announce/advertise.ts'
import { tenantStandings } from '../decideTenant.ts'
import type { Standing } from '../made/standing.ts'
import { problems } from '../problems.ts'
import { type FamilyUse, useOf } from './explainPool.ts'
import { type Waiter, waitersFor } from './explainWaiting.ts'

export type TenantExplanation = {
  readonly tenant: string
  /** The namespaces that are its, whether by name or by label. */
  readonly namespaces: readonly string[]
  /** By which labels namespaces are its; empty without a selector. */
  readonly selector: string
  /** Single Services of other namespaces. */
  readonly services: readonly Key[]
  readonly requestedAddresses: string
  readonly openPools: boolean
  readonly use: { readonly used: number; readonly quota?: number }
  readonly networks: readonly NetworkExplanation[]
  readonly holdings: readonly { readonly service: Key; readonly addresses: readonly Ip[] }[]
  readonly waiters: readonly Waiter[]
  readonly objects: readonly Standing[]
  readonly problems: readonly (Problem & { readonly remedy: string })[]
}
export type NetworkExplanation = Pick<Network, 'name' | 'vlan' | 'interface' | 'announce'> & {
  readonly cidrs: readonly string[]
  readonly translateFrom: readonly string[]
  readonly loadBalancer: readonly string[]
  /** Empty where none is made from it. */
  readonly pool: string
  readonly use: readonly FamilyUse[]
}

export function explainTenant(
  world: ReadonlyWorld,
  speakers: Speakers,
  name: string,
): TenantExplanation | undefined {
  const tenant = world.all('Tenant').get(name)
  if (tenant === undefined) return undefined
  const { selector, services, requestedAddresses, openPools, quota } = tenant
  const isIts = (service: Key): boolean => belongsTo(world, service, name)
  const around = objectsOf(tenant, world)
  return {
    tenant: name,
    namespaces: namespacesOf(world, tenant),
    selector: selector === undefined ? '' : selectorText(selector),
    services,
    requestedAddresses,
    openPools,
    use: { used: world.use.used(name), ...(quota === undefined ? {} : { quota }) },
    networks: tenant.networks.map((network) => networkOf(world, tenant, network)),
    holdings: [...world.services.keys()].sort().flatMap((service) => {
      const addresses = isIts(service) ? (world.holdingOf(service)?.ips ?? []) : []
      return addresses.length === 0 ? [] : [{ service, addresses }]
    }),
    waiters: waitersFor(world, ({ service }) => isIts(service)),
    objects: tenantStandings(world, tenant),
    problems: problems(world, speakers)
      .filter(({ object }) => around.has(object))
      .map((problem) => ({ ...problem, remedy: problemRemedies[problem.code] })),
  }
}

function belongsTo(world: ReadonlyWorld, key: Key, tenant: string): boolean {
  const service = world.services.get(key)
  const belonging = service === undefined ? undefined : world.tenantOf(service)
  return belonging?.kind === 'tenant' && belonging.name === tenant
}

/** Those that it names count before they exist. */
function namespacesOf(world: ReadonlyWorld, { name, namespaces }: Tenant): string[] {
  const all = new Set([...namespaces, ...world.all('Namespace').keys()])
  return [...all].sort().filter((namespace) => {
    const belonging = world.tenantOfNamespace(namespace)
    return belonging.kind === 'tenant' && belonging.name === name
  })
}

function networkOf(world: ReadonlyWorld, tenant: Tenant, network: Network): NetworkExplanation {
  const { name, vlan, interface: link, announce } = network
  const pool = world.pools.get(poolNameOf(tenant.name, name))
  const isMade = pool?.madeFrom === tenant.name
  return {
    ...{ name, vlan, interface: link, announce },
    cidrs: network.cidrs.map(prefixText),
    translateFrom: network.translateFrom.map(prefixText),
    loadBalancer: network.loadBalancer.map(rangeText),
    pool: isMade ? pool.name : '',
    use: isMade ? useOf(world, pool) : [],
  }
}

/** What may have a problem that concerns it: itself, and what was made from it. */
function objectsOf(tenant: Tenant, world: ReadonlyWorld): Set<string> {
  const pools = [...world.pools.values()].filter(({ madeFrom }) => madeFrom === tenant.name)
  return new Set([`Tenant/${tenant.name}`, ...pools.map(objectOf)])
}
