// Is a pool the one that is chosen, and what would it give? Asked alone, then in turn (R1.3, R2).
import type { Pool } from '../../model/pool.ts'
import { no } from '../../model/reason.ts'
import type { Family, Ip } from '../../net/ip.ts'
import { type Found, findOffer, heldBackIn, offerIn, waitsWhenFull } from '../offers.ts'
import { overQuota, quotaRoom } from '../quota.ts'
import type { Search } from '../search.ts'
import { allows, type Judgement, judged, objects } from './explainAnswer.ts'
import type { Case } from './explainCase.ts'

export type Told = { readonly judgements: readonly Judgement[]; readonly offers: readonly Ip[] }

/** `before` are the answers so far: a pool that objects has no turn. */
export function byOrder(given: Case, pool: Pool, before: readonly Judgement[]): Told {
  const { search, found } = given
  const alone = findOffer(search, [[pool]])
  const judgements = [...autoAssign(search, pool)]
  judgements.push(...ownPools(given, pool, [...before, ...judgements]))
  judgements.push(families(search, pool, alone))
  if (alone.tried.length > 0) {
    judgements.push(...room(given, pool, alone), ...quota(search, alone))
  }
  const isChosen = found?.offer?.pool === pool
  const offer = isChosen ? found.offer : alone.offer
  const passes = [...before, ...judgements].every(({ ok }) => ok)
  if (found !== undefined && passes) judgements.push(turn(found, pool, alone))
  return { judgements, offers: offer?.ips ?? [] }
}

function autoAssign({ wish }: Search, { autoAssign }: Pool): Judgement[] {
  if (wish.name !== '') return []
  return autoAssign
    ? [allows('auto-assign')]
    : [objects('auto-assign', 'autoAssign is false: it serves only those who ask for it')]
}

/** Open pools are left out where an own pool answers or has the family (R4.7). */
function ownPools({ search, choice }: Case, pool: Pool, before: readonly Judgement[]): Judgement[] {
  const { tenant } = search.wish
  if (tenant?.openPools !== true || pool.tenant !== '' || choice?.ok !== true) return []
  if (choice.lists.flat().includes(pool)) return [allows('own-pools')]
  const isOpen = before.every(({ ok }) => ok)
  return isOpen ? [objects('own-pools', `the pools of tenant ${tenant.name} stand instead`)] : []
}

function families({ world, wish }: Search, pool: Pool, alone: Found): Judgement {
  const has = (family: Family) => (world.ledgerOf(pool)?.capacity(family) ?? 0n) > 0n
  const missing = wish.families.filter((family) => !has(family)).join(' and ')
  const message = `it has no ${missing}`
  if (alone.tried.length === 0) return judged('families', no('family-not-in-pool', message))
  return allows('families', missing === '' ? '' : `${message}, but one of the two will do`)
}

function room({ search, choice }: Case, pool: Pool, { offer, isOverQuota }: Found): Judgement[] {
  if (offer !== undefined) return [allows('room', `lowest: ${offerText(search, offer.ips)}`)]
  if (isOverQuota) return [allows('room')]
  const { world, wish } = search
  const isListed = choice?.ok === true && choice.lists.flat().includes(pool)
  const isHeldBack = heldBackIn(world.ledgerOf(pool), wish.families)
  const left = 'what is left is in use by nodes, gateways or node ranges'
  const full = isHeldBack
    ? no('address-in-use-elsewhere', left)
    : no('pool-full', fullText(search, pool))
  return [judged('room', full), ...(isListed ? [whenFull(pool)] : [])]
}

const offerText = ({ world }: Search, ips: readonly Ip[]): string =>
  ips
    .map((ip) => {
      const holders = world.holdersOf(ip).join(', ')
      return holders === '' ? ip : `${ip}, shared with ${holders}`
    })
    .join(' and ')

function fullText(search: Search, pool: Pool): string {
  const ledger = search.world.ledgerOf(pool)
  const isFull = (family: Family) => offerIn(search, pool, [family]) === 'full'
  const full = search.wish.families.filter(isFull)
  const counts = full.map((family) => {
    const [held, all] = [ledger?.held(family) ?? 0, ledger?.capacity(family) ?? 0n]
    return `${held} of ${all} ${family} ${all === 1n ? 'address is' : 'addresses are'} held`
  })
  return `no address is left: ${counts.join(', ')}`
}

function whenFull(pool: Pool): Judgement {
  if (!waitsWhenFull(pool)) return allows('when-full', 'next: the pools after it are tried')
  const why = pool.tenant === '' ? `it is ${pool.whenFull}` : "a tenant's pools always wait"
  return objects('when-full', `${why}: the search ends here`)
}

function quota(search: Search, { offer, isOverQuota }: Found): Judgement[] {
  if (search.wish.tenant?.quota === undefined || (offer === undefined && !isOverQuota)) return []
  if (offer === undefined) return [judged('quota', overQuota(search))]
  const left = `${quotaRoom(search)} left`
  return [allows('quota', isOverQuota ? `${left}: only one of two fits` : left)]
}

/** Only one pool gives: all that passed every other rule are behind it, or lack a family. */
function turn({ offer, tried }: Found, pool: Pool, alone: Found): Judgement {
  if (offer === undefined) {
    return objects('turn', `the search ended at ${tried.at(-1)?.name}, which is full and waits`)
  }
  const ips = offer.ips.join(' and ')
  if (offer.pool === pool) return allows('turn', `it is the first, and gives ${ips}`)
  if (!tried.includes(pool)) return objects('turn', `${offer.pool.name} comes first, with ${ips}`)
  const own = alone.offer?.ips.join(' and ') ?? 'nothing'
  return objects('turn', `it has only ${own}; ${offer.pool.name} has ${ips}, looked for first`)
}
