// May this Service use this pool at all? The fence of tenants (R4.3 to R4.5), then M3.6.
import type { Pool } from '../model/pool.ts'
import { no, type Verdict, yes } from '../model/reason.ts'
import { matchesAny } from '../model/selector.ts'
import type { ServiceView } from '../model/service.ts'
import type { ReadonlyWorld } from '../model/world.ts'

export type Candidate = {
  readonly world: ReadonlyWorld
  readonly service: ServiceView
  readonly pool: Pool
}
export type Rule = {
  readonly name: string
  readonly judge: (candidate: Candidate) => Verdict
}

const isOfTheTenant: Rule = {
  name: 'tenant',
  judge({ world, service, pool }) {
    if (pool.tenant === '') return yes
    const theirs = `pool ${pool.name} belongs to tenant ${pool.tenant}`
    if (!world.all('Tenant').has(pool.tenant)) {
      return no('pool-of-another-tenant', `${theirs}, which does not exist`)
    }
    const belonging = world.tenantOf(service)
    return belonging.kind === 'tenant' && belonging.name === pool.tenant
      ? yes
      : no('pool-of-another-tenant', theirs)
  },
}

const mayUseOpenPools: Rule = {
  name: 'open-pools',
  judge({ world, service, pool }) {
    const belonging = world.tenantOf(service)
    if (pool.tenant !== '' || belonging.kind !== 'tenant') return yes
    if (world.all('Tenant').get(belonging.name)?.openPools === true) return yes
    return no(
      'pool-not-allowed',
      `tenant ${belonging.name} uses only its own pools, and ${pool.name} belongs to none`,
    )
  },
}

const allocationMatches: Rule = {
  name: 'service-allocation',
  judge(candidate) {
    const { pool, service } = candidate
    if (pool.allocation === undefined || isMadeForItsTenant(candidate)) return yes
    if (!servesNamespace(candidate)) {
      return no(
        'pool-not-allowed',
        `pool ${pool.name} does not serve namespace ${service.namespace}`,
      )
    }
    const { serviceSelectors } = pool.allocation
    if (serviceSelectors.length === 0 || matchesAny(serviceSelectors, service.labels)) return yes
    return no('pool-not-allowed', `pool ${pool.name} selects Services by labels that do not match`)
  },
}

/** A pool made from a tenant admits exactly the tenant's Services (R4.4). */
const isMadeForItsTenant = ({ pool }: Candidate): boolean =>
  pool.madeFrom !== '' && pool.madeFrom === pool.tenant

/** A restriction that matches nothing is closed, not open (M12.2). */
function servesNamespace({ world, service, pool }: Candidate): boolean {
  const { namespaces = [], namespaceSelectors = [] } = pool.allocation ?? {}
  if (namespaces.length === 0 && namespaceSelectors.length === 0) return true
  if (namespaces.includes(service.namespace)) return true
  return matchesAny(namespaceSelectors, world.labelsOf(service.namespace))
}

export const admissionRules: readonly Rule[] = [isOfTheTenant, mayUseOpenPools, allocationMatches]

export function admits(candidate: Candidate): Verdict {
  for (const { judge } of admissionRules) {
    const verdict = judge(candidate)
    if (!verdict.ok) return verdict
  }
  return yes
}
