// Which address is reserved for this Service? It comes before any other choice (R3.2, R3.6).
import type { Pool } from '../model/pool.ts'
import { answersTo } from '../model/poolSense.ts'
import { type Verdict, yes } from '../model/reason.ts'
import { type Family, familyOf, type Ip } from '../net/ip.ts'
import { admits } from './admits.ts'
import { offerIn } from './proposal.ts'
import { fitsQuota, overQuota } from './quota.ts'
import { ask, type Objection, passOver, rule } from './rule.ts'
import type { Offer, Search } from './search.ts'
import { isToBeHad, spotOf } from './spot.ts'

/** `within`: the pool of the address that a pair already has. */
export function offerReserved(search: Search, within?: Pool): Offer | undefined {
  const { world, request, trace } = search
  const reserved = world.reservationsFor(request.service.key)
  if (reserved.length === 0) return undefined
  const usable = reserved
    .map(({ address }) => address)
    .filter((ip) => mayUse(search, ip).ok)
    .filter((ip) => within === undefined || world.poolOf(ip) === within)
  const offers = usable.map((ip) => withTheOther(search, usable, ip))
  const offer = offers.find((one) => one.ok)?.offer
  for (const { address: ip } of trace === undefined ? [] : reserved) {
    const own = offers[usable.indexOf(ip)] ?? mayUse(search, ip)
    ask([isUsed], { ip, offer, own }, trace?.onRequest)
  }
  if (offer === undefined) return undefined
  trace?.onEach(world, (pool, on) => ask([givesReserved], { pool, offer }, on))
  trace?.offer(offer.pool, offer.ips)
  trace?.consider([offer.pool])
  return offer
}

function mayUse({ world, request, claim }: Search, ip: Ip): Verdict | Objection {
  const { service, families, name } = request
  const pool = world.poolOf(ip)
  if (pool === undefined) return passOver('no pool contains it')
  if (!families.includes(familyOf(ip))) return passOver(`the Service is ${families.join(' and ')}`)
  if (name !== '' && !answersTo(pool, name)) {
    return passOver(`pool ${pool.name} does not answer to ${name}`)
  }
  const admitted = admits({ world, service, pool })
  return admitted.ok ? isToBeHad(spotOf(world, claim, ip)) : admitted
}

type Half = { readonly ok: true; readonly offer: Offer } | Objection

/** A pair takes its other half from the same pool: reserved too, or the lowest there is. */
function withTheOther(search: Search, usable: readonly Ip[], ip: Ip): Half {
  const { world, request } = search
  const pool = world.poolOf(ip)
  if (pool === undefined) return passOver('no pool contains it')
  const other = request.families.find((family) => family !== familyOf(ip))
  const second =
    other === undefined ? undefined : secondHalf(search, usable, { pool, family: other })
  if (other !== undefined && second === undefined && !request.takesEither) {
    return passOver(`pool ${pool.name} has no ${other} address for the other half of the pair`)
  }
  const pair = second === undefined ? [ip] : [ip, second]
  const ips = pair.sort((a, b) => (familyOf(a) < familyOf(b) ? -1 : 1))
  if (fitsQuota(search, ips)) return { ok: true, offer: { pool, ips } }
  const isEnough = request.takesEither && fitsQuota(search, [ip])
  return isEnough ? { ok: true, offer: { pool, ips: [ip] } } : overQuota(search)
}

function secondHalf(
  search: Search,
  usable: readonly Ip[],
  { pool, family }: { readonly pool: Pool; readonly family: Family },
): Ip | undefined {
  const reserved = usable.find((ip) => familyOf(ip) === family && search.world.poolOf(ip) === pool)
  if (reserved !== undefined) return reserved
  const answer = offerIn(search, pool, [family])
  return typeof answer === 'string' ? undefined : answer[0]
}

type Use = { readonly ip: Ip; readonly offer: Offer | undefined; readonly own: Verdict | Objection }

const isUsed = rule(
  'reserved',
  ({ ip, offer, own }: Use) =>
    offer?.ips.includes(ip) === true
      ? yes
      : passOver(`${ip} cannot be used: ${own.ok ? 'a lower one is used' : own.message}`),
  { says: ({ ip }) => `${ip} is reserved for it and comes before any choice` },
)

const givesReserved = rule(
  'reserved',
  ({ pool, offer }: { readonly pool: Pool; readonly offer: Offer }) =>
    pool === offer.pool
      ? yes
      : passOver(`${offer.ips.join(', ')} of ${offer.pool.name} goes first`),
  { says: ({ offer }) => `gives ${offer.ips.join(', ')}` },
)
