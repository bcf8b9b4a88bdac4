// What is made from a tenant, and what does its status say (R4.14, R4.19)? The other things that a
// tenant makes come in the same form.
import type { Changed } from '../model/changed.ts'
import type { JsonObject } from '../model/gate.ts'
import type { Problem } from '../model/problem.ts'
import { type Network, poolNameOf, type Tenant } from '../model/tenant.ts'
import { isMadeFrom, namespacesOf, poolsMadeFrom, tenantLabel } from '../model/tenantPools.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import { managed, type StatusWrite, type Write } from '../model/write.ts'
import type { Decider } from './decider.ts'

type TenantDecision = {
  /** Fields that we set; others of an existing object are left alone. */
  readonly make: readonly JsonObject[]
  /** Names of pools that were made from this tenant and are no longer wanted. */
  readonly unwanted: readonly string[]
  readonly status: StatusWrite | undefined
}

export const tenants: Decider = {
  name: 'tenants',
  kind: 'Tenant',
  reads: ['Tenant', 'IPAddressPool'],
  wakes: tenantsWoken,
  decide(world, name) {
    const { make, unwanted, status } = decideTenant(world, name)
    const { ownNamespace: namespace } = world
    const madeFrom = { kind: 'Tenant', name }
    const gone = unwanted.map((pool): Write => {
      return { type: 'delete', of: { kind: 'IPAddressPool', namespace, name: pool }, madeFrom }
    })
    const made = make.map((object): Write => ({ type: 'apply', object }))
    return { writes: [...gone, ...made, ...(status === undefined ? [] : [status])] }
  },
}

/** Made pools also wake it when they differ only in what no view shows. */
function tenantsWoken(changed: Changed): readonly string[] {
  if (changed.kind === 'Tenant') return [changed.key]
  if (changed.type !== 'object') return []
  const pools = [changed.before, changed.after].filter((view) => view?.kind === 'IPAddressPool')
  return pools.flatMap(({ madeFrom }) => (madeFrom === '' ? [] : [madeFrom]))
}

export function decideTenant(world: ReadonlyWorld, name: string): TenantDecision {
  const tenant = world.all('Tenant').get(name)
  const wanted = tenant === undefined ? [] : poolsMadeFrom(tenant, world.ownNamespace)
  const isWanted = new Set(wanted.map((pool) => pool.name))
  const unwanted = [...world.all('IPAddressPool').values()]
    .filter((pool) => pool.madeFrom === name && !isWanted.has(pool.name))
    .map((pool) => pool.name)
    .sort()
  // One that is there but cannot be used takes nothing away (P2).
  const isGone = !world.inert.has('Tenant', name)
  if (tenant === undefined) return { make: [], unwanted: isGone ? unwanted : [], status: undefined }
  const taken = new Set(takenNames(world, tenant))
  const make = tenant.networks
    .map((network) => ({ network, name: poolNameOf(name, network.name) }))
    .filter((one) => isWanted.has(one.name) && !taken.has(one.name))
    .map(({ network }) => poolOf(world, tenant, network))
  return { make, unwanted, status: statusOf(world, tenant, [...taken]) }
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
    apiVersion: 'metallb.io/v1beta1',
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
  apiVersion: 'berth.dev/v1alpha1',
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
