// May a Service have the very addresses it asks for? The checks in the order of R7.

import type { Pool } from '../model/pool.ts'
import { answersTo } from '../model/poolSense.ts'
import { no, type Refusal, type Verdict, yes } from '../model/reason.ts'
import type { Claim } from '../model/slot.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Ip } from '../net/ip.ts'
import { admissionRules } from './admits.ts'
import { costOf, type Offer, quotaRoom, type Search } from './offers.ts'
import { mayJoin } from './share.ts'

export type Requested = { readonly ok: true; readonly offer: Offer } | Refusal

export function offerRequested(search: Search, addresses: readonly Ip[]): Requested {
  const home = poolOfAll(search, addresses)
  if (!home.ok) return home
  const { pool } = home
  if (search.wish.name !== '' && !answersTo(pool, search.wish.name)) {
    const asked = addresses.join(', ')
    const message = `${asked} lies in pool ${pool.name}, which is not ${search.wish.name}`
    return no('request-contradicts', message)
  }
  for (const ip of addresses) {
    const verdict = isToBeHad(search.world, search.claim, ip)
    if (!verdict.ok) return verdict
  }
  if (costOf(search, addresses) > quotaRoom(search)) return overQuota(search)
  return { ok: true, offer: { pool, ips: addresses } }
}

export const overQuota = ({ wish }: Search): Refusal =>
  no('quota-exceeded', `tenant ${wish.tenant?.name} may hold ${wish.tenant?.quota} addresses`)

type Home = { readonly ok: true; readonly pool: Pool } | Refusal

/** Both addresses of a pair must lie in one pool (M3.4). */
function poolOfAll({ world, wish }: Search, addresses: readonly Ip[]): Home {
  let home: Pool | undefined
  for (const ip of addresses) {
    const pool = world.poolOf(ip)
    if (pool === undefined) return notInPool(world, ip)
    const verdict = admitsForAddress(world, wish.service, pool, ip)
    if (!verdict.ok) return verdict
    home ??= pool
    if (pool !== home) {
      return no('address-not-in-pool', `no pool contains ${addresses.join(' and ')} together`)
    }
  }
  return home === undefined
    ? no('address-not-in-pool', 'no address is asked for')
    : { ok: true, pool: home }
}

function notInPool(world: ReadonlyWorld, ip: Ip): Refusal {
  const avoiding = world.ledger.avoidedBy(ip)
  return avoiding === undefined
    ? no('address-not-in-pool', `no pool contains ${ip}`)
    : no('address-avoided', `pool ${avoiding.name} leaves ${ip} out (avoidBuggyIPs)`)
}

/** An open pool that the tenant may not use is, for an address, no pool at all (R4.10). */
function admitsForAddress(
  world: ReadonlyWorld,
  service: Search['wish']['service'],
  pool: Pool,
  ip: Ip,
): Verdict {
  for (const { name, judge } of admissionRules) {
    const verdict = judge({ world, service, pool })
    if (verdict.ok) continue
    if (name !== 'open-pools') return verdict
    return no('address-not-in-pool', `${ip}: ${verdict.message}`)
  }
  return yes
}

/** Nobody else's, by reservation, elsewhere on a wire, or by another Service. */
export function isToBeHad(world: ReadonlyWorld, claim: Claim, ip: Ip): Verdict {
  const slot = world.ledger.slot(ip)
  if (slot === undefined) return yes
  const { reservation } = slot
  if (reservation !== undefined && reservation.reservedFor !== claim.key) {
    const { reservedFor } = reservation
    const whom = reservedFor === undefined ? 'kept free' : `reserved for ${reservedFor}`
    return no('address-reserved', `${ip} is ${whom}`)
  }
  if (slot.holders.size === 0 && slot.elsewhere.size > 0) {
    const user = [...slot.elsewhere].sort()[0]
    return no('address-in-use-elsewhere', `${ip} is in use by ${user}`)
  }
  return mayJoin(slot, claim)
}
