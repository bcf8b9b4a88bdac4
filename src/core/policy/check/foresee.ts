// What should whoever writes know before? Whom a changed pool or tenant would cost the address
// (R10.1), by the rules under which a Service keeps what it holds, so that it is what `berth plan`
// would show; and what in a NetConfig can hardly be meant (R12.11).
import type { Foresee, Intended } from '../../model/admission.ts'
import type { Belonging } from '../../model/belonging.ts'
import type { Pool } from '../../model/pool.ts'
import { samePool } from '../../model/poolSense.ts'
import type { Refusal } from '../../model/reason.ts'
import type { Key, ServiceView } from '../../model/service.ts'
import type { Tenant } from '../../model/tenant.ts'
import { isMadeFrom, poolsMadeFrom } from '../../model/tenantPools.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { counted } from '../../net/counted.ts'
import type { Ip } from '../../net/ip.ts'
import { requestOf } from '../addressRequest.ts'
import { doubtsAbout } from '../ipam/netConfigProblems.ts'
import { mayKeep } from '../keep.ts'

/** Whoever asks waits for the answer, and so does everything else in the controller. */
const mostExamined = 5_000
const tooMany =
  `more than ${mostExamined} Services hold addresses that depend on it, too many to examine ` +
  'here: berth plan tells who would lose or change theirs'

export const foresee: Foresee = (world, intended) => {
  const { view } = intended
  if (view.kind === 'NetConfig' && !intended.isGone) {
    return doubtsAbout(view).map(({ field, message }) => `${field}: ${message}`)
  }
  if (view.kind !== 'IPAddressPool' && view.kind !== 'Tenant') return []
  // Nobody can tell what it was, so its holders keep what they have until it can be read.
  if (world.inert.has(view.kind, view.name)) return []
  if (view.kind === 'IPAddressPool' && !isInUse(world, view.name)) return []
  const pools = changedPools(world, intended)
  const after = world.configured({ pools, tenants: tenantsAfter(world, intended) })
  const concerned = new Map<Key, ServiceView>()
  for (const service of concernedBy(world, after, { pools, intended })) {
    concerned.set(service.key, service)
    if (concerned.size > mostExamined) return [tooMany]
  }
  const lost = [...concerned.values()].flatMap((service) => {
    const refusal = refusalOf(world, after, service)
    return refusal === undefined ? [] : [{ service, refusal }]
  })
  return lost.length === 0 ? [] : [lossesOf(world, lost)]
}

function isInUse(world: ReadonlyWorld, pool: string): boolean {
  for (const { holders } of world.ledger.slotsIn(pool)) if (holders.size > 0) return true
  return false
}

function tenantsAfter(world: ReadonlyWorld, { view, isGone }: Intended) {
  const tenants = world.all('Tenant')
  if (view.kind !== 'Tenant') return tenants
  const others = [...tenants].filter(([name]) => name !== view.name)
  return new Map(isGone ? others : [...others, [view.name, view]])
}

/** Those that decisions would use differently, each as it would be in the end. */
function changedPools(world: ReadonlyWorld, intended: Intended): Map<string, Pool | undefined> {
  const { view, isGone } = intended
  const pools = new Map<string, Pool | undefined>()
  if (view.kind === 'IPAddressPool') pools.set(view.name, asUsed(world, view, isGone))
  if (view.kind === 'Tenant') {
    for (const pool of madeFrom(world, view.name)) pools.set(pool.name, undefined)
    const made = isGone ? [] : poolsMadeFrom(view, world.ownNamespace)
    for (const pool of made) {
      const shown = world.all('IPAddressPool').get(pool.name)
      if (shown === undefined || isMadeFrom(shown, view.name)) pools.set(pool.name, pool)
    }
  }
  for (const [name, pool] of pools) if (samePool(world.pools.get(name), pool)) pools.delete(name)
  return pools
}

const madeFrom = (world: ReadonlyWorld, tenant: string): readonly Pool[] =>
  [...world.pools.values()].filter((pool) => pool.madeFrom === tenant)

/** One that is made from a tenant is as the tenant says, whatever becomes of it (R4.19). */
function asUsed(world: ReadonlyWorld, pool: Pool, isGone: boolean): Pool | undefined {
  const tenant = world.all('Tenant').get(world.pools.get(pool.name)?.madeFrom ?? '')
  const made = tenant && poolsMadeFrom(tenant, world.ownNamespace).find(isNamed(pool.name))
  if (made !== undefined && (isGone || isMadeFrom(pool, made.madeFrom))) return made
  return isGone ? undefined : pool
}

const isNamed =
  (name: string) =>
  (pool: Pool): boolean =>
    pool.name === name

type Change = {
  readonly pools: ReadonlyMap<string, Pool | undefined>
  readonly intended: Intended
}

/** More than those who would lose something, and some of them twice. */
function* concernedBy(
  world: ReadonlyWorld,
  after: ReadonlyWorld,
  { pools, intended: { view } }: Change,
): Iterable<ServiceView> {
  if (view.kind === 'Tenant') yield* ofTenant(world, after, view)
  const labelled = view.kind === 'Tenant' ? labelledWith(world, view.name) : []
  for (const name of [...pools.keys(), ...labelled]) {
    for (const { holders } of world.ledger.slotsIn(name)) {
      for (const key of holders.keys()) {
        const service = world.services.get(key)
        if (service !== undefined) yield service
      }
    }
  }
}

const labelledWith = (world: ReadonlyWorld, tenant: string): readonly string[] =>
  [...world.pools.values()].filter((pool) => pool.tenant === tenant).map(({ name }) => name)

/** Those that hold something and belong to it now, or would then. */
function* ofTenant(
  world: ReadonlyWorld,
  after: ReadonlyWorld,
  { name }: Tenant,
): Iterable<ServiceView> {
  const isIts = (belonging: Belonging): boolean =>
    belonging.kind === 'tenant' ? belonging.name === name : belonging.kind === 'ambiguous'
  for (const service of world.services.values()) {
    const isMember = isIts(after.tenantOf(service)) || isIts(world.tenantOf(service))
    if (isMember && world.holdingOf(service.key) !== undefined) yield service
  }
}

/** Why it would not keep what it holds; undefined if it would. */
function refusalOf(
  world: ReadonlyWorld,
  after: ReadonlyWorld,
  service: ServiceView,
): Refusal | undefined {
  const ips = heldBy(world, service)
  if (ips.length === 0 || world.inert.isInDoubt(service)) return undefined
  const verdict = mayKeep({ world: after, request: requestOf(after, service), ips })
  return verdict.ok ? undefined : verdict
}

const heldBy = (world: ReadonlyWorld, { key }: ServiceView): readonly Ip[] =>
  world.holdingOf(key)?.ips ?? []

type Loss = { readonly service: ServiceView; readonly refusal: Refusal }

function lossesOf(world: ReadonlyWorld, lost: readonly Loss[]): string {
  const would = `${counted(lost.length, 'Service')} would lose or change`
  const first = firstOf(world, lost)
  return lost.length === 1
    ? `${would} its address: ${first}`
    : `${would} their address, the first is ${first}; berth plan names the others`
}

/** By namespace and name. */
function firstOf(world: ReadonlyWorld, lost: readonly Loss[]): string {
  const { service, refusal } = lost.reduce((one, other) =>
    other.service.key < one.service.key ? other : one,
  )
  const held = heldBy(world, service).join(', ')
  return `${service.key} (${held}): ${refusal.reason}: ${refusal.message}`
}
