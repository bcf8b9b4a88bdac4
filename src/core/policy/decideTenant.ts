// What is made from a tenant, and what does its status say (R4.14 to R4.19)?

import { pointing } from '../model/pointer.ts'
import type { Problem } from '../model/problem.ts'
import { refOf, refText } from '../model/ref.ts'
import { poolNameOf, type Tenant } from '../model/tenant.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Condition, Ref, StatusWrite, Write } from '../model/write.ts'
import type { Decider } from './decider.ts'
import { hostStandings } from './made/hosts/hostStandings.ts'
import { hostKinds, madeKinds } from './made/madeKinds.ts'
import { canBeWritten, type Standing, standingOf } from './made/standing.ts'
import { listedObjects, readyCondition } from './made/standingStatus.ts'
import { tenantObjects, unwantedObjects } from './made/tenantObjects.ts'
import { tenantsWoken } from './made/tenantsWoken.ts'

export const tenants: Decider = {
  name: 'tenants',
  kind: 'Tenant',
  atOnce: 8,
  keysAtOnce: 4,
  reads: ['Tenant', 'Namespace', 'IPSet', ...madeKinds, ...hostKinds],
  wakes: tenantsWoken,
  decide(world, name) {
    const tenant = world.all('Tenant').get(name)
    // Whether what was made goes with it or stays is for its deletion to say.
    if (tenant?.isGoing === true) return { writes: [] }
    if (tenant !== undefined) return { writes: writesFor(world, tenant) }
    // One that is there but cannot be used, or that is lost, takes nothing away (P2).
    const isGone = !world.inert.has('Tenant', name) && world.lost.wasTenantSeen(name)
    return { writes: isGone ? removals(world, name, []) : [] }
  },
}

function writesFor(world: ReadonlyWorld, tenant: Tenant): Write[] {
  const objects = tenantObjects(world, tenant)
  const refs = objects.map(refOf)
  const standings = standingsOf(world, tenant, refs)
  const isWritable = standings.map((standing) => canBeWritten(world, standing))
  const made = objects
    .filter((_, index) => isWritable[index])
    .map((object): Write => ({ type: 'apply', object }))
  // Until what is written now has been seen, the status would be old before it is written.
  const isUnderWay = standings.some(({ state }, index) => state === 'Waiting' && isWritable[index])
  const all = [...standings, ...hostStandings(world, tenant)]
  const status = isUnderWay ? [] : [statusOf(world, tenant, all)]
  return [...removals(world, tenant.name, refs), ...made, ...status]
}

const standingsOf = (world: ReadonlyWorld, { name }: Tenant, refs: readonly Ref[]) =>
  refs.map((of) => standingOf(world, `Tenant/${name}`, of))

/** Everything that should be made from the tenant, in the order in which it is made. */
export const tenantStandings = (world: ReadonlyWorld, tenant: Tenant): readonly Standing[] => [
  ...standingsOf(world, tenant, tenantObjects(world, tenant).map(refOf)),
  ...hostStandings(world, tenant),
]

/** Of what was made from the tenant and is no longer wanted. */
function removals(world: ReadonlyWorld, tenant: string, wanted: readonly Ref[]): Write[] {
  const madeFrom = { kind: 'Tenant', name: tenant }
  const unwanted = unwantedObjects(world, { maker: `Tenant/${tenant}` }, wanted)
  return unwanted.map((of) => ({ type: 'delete', of, madeFrom }))
}

const blocked = { NameTaken: 'name-taken', Refused: 'not-made' } as const

/** Why an object that is wanted cannot be made (R4.19, R4.23). */
export function madeProblems(world: ReadonlyWorld): Problem[] {
  return [...world.all('Tenant').values()].flatMap((tenant) => {
    const standings = standingsOf(world, tenant, tenantObjects(world, tenant).map(refOf))
    return standings.flatMap(({ of, state, message }): Problem[] => {
      if (state !== 'NameTaken' && state !== 'Refused') return []
      const object = `Tenant/${tenant.name}`
      const why = `${refText(of)}: ${message}`
      return [{ code: blocked[state], severity: 'error', object, message: why }]
    })
  })
}

function statusOf(
  world: ReadonlyWorld,
  tenant: Tenant,
  standings: readonly Standing[],
): StatusWrite {
  const { name, quota, generation } = tenant
  return {
    type: 'status',
    of: { kind: 'Tenant', name },
    conditions: { Ready: pointed(readyCondition(standings), name) },
    fields: {
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      addresses: { used: world.use.used(name), ...(quota === undefined ? {} : { quota }) },
      networks: tenant.networks
        .filter(({ loadBalancer }) => loadBalancer.length > 0)
        .map((network) => networkStatus(world, network.name, poolNameOf(name, network.name))),
      ...listedObjects(standings),
    },
  }
}

const pointed = (condition: Condition, tenant: string): Condition =>
  condition.status === 'True'
    ? condition
    : { ...condition, message: pointing(condition.message, 'tenant', tenant) }

function networkStatus(world: ReadonlyWorld, name: string, pool: string) {
  const ledger = world.ledger.pool(pool)
  const size = (ledger?.capacity('IPv4') ?? 0n) + (ledger?.capacity('IPv6') ?? 0n)
  const used = (ledger?.held('IPv4') ?? 0) + (ledger?.held('IPv6') ?? 0)
  // A /64 has more than JSON numbers can tell apart.
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  return { name, pool, size: Number(size < most ? size : most), used }
}
