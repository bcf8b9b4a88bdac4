// What is made from a tenant, and what does its status say (R4.14, R4.19)? The other things that a
// tenant makes come in the same form.
import { apiGroups, apiVersionOf } from '../model/apiGroups.ts'
import type { Changed } from '../model/changed.ts'
import type { JsonObject } from '../model/gate.ts'
import { managed } from '../model/made.ts'
import type { Problem } from '../model/problem.ts'
import { type Network, poolNameOf, type Tenant } from '../model/tenant.ts'
import { isMadeFrom, namespacesOf, poolsMadeFrom, tenantLabel } from '../model/tenantPools.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { StatusWrite, Write } from '../model/write.ts'
import type { Decider } from './decider.ts'

export const tenants: Decider = {
  name: 'tenants',
  kind: 'Tenant',
  reads: ['Tenant', 'IPAddressPool'],
  wakes: tenantsWoken,
  decide(world, name) {
    const tenant = world.all('Tenant').get(name)
    // Whether what was made goes with it or stays is for its deletion to say.
    if (tenant?.isGoing === true) return { writes: [] }
    if (tenant !== undefined) return { writes: writesFor(world, tenant) }
    // One that is there but cannot be used, or that is lost, takes nothing away (P2).
    const isGone = !world.inert.has('Tenant', name) && world.lost.wasTenantSeen(name)
    return { writes: isGone ? unwanted(world, name, new Set()) : [] }
  },
}

/** Made pools also wake it when they differ only in what no view shows. */
function tenantsWoken(changed: Changed): readonly string[] {
  if (changed.kind === 'Tenant') return [changed.key]
  if (changed.type !== 'object') return []
  const pools = [changed.before, changed.after].filter((view) => view?.kind === 'IPAddressPool')
  return pools.flatMap(({ madeFrom }) => (madeFrom === '' ? [] : [madeFrom]))
}

function writesFor(world: ReadonlyWorld, tenant: Tenant): Write[] {
  const { name } = tenant
  const wanted = new Set(poolsMadeFrom(tenant, world.ownNamespace).map((pool) => pool.name))
  const taken = takenNames(world, tenant)
  const made = tenant.networks
    .map((network) => ({ network, pool: poolNameOf(name, network.name) }))
    .filter(({ pool }) => wanted.has(pool) && !taken.includes(pool))
    .map(({ network }): Write => ({ type: 'apply', object: poolOf(world, tenant, network) }))
  return [...unwanted(world, name, wanted), ...made, statusOf(world, tenant, taken)]
}

/** Pools that were made from this tenant and are no longer wanted. */
function unwanted(world: ReadonlyWorld, tenant: string, wanted: ReadonlySet<string>): Write[] {
  const { ownNamespace: namespace } = world
  const madeFrom = { kind: 'Tenant', name: tenant }
  return [...world.all('IPAddressPool').values()]
    .filter((pool) => pool.madeFrom === tenant && !wanted.has(pool.name))
    .map(({ name }) => ({ kind: 'IPAddressPool', namespace, name }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((of) => ({ type: 'delete', of, madeFrom }))
}

/** Objects of a wanted name that we did not make stand in the way (R4.19). */
export function nameTakenProblems(world: ReadonlyWorld): Problem[] {
  return [...world.all('Tenant').values()].flatMap((tenant) =>
    takenNames(world, tenant).map((name) => ({
      code: 'name-taken' as const,
      severity: 'error' as const,
      object: `Tenant/${tenant.name}`,
      message: `IPAddressPool/${world.ownNamespace}/${name} was not made from this tenant`,
    })),
  )
}

function takenNames(world: ReadonlyWorld, tenant: Tenant): string[] {
  return poolsMadeFrom(tenant, world.ownNamespace)
    .map(({ name }) => name)
    .filter((name) => {
      const shown = world.all('IPAddressPool').get(name)
      return shown !== undefined && !isMadeFrom(shown, tenant.name)
    })
}

function poolOf(world: ReadonlyWorld, tenant: Tenant, network: Network): JsonObject {
  const selectors = tenant.selector === undefined ? [] : [plainSelector(tenant.selector)]
  const namespaces = namespacesOf(tenant)
  return {
    apiVersion: apiVersionOf(apiGroups.metallb),
    kind: 'IPAddressPool',
    metadata: {
      name: poolNameOf(tenant.name, network.name),
      namespace: world.ownNamespace,
      labels: { ...managed, [tenantLabel]: tenant.name },
      annotations: { 'berth.dev/serves': network.name },
      ownerReferences: [ownerReference(tenant)],
    },
    spec: {
      addresses: network.loadBalancerTexts,
      autoAssign: network.autoAssign,
      serviceAllocation: {
        ...(namespaces.length > 0 ? { namespaces } : {}),
        ...(selectors.length > 0 ? { namespaceSelectors: selectors } : {}),
      },
    },
  }
}

const ownerReference = ({ name, uid }: Tenant): JsonObject => ({
  apiVersion: apiVersionOf(apiGroups.berth),
  kind: 'Tenant',
  name,
  uid,
  controller: true,
})

const plainSelector = ({ matchLabels, matchExpressions }: NonNullable<Tenant['selector']>) => ({
  ...(Object.keys(matchLabels).length > 0 ? { matchLabels } : {}),
  ...(matchExpressions.length > 0 ? { matchExpressions } : {}),
})

function statusOf(world: ReadonlyWorld, tenant: Tenant, taken: readonly string[]): StatusWrite {
  const ready = { status: 'True', reason: 'Ready', message: '' } as const
  const blocked = {
    status: 'False',
    reason: 'NameTaken',
    message: `not made by us: ${taken.join(', ')}`,
  } as const
  const { name, quota } = tenant
  return {
    type: 'status',
    of: { kind: 'Tenant', name },
    conditions: { Ready: taken.length === 0 ? ready : blocked },
    fields: {
      addresses: { used: world.use.used(name), ...(quota === undefined ? {} : { quota }) },
      networks: tenant.networks
        .filter(({ loadBalancer }) => loadBalancer.length > 0)
        .map((network) => networkStatus(world, network.name, poolNameOf(name, network.name))),
    },
  }
}

function networkStatus(world: ReadonlyWorld, name: string, pool: string) {
  const ledger = world.ledger.pool(pool)
  const size = (ledger?.capacity('IPv4') ?? 0n) + (ledger?.capacity('IPv6') ?? 0n)
  const used = (ledger?.held('IPv4') ?? 0) + (ledger?.held('IPv6') ?? 0)
  // A /64 has more than JSON numbers can tell apart.
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  return { name, pool, size: Number(size < most ? size : most), used }
}
