// May a Service have the very addresses it asks for? The checks in the order of R7.

import type { Pool } from '../model/pool.ts'
import { answersTo } from '../model/poolSense.ts'
import { no, type Reason, type Refusal, type Verdict, yes } from '../model/reason.ts'
import type { Claim } from '../model/slot.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Ip } from '../net/ip.ts'
import { admissionRules } from './admits.ts'
import { costOf, overQuota, quotaRoom } from './quota.ts'
import type { Offer, Search } from './search.ts'
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
  const { world, claim } = search
  const objection = firstObjection(addresses.map((ip) => isToBeHad(world, claim, ip)))
  if (objection !== undefined) return objection
  if (costOf(search, addresses) > quotaRoom(search)) return overQuota(search)
  return { ok: true, offer: { pool, ips: addresses } }
}

type Home = { readonly ok: true; readonly pool: Pool } | Refusal

/** Both addresses of a pair must lie in one pool (M3.4). */
function poolOfAll({ world, wish }: Search, addresses: readonly Ip[]): Home {
  const objection = firstObjection(
    addresses.map((ip) => {
      const pool = world.poolOf(ip)
      if (pool === undefined) return notInPool(world, ip)
      return admitsForAddress(world, wish.service, pool, ip)
    }),
  )
  if (objection !== undefined) return objection
  const [home, ...rest] = addresses.map((ip) => world.poolOf(ip))
  if (home === undefined) return no('address-not-in-pool', 'no address is asked for')
  if (rest.every((pool) => pool === home)) return { ok: true, pool: home }
  return no('address-not-in-pool', `no pool contains ${addresses.join(' and ')} together`)
}

const order: readonly Reason[] = [
  'address-not-in-pool',
  'address-avoided',
  'pool-of-another-tenant',
  'pool-not-allowed',
  'address-reserved',
  'address-in-use-elsewhere',
  'address-taken',
  'sharing-across-tenants',
  'sharing-key-differs',
  'sharing-policy-differs',
  'sharing-port-taken',
]

/** Of a pair the one that R7 names first, whichever of the two addresses it concerns. */
function firstObjection(verdicts: readonly Verdict[]): Refusal | undefined {
  const refusals = verdicts.filter((verdict) => !verdict.ok)
  return refusals.sort((a, b) => order.indexOf(a.reason) - order.indexOf(b.reason))[0]
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
