// May this Service use this pool at all? The fence of tenants (R4.3 to R4.5), then M3.6.
import type { Pool } from '../model/pool.ts'
import { no, type Verdict, yes } from '../model/reason.ts'
import { matchesAny } from '../model/selector.ts'
import type { ServiceView } from '../model/service.ts'
import { siteMaker } from '../model/sitePools.ts'
import { vipNames } from '../model/siteVips.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Ip } from '../net/ip.ts'
import { ask, type Listener, rule } from './rule.ts'

export type Candidate = {
  readonly world: ReadonlyWorld
  readonly service: ServiceView
  readonly pool: Pool
  /** Those of its addresses that are asked for. */
  readonly addresses?: readonly Ip[]
}

const isOfTheTenant = rule('tenant', ({ world, service, pool }: Candidate) => {
  if (pool.tenant === '') return yes
  const theirs = `pool ${pool.name} belongs to tenant ${pool.tenant}`
  if (!world.all('Tenant').has(pool.tenant)) {
    const remedy = `create tenant ${pool.tenant}, or correct the label berth.dev/tenant of the pool`
    return no('pool-of-another-tenant', `${theirs}, which does not exist`, remedy)
  }
  const belonging = world.tenantOf(service)
  return belonging.kind === 'tenant' && belonging.name === pool.tenant
    ? yes
    : no('pool-of-another-tenant', theirs)
})

/** The Site's two pools serve its two Services, each its own, and nobody else (R6.5). */
const isForTheSite = rule(
  'site',
  ({ world, service, pool }: Candidate) => {
    const vip = world.siteVipOf(service.key)
    if (vip !== undefined && vipNames[vip].pool === pool.name) return yes
    const message = `pool ${pool.name} serves only the Service that the Site made for it`
    return no('pool-not-allowed', message, 'request another pool')
  },
  { concerns: ({ pool }) => pool.madeFrom === siteMaker },
)

/** An open pool that the tenant may not use is, for an address, no pool at all (R4.10). */
const mayUseOpenPools = rule('open-pools', ({ world, service, pool, addresses }: Candidate) => {
  const belonging = world.tenantOf(service)
  if (pool.tenant !== '' || belonging.kind !== 'tenant') return yes
  const { name } = belonging
  if (world.all('Tenant').get(name)?.openPools === true) return yes
  const theirs = `pool ${pool.name} belongs to no tenant`
  const message = `tenant ${name} uses only its own pools, and ${theirs}`
  const opened = `set openPools: true in tenant ${name}`
  return addresses === undefined
    ? no('pool-not-allowed', message, `request a pool of the tenant, or ${opened}`)
    : no(
        'address-not-in-pool',
        `${addresses[0]}: ${message}`,
        `request an address in a pool of the tenant, or ${opened}`,
      )
})

const allocationMatches = rule('service-allocation', (candidate: Candidate) => {
  const { pool, service } = candidate
  if (pool.allocation === undefined || isMadeForItsTenant(candidate)) return yes
  if (!servesNamespace(candidate)) {
    return no('pool-not-allowed', `pool ${pool.name} does not serve namespace ${service.namespace}`)
  }
  const { serviceSelectors } = pool.allocation
  if (serviceSelectors.length === 0 || matchesAny(serviceSelectors, service.labels)) return yes
  return no('pool-not-allowed', `pool ${pool.name} selects Services by labels that do not match`)
})

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

export const admissionRules = [
  isOfTheTenant,
  isForTheSite,
  mayUseOpenPools,
  allocationMatches,
] as const

export const admits = (candidate: Candidate, listener?: Listener): Verdict =>
  ask(admissionRules, candidate, listener) ?? yes
