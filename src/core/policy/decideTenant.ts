// What is made from a tenant, and what does its status say (R4.14, R4.19)? The other things that a
// tenant makes come in the same form.
import type { Problem } from '../model/problem.ts'
import { poolNameOf, type Tenant } from '../model/tenant.ts'
import { namespacesOf, poolsMadeFrom, tenantLabel } from '../model/tenantPools.ts'
import type { ReadonlyWorld } from '../model/world.ts'

export type Made = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly labels: Readonly<Record<string, string>>
    readonly annotations: Readonly<Record<string, string>>
    readonly ownerReferences: readonly OwnerReference[]
  }
  readonly spec: Readonly<Record<string, unknown>>
}
type OwnerReference = {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller: boolean
}
export type TenantStatus = {
  readonly conditions: readonly { type: string; status: string; reason: string; message: string }[]
  readonly addresses: { readonly used: number; readonly quota?: number }
  readonly networks: readonly { name: string; pool: string; size: number; used: number }[]
}
export type TenantDecision = {
  /** Fields that we set; others of an existing object are left alone. */
  readonly make: readonly Made[]
  /** Names of pools that were made from this tenant and are no longer wanted. */
  readonly unwanted: readonly string[]
  readonly status: TenantStatus | undefined
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
      return shown !== undefined && shown.madeFrom !== tenant.name
    })
}

function poolOf(world: ReadonlyWorld, tenant: Tenant, network: Tenant['networks'][number]): Made {
  const selectors = tenant.selector === undefined ? [] : [plainSelector(tenant.selector)]
  const namespaces = namespacesOf(tenant)
  return {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: {
      name: poolNameOf(tenant.name, network.name),
      namespace: world.ownNamespace,
      labels: { 'app.kubernetes.io/managed-by': 'berth', [tenantLabel]: tenant.name },
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

const ownerReference = ({ name, uid }: Tenant): OwnerReference => ({
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

function statusOf(world: ReadonlyWorld, tenant: Tenant, taken: readonly string[]): TenantStatus {
  const ready = { type: 'Ready', status: 'True', reason: 'Ready', message: '' }
  const blocked = {
    type: 'Ready',
    status: 'False',
    reason: 'NameTaken',
    message: `not made by us: ${taken.join(', ')}`,
  }
  const { quota } = tenant
  return {
    conditions: [taken.length === 0 ? ready : blocked],
    addresses: { used: world.use.used(tenant.name), ...(quota === undefined ? {} : { quota }) },
    networks: tenant.networks
      .filter(({ loadBalancer }) => loadBalancer.length > 0)
      .map(({ name }) => networkStatus(world, name, poolNameOf(tenant.name, name))),
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
