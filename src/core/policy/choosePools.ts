// Which pools does a Service consider, in which order? By name (R1.2, R1.3) or not (M3.2, R4.4).
import type { Pool } from '../model/pool.ts'
import { byPriority } from '../model/poolIndex.ts'
import { answersTo } from '../model/poolSense.ts'
import { no, type Refusal, yes } from '../model/reason.ts'
import type { ServiceView } from '../model/service.ts'
import { admissionRules, type Candidate } from './admits.ts'
import { hasFamily } from './proposal.ts'
import { ask, type Objection, passOver, type Rule, rule } from './rule.ts'
import type { Search } from './search.ts'

type Lists = readonly (readonly Pool[])[]
export type Choice = { readonly ok: true; readonly lists: Lists } | Refusal

export const namedRule = <C extends Candidate, No extends Objection>(otherwise: (one: C) => No) =>
  rule('name', (one: C) => (answersTo(one.pool, one.service.asksPool) ? yes : otherwise(one)), {
    concerns: ({ service }) => service.asksPool !== '',
    says: ({ service }) => `it answers to ${service.asksPool}`,
  })
const isNamed = namedRule(({ service }: Candidate) =>
  passOver(`it does not answer to ${service.asksPool}`),
)
const isAutomatic = rule('auto-assign', ({ pool }: Candidate) =>
  pool.autoAssign ? yes : passOver('autoAssign is false: it serves only those who ask for it'),
)
const namedRules: readonly Rule<Candidate>[] = [...admissionRules, isNamed]
const automaticRules: readonly Rule<Candidate>[] = [...admissionRules, isAutomatic]

export function poolsFor(search: Search): Choice {
  const { world, request, trace } = search
  trace?.onEach(world, (pool) => objectionOf(search, pool))
  return request.name === '' ? automaticPools(search) : namedPools(search)
}

function objectionOf({ world, request, trace }: Search, pool: Pool): Objection | undefined {
  const rules = request.name === '' ? automaticRules : namedRules
  return ask(rules, { world, service: request.service, pool }, trace?.on(pool))
}

function namedPools(search: Search): Choice {
  const { world, request } = search
  const { name, tenant } = request
  const answering = world.poolIndex.answering(name)
  if (answering.length === 0) {
    return no('pool-not-found', `no pool is called ${name} or serves that name`)
  }
  const objections = answering.map((pool) => objectionOf(search, pool))
  const admitting = answering.filter((_, index) => objections[index] === undefined)
  if (admitting.length === 0) return noneAdmits(name, objections)
  const hasOwn = admitting.some((pool) => pool.tenant !== '' && pool.tenant === tenant?.name)
  return { ok: true, lists: [besideOwn(search, admitting, hasOwn).toSorted(inScopeOrder(request))] }
}

/** Not another tenant's, where one of them is open: then that one's objection says more (R1.2). */
function noneAdmits(name: string, objections: readonly (Objection | undefined)[]): Refusal {
  const isOwn = (one: Objection | undefined) => one?.reason !== 'pool-of-another-tenant'
  const own = objections.find(isOwn) ?? objections[0]
  const nobody = `no pool that answers to ${name} admits the Service`
  const message = own?.message ?? nobody
  const isNamed = own === undefined || message.includes(`pool ${name} `)
  const told = isNamed ? message : `${message}; ${nobody}`
  return no(own?.reason ?? 'pool-not-allowed', told, own?.remedy)
}

const inScopeOrder =
  ({ service, name }: Search['request']) =>
  (a: Pool, b: Pool): number => {
    const byScope = scopeOf(a, service) - scopeOf(b, service)
    if (byScope !== 0) return byScope
    if (priorityOf(a) !== priorityOf(b)) return byPriority(a, b)
    const isOwnName = (pool: Pool) => (pool.name === name ? 0 : 1)
    return isOwnName(a) - isOwnName(b) || (a.name < b.name ? -1 : 1)
  }

const scopes = ['for its namespace', "for its namespace's labels", 'for its labels', '']

/** The narrowest first (R1.3). */
function scopeOf({ allocation }: Pool, { namespace }: ServiceView): number {
  const { namespaces = [], namespaceSelectors = [], serviceSelectors = [] } = allocation ?? {}
  if (namespaces.includes(namespace)) return 0
  if (namespaceSelectors.length > 0) return 1
  return serviceSelectors.length > 0 ? 2 : 3
}

const priorityOf = ({ allocation }: Pool): number => allocation?.priority ?? 0

function automaticPools(search: Search): Choice {
  const { world, request, trace } = search
  const candidates = (tenant: string) =>
    world.poolIndex
      .ofTenant(tenant)
      .map((pools) => pools.filter((pool) => objectionOf(search, pool) === undefined))
  const own = request.tenant === undefined ? [] : candidates(request.tenant.name)
  const ownHasFamily = own.some((pools) =>
    pools.some((pool) => request.families.some((family) => hasFamily(world, pool, family))),
  )
  const isDone = ownHasFamily && trace === undefined
  const open = isDone ? [] : candidates('').map((pools) => besideOwn(search, pools, ownHasFamily))
  const lists = [...own, ...open]
  return lists.some((pools) => pools.length > 0) ? { ok: true, lists } : noPool(search)
}

function noPool({ world, request: { tenant } }: Search): Refusal {
  const message = 'no pool with autoAssign admits the Service'
  const { name = '', openPools = true } = world.all('Tenant').get(tenant?.name ?? '') ?? {}
  if (openPools) return no('no-pool', message)
  const shown = `berth explain tenant ${name}`
  return no(
    'no-pool',
    `${message}: tenant ${name} uses only its own pools`,
    `give tenant ${name} a pool with autoAssign (${shown} lists its pools), or set openPools: true`,
  )
}

/** Open pools are left out where an own pool answers or has the family, openPools or not (R4.7). */
function besideOwn(search: Search, pools: readonly Pool[], hasOwn: boolean): readonly Pool[] {
  const { tenant } = search.request
  if (tenant === undefined) return pools
  const on = (pool: Pool) => search.trace?.on(pool)
  return pools.filter((pool) => !ask([standsAlone], { tenant, pool, hasOwn }, on(pool)))
}

type Beside = { readonly tenant: { name: string }; readonly pool: Pool; readonly hasOwn: boolean }
const standsAlone = rule(
  'own-pools',
  ({ tenant, hasOwn }: Beside) =>
    hasOwn ? passOver(`the pools of tenant ${tenant.name} stand instead`) : yes,
  { concerns: ({ pool }) => pool.tenant === '' },
)

/** The pools in their order, and what puts each of several into its place. */
export function orderText({ request: { service, tenant, name } }: Search, lists: Lists): string {
  const pools = lists.flat()
  const texts = pools.map((pool) => {
    const words = [
      tenant === undefined || pool.tenant !== '' ? '' : 'open',
      name === '' ? pool.allocation && 'serviceAllocation' : scopes[scopeOf(pool, service)],
      priorityOf(pool) === 0 ? '' : `priority ${priorityOf(pool)}`,
    ].filter((text) => text)
    return words.length === 0 || pools.length === 1
      ? pool.name
      : `${pool.name} (${words.join(', ')})`
  })
  return texts.join(', ')
}
