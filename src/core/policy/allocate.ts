// Which addresses does a Service that holds none get? What is asked for, else what is reserved for
// it, else the first offer (M3.2, R3.2); or the first reason of R7 why it waits.
import type { Pool } from '../model/pool.ts'
import { answersTo } from '../model/poolSense.ts'
import { no, type Refusal } from '../model/reason.ts'
import { groupOf } from '../model/slot.ts'
import type { Wait } from '../model/waiting.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import { familyOf, type Ip } from '../net/ip.ts'
import { admits } from './admits.ts'
import { type Choice, poolsFor } from './choosePools.ts'
import { findOffer, heldBackIn } from './offers.ts'
import { overQuota } from './quota.ts'
import { offerRequested } from './requested.ts'
import { offerReserved } from './reserved.ts'
import type { Offer, Search } from './search.ts'
import { translate } from './translate.ts'
import type { Wish } from './wish.ts'

export type Allocation =
  | { readonly ok: true; readonly offer: Offer }
  | { readonly ok: false; readonly refusal: Refusal; readonly wait: Wait }

export function allocate(world: ReadonlyWorld, wish: Wish): Allocation {
  const search: Search = { world, wish, claim: world.claimOf(wish.service) }
  const waits = (refusal: Refusal, pools: readonly Pool[] = [], addresses: readonly Ip[] = []) => ({
    ok: false as const,
    refusal,
    wait: waitOf(search, { refusal, pools, addresses }),
  })
  if (wish.isAmbiguous) {
    return waits(no('tenant-ambiguous', `namespace ${wish.service.namespace} is claimed twice`))
  }
  if (wish.flaw !== undefined) return waits(wish.flaw)
  const choice = wish.name === '' ? undefined : poolsFor(world, wish)
  if (choice !== undefined && !choice.ok) return waits(choice)
  if (wish.asked.length > 0) {
    const meant = translate(world, wish)
    if (!meant.ok) return waits(meant)
    const requested = offerRequested(search, meant.addresses)
    if (requested.ok) return requested
    return waits(requested, [], meant.addresses)
  }
  const reserved = offerReserved(search)
  if (reserved !== undefined) return { ok: true, offer: reserved }
  return choose(search, choice ?? poolsFor(world, wish), waits)
}

function choose(
  search: Search,
  choice: Choice,
  waits: (refusal: Refusal, pools?: readonly Pool[]) => Allocation,
): Allocation {
  if (!choice.ok) return waits(choice)
  const { offer, tried, isOverQuota } = findOffer(search, choice.lists)
  if (offer !== undefined) return { ok: true, offer }
  const { families } = search.wish
  const names = tried.map((pool) => pool.name).join(', ')
  if (tried.length === 0) {
    const all = choice.lists.flat().map((pool) => pool.name)
    return waits(
      no('family-not-in-pool', `no pool of ${all.join(', ')} has ${families.join(' and ')}`),
    )
  }
  if (isOverQuota) return waits(overQuota(search), tried)
  if (tried.some((pool) => heldBackIn(search.world.ledgerOf(pool), families))) {
    const message = `what is left in ${names} is in use by nodes, gateways or node ranges`
    return waits(no('address-in-use-elsewhere', message), tried)
  }
  return waits(no('pool-full', `no address is left in ${names}`), tried)
}

type Obstacle = {
  readonly refusal: Refusal
  readonly pools: readonly Pool[]
  readonly addresses: readonly Ip[]
}

/**
 * Services with equal requests and pools wait in one line; the ports matter only for sharing. So do
 * the words of the refusal: when they change for the first of a line, it leaves for another one,
 * and the next is asked. Whoever has a reservation waits for other things, in a line of its own.
 */
export function waitOf({ world, wish, claim }: Search, obstacle: Obstacle): Wait {
  const { refusal, pools, addresses } = obstacle
  const group = groupOf(claim)
  const request = JSON.stringify([
    wish.name,
    wish.asked,
    wish.service.asksByAnnotation,
    wish.service.asksByField,
    wish.families,
    wish.takesEither,
    wish.service.primaryFamily,
    claim.tenant,
    group,
    group === '' ? [] : claim.ports,
  ])
  const reserved = world.reservationsFor(claim.key).map(({ address }) => address)
  const homes = reserved
    .flatMap((ip) => world.poolOf(ip) ?? [])
    .filter((pool) => wish.name === '' || answersTo(pool, wish.name))
  const names = [...new Set([...pools, ...homes].map((pool) => pool.name))]
  return {
    request,
    wish: JSON.stringify([request, names, addresses, reserved, refusal.reason, refusal.message]),
    pools: names,
    addresses,
    tenant: wish.tenant?.quota === undefined ? '' : claim.tenant,
  }
}

/**
 * PreferDualStack with one address: the other family, from the same pool (M3.3 step 8), if it still
 * gives anything: what is kept from a pool whose tenant is gone does not grow (R4.3).
 */
export function allocateSecond(world: ReadonlyWorld, wish: Wish, held: Ip, pool: Pool): Allocation {
  const families = wish.families.filter((family) => family !== familyOf(held))
  const second = { ...wish, families, takesEither: false, asked: [] }
  const search: Search = { world, wish: second, claim: world.claimOf(wish.service) }
  const waits = (refusal: Refusal, pools: readonly Pool[] = []) => ({
    ok: false as const,
    refusal,
    wait: waitOf(search, { refusal, pools, addresses: [] }),
  })
  const admitted = admits({ world, service: wish.service, pool })
  if (!admitted.ok) return waits(admitted)
  const reserved = offerReserved(search, pool)
  if (reserved !== undefined) return { ok: true, offer: reserved }
  return choose(search, { ok: true, lists: [[pool]] }, waits)
}
