// Which addresses does a Service that holds none get? What is asked for, else what is reserved for
// it, else the first offer (M3.2, R3.2); or the first reason of R7 why it waits.
import type { Pool } from '../model/pool.ts'
import { answersTo } from '../model/poolSense.ts'
import { no, type Refusal } from '../model/reason.ts'
import { groupOf } from '../model/slot.ts'
import type { Wait } from '../model/waiting.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import { familyOf, type Ip } from '../net/ip.ts'
import type { AddressRequest } from './addressRequest.ts'
import { admits } from './admits.ts'
import { type Choice, poolsFor } from './choosePools.ts'
import { findOffer, isHeldBack } from './offers.ts'
import { overQuota } from './quota.ts'
import { offerRequested } from './requested.ts'
import { type Attempt, hasCandidates, requestRules } from './requestRules.ts'
import { offerReserved } from './reserved.ts'
import { ask } from './rule.ts'
import type { Offer, Search } from './search.ts'
import type { Trace } from './trace.ts'
import { translate } from './translate.ts'

export type Allocation =
  | { readonly ok: true; readonly offer: Offer }
  | { readonly ok: false; readonly refusal: Refusal; readonly wait: Wait }

/** Whoever traces it hears every pool and rule; the answer is the same. */
export function allocate(world: ReadonlyWorld, request: AddressRequest, trace?: Trace): Allocation {
  const { service, name } = request
  const search: Search = { world, request, claim: world.claimOf(service), trace }
  trace?.onEach(world, (pool, listener) => admits({ world, service, pool }, listener))
  const choice = name === '' ? undefined : poolsFor(search)
  const allocation = answerTo({ search, choice, meant: translate(world, request) })
  if (choice?.ok === true) trace?.consider(choice.lists.flat())
  trace?.consider(world.poolIndex.answering(name))
  return allocation
}

function answerTo(attempt: Attempt): Allocation {
  const { search, choice, meant } = attempt
  const { request, trace } = search
  if (trace !== undefined && meant.ok) trace.means = meant.addresses
  const fault = ask(requestRules, attempt, trace?.onRequest)
  // Where the name leads nowhere, or an address is asked for, the pools still have their say.
  const isHeard = trace !== undefined && (fault === choice || request.asked.length > 0)
  if (fault !== undefined && !isHeard) return waits(search, fault)
  if (!meant.ok) return waits(search, fault ?? meant)
  const allocation = offerTo(search, choice, meant.addresses)
  return fault === undefined ? allocation : waits(search, fault)
}

function offerTo(search: Search, choice: Choice | undefined, addresses: readonly Ip[]): Allocation {
  if (addresses.length > 0) {
    const requested = offerRequested(search, addresses)
    return requested.ok ? requested : waits(search, requested, { addresses })
  }
  const offer = offerReserved(search)
  if (offer !== undefined) return { ok: true, offer }
  const chosen = choice ?? poolsFor(search)
  if (search.trace !== undefined) {
    ask([hasCandidates], { search, choice: chosen }, search.trace.onRequest)
  }
  return choose(search, chosen)
}

function choose(search: Search, choice: Choice): Allocation {
  const { request, trace } = search
  const lists = choice.ok ? choice.lists : []
  trace?.consider(lists.flat())
  const { offer, tried } = findOffer(search, lists)
  if (!choice.ok) return waits(search, choice)
  if (offer !== undefined) return { ok: true, offer }
  const pools = tried.map(({ pool }) => pool)
  const names = pools.map(({ name }) => name).join(', ')
  if (tried.length === 0) {
    const all = lists.flat().map(({ name }) => name)
    const message = `no pool of ${all.join(', ')} has ${request.families.join(' and ')}`
    return waits(search, no('family-not-in-pool', message))
  }
  const isOverQuota = tried.some((proposal) => proposal.isOverQuota)
  if (isOverQuota) return waits(search, overQuota(search), { pools })
  if (pools.some((pool) => isHeldBack(search, pool))) {
    const message = `what is left in ${names} is in use by nodes, gateways or node ranges`
    return waits(search, no('address-in-use-elsewhere', message), { pools })
  }
  return waits(search, no('pool-full', `no address is left in ${names}`), { pools })
}

/** What a Service waits for. */
type For = { readonly pools?: readonly Pool[]; readonly addresses?: readonly Ip[] }

/**
 * Services with equal requests and pools wait in one line; the ports matter only for sharing. So do
 * the words of the refusal: when they change for the first of a line, it leaves for another one,
 * and the next is asked. Whoever has a reservation waits for other things, in a line of its own.
 */
function waits(
  { world, request, claim }: Search,
  refusal: Refusal,
  { pools = [], addresses = [] }: For = {},
): Allocation {
  const group = groupOf(claim)
  const requestKey = JSON.stringify([
    request.name,
    request.asked,
    request.service.asksByAnnotation,
    request.service.asksByField,
    request.families,
    request.takesEither,
    request.service.primaryFamily,
    claim.tenant,
    group,
    group === '' ? [] : claim.ports,
  ])
  const reserved = world.reservationsFor(claim.key).map(({ address }) => address)
  const homes = reserved
    .flatMap((ip) => world.poolOf(ip) ?? [])
    .filter((pool) => request.name === '' || answersTo(pool, request.name))
  const names = [...new Set([...pools, ...homes].map((pool) => pool.name))]
  const wait = {
    requestKey,
    lineKey: JSON.stringify([
      requestKey,
      names,
      addresses,
      reserved,
      refusal.reason,
      refusal.message,
    ]),
    pools: names,
    addresses,
    tenant: request.tenant?.quota === undefined ? '' : claim.tenant,
  }
  return { ok: false, refusal, wait }
}

/**
 * PreferDualStack with one address: the other family, from the same pool (M3.3 step 8), if it still
 * gives anything: what is kept from a pool whose tenant is gone does not grow (R4.3).
 */
export function allocateSecond(
  world: ReadonlyWorld,
  request: AddressRequest,
  {
    held,
    pool,
    trace,
  }: { readonly held: Ip; readonly pool: Pool; readonly trace: Trace | undefined },
): Allocation {
  const { service } = request
  const families = request.families.filter((family) => family !== familyOf(held))
  const second = { ...request, families, takesEither: false, asked: [] }
  const search: Search = { world, request: second, claim: world.claimOf(service), trace }
  trace?.consider([pool])
  const admitted = admits({ world, service, pool }, trace?.on(pool))
  if (!admitted.ok) return waits(search, admitted)
  const reserved = offerReserved(search, pool)
  if (reserved !== undefined) return { ok: true, offer: reserved }
  return choose(search, { ok: true, lists: [[pool]] })
}
