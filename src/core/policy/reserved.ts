// Which address is reserved for this Service? It comes before any other choice (R3.2, R3.6).
import type { AddressView } from '../model/address.ts'
import type { Pool } from '../model/pool.ts'
import { answersTo } from '../model/poolSense.ts'
import { type Family, familyOf, type Ip } from '../net/ip.ts'
import { admits } from './admits.ts'
import { offerIn } from './offers.ts'
import { costOf, quotaRoom } from './quota.ts'
import { isToBeHad } from './requested.ts'
import type { Offer, Search } from './search.ts'

/** `within`: the pool of the address that a pair already has. */
export function offerReserved(search: Search, within?: Pool): Offer | undefined {
  const { world, wish } = search
  const usable = world
    .reservationsFor(wish.service.key)
    .filter(isUsable, search)
    .filter(({ address }) => within === undefined || world.poolOf(address) === within)
  for (const { address } of usable) {
    const pool = world.poolOf(address)
    const offer = pool === undefined ? undefined : withTheOther(search, usable, pool, address)
    if (offer !== undefined) return offer
  }
  return undefined
}

function isUsable(this: Search, { address }: AddressView): boolean {
  const { world, wish, claim } = this
  const pool = world.poolOf(address)
  if (pool === undefined || !wish.families.includes(familyOf(address))) return false
  if (wish.name !== '' && !answersTo(pool, wish.name)) return false
  if (!admits({ world, service: wish.service, pool }).ok) return false
  return isToBeHad(world, claim, address).ok
}

/** A pair takes its other half from the same pool: reserved too, or the lowest there is. */
function withTheOther(
  search: Search,
  usable: readonly AddressView[],
  pool: Pool,
  address: Ip,
): Offer | undefined {
  const { wish } = search
  const other = wish.families.find((family) => family !== familyOf(address))
  const second = other === undefined ? undefined : secondHalf(search, usable, pool, other)
  if (other !== undefined && second === undefined && !wish.takesEither) return undefined
  const pair = second === undefined ? [address] : [address, second]
  const ips = pair.sort((a, b) => (familyOf(a) < familyOf(b) ? -1 : 1))
  if (costOf(search, ips) <= quotaRoom(search)) return { pool, ips }
  const fits = wish.takesEither && costOf(search, [address]) <= quotaRoom(search)
  return fits ? { pool, ips: [address] } : undefined
}

function secondHalf(
  search: Search,
  usable: readonly AddressView[],
  pool: Pool,
  family: Family,
): Ip | undefined {
  const reserved = usable.find(
    ({ address }) => familyOf(address) === family && search.world.poolOf(address) === pool,
  )
  if (reserved !== undefined) return reserved.address
  const answer = offerIn(search, pool, [family])
  return typeof answer === 'string' ? undefined : answer[0]
}
