// Which pool gives a Service its address? Pools are tried in their order, and each is told what it
// lacks, or why another goes first (M3.2, R1.3, R2, R4.7, R4.9).
import type { Pool } from '../model/pool.ts'
import { no, yes } from '../model/reason.ts'
import { offerIn, type Proposal, partOf, proposalOf, wholeOf } from './proposal.ts'
import { overQuota, quotaRoom } from './quota.ts'
import { ask, passOver, type Rule, rule } from './rule.ts'
import type { Offer, Search } from './search.ts'

/** What the search met on its way, for the reason and for who wakes the Service. */
type OfferSearch = { readonly offer: Offer | undefined; readonly tried: readonly Proposal[] }

/** Lists are tried one after the other; a full pool that waits ends the whole search (R2.1). */
export function findOffer(search: Search, lists: readonly (readonly Pool[])[]): OfferSearch {
  const tried: Proposal[] = []
  let offer: Offer | undefined
  for (const list of lists) {
    const pass = tryList(search, list)
    tried.push(...pass.tried)
    offer = pass.offer
    if (offer !== undefined || pass.isEnd) break
  }
  if (search.trace !== undefined) hearEach(search, lists.flat(), { offer, tried })
  return { offer, tried }
}

function tryList(search: Search, list: readonly Pool[]): OfferSearch & { readonly isEnd: boolean } {
  const tried: Proposal[] = []
  let isEnd = false
  for (const pool of list) {
    const proposal = proposalOf(search, pool)
    if (proposal.all === undefined) continue
    tried.push(proposal)
    const offer = wholeOf(search, proposal)
    if (offer !== undefined) return { offer, tried, isEnd: true }
    isEnd = proposal.isFull && waitsWhenFull(pool)
    if (isEnd) break
  }
  return { offer: partOf(search, tried), tried, isEnd }
}

/** A tenant's pools always wait (R4.7); an unknown value is read as the safe one (R2.1). */
export const waitsWhenFull = ({ tenant, whenFull }: Pool): boolean =>
  tenant !== '' || (whenFull !== '' && whenFull !== 'next')

type Weighed = {
  readonly search: Search
  readonly proposal: Proposal
  /** What it would give if it were the only pool. */
  readonly alone: Offer | undefined
  /** Whether the search comes to it. */
  readonly isListed: boolean
}

/** Whether only what others use on a wire is left of a full pool (R5). */
export const isHeldBack = ({ world, request }: Search, pool: Pool): boolean =>
  request.families.some((family) => world.ledgerOf(pool)?.hasHeldBack(family) === true)

const missingText = ({ search: { request }, proposal }: Weighed): string =>
  `it has no ${request.families.filter((family) => !proposal.has.includes(family)).join(' and ')}`

const hasFamilies = rule(
  'families',
  (weighed: Weighed) =>
    weighed.proposal.all === undefined ? no('family-not-in-pool', missingText(weighed)) : yes,
  {
    says: (weighed) => {
      const isWhole = weighed.proposal.has.length === weighed.search.request.families.length
      return isWhole ? '' : `${missingText(weighed)}, but one of the two will do`
    },
  },
)

const hasRoom = rule(
  'room',
  ({ search, proposal: { pool, isFull } }: Weighed) => {
    if (!isFull) return yes
    return isHeldBack(search, pool)
      ? no('address-in-use-elsewhere', 'what is left is in use by nodes, gateways or node ranges')
      : no('pool-full', `no address is left: ${useText(search, pool)}`)
  },
  {
    concerns: ({ proposal }) => proposal.all !== undefined,
    says: ({ search, alone }) => (alone ? `lowest: ${offerText(search, alone)}` : ''),
  },
)

const offerText = ({ world }: Search, { ips }: Offer): string =>
  ips
    .map((ip) => [ip, ...world.holdersOf(ip)].join(', ').replace(', ', ', shared with '))
    .join(' and ')

function useText(search: Search, pool: Pool): string {
  const ledger = search.world.ledgerOf(pool)
  const full = search.request.families.filter(
    (family) => offerIn(search, pool, [family]) === 'full',
  )
  const counts = full.map((family) => {
    const [held, all] = [ledger?.held(family) ?? 0, ledger?.capacity(family) ?? 0n]
    return `${held} of ${all} ${family} ${all === 1n ? 'address is' : 'addresses are'} held`
  })
  return counts.join(', ')
}

const letsOthersTry = rule(
  'when-full',
  ({ proposal: { pool } }: Weighed) => {
    if (!waitsWhenFull(pool)) return yes
    const why = pool.tenant === '' ? `it is ${pool.whenFull}` : "a tenant's pools always wait"
    return passOver(`${why}: the search ends here`)
  },
  {
    concerns: ({ proposal, isListed }) => isListed && proposal.isFull,
    says: () => 'next: the pools after it are tried',
  },
)

const isWithinQuota = rule(
  'quota',
  ({ search, alone }: Weighed) => (alone === undefined ? overQuota(search) : yes),
  {
    concerns: ({ search, proposal, alone }) =>
      search.request.tenant?.quota !== undefined && (alone !== undefined || proposal.isOverQuota),
    says: ({ search, proposal }) =>
      `${quotaRoom(search)} left${proposal.isOverQuota ? ': only one of two fits' : ''}`,
  },
)

const proposalRules: readonly Rule<Weighed>[] = [hasFamilies, hasRoom, letsOthersTry, isWithinQuota]

/** Only one pool gives: all that passed every other rule are behind it, or lack a family. */
const isFirst = rule(
  'turn',
  ({
    proposal: { pool },
    alone,
    found: { offer, tried },
  }: Weighed & { readonly found: OfferSearch }) => {
    if (offer?.pool === pool) return yes
    if (offer === undefined) {
      return passOver(`the search ended at ${tried.at(-1)?.pool.name}, which is full and waits`)
    }
    const ips = offer.ips.join(' and ')
    const isTried = tried.some((proposal) => proposal.pool === pool)
    if (!isTried) return passOver(`${offer.pool.name} comes first, with ${ips}`)
    const own = alone?.ips.join(' and ') ?? 'nothing'
    return passOver(`it has only ${own}; ${offer.pool.name} has ${ips}, looked for first`)
  },
  { says: ({ found }) => `it is the first, and gives ${found.offer?.ips.join(' and ')}` },
)

function hearEach(search: Search, listed: readonly Pool[], found: OfferSearch): void {
  search.trace?.onEach(search.world, (pool, listener) => {
    const tried = found.tried.find((proposal) => proposal.pool === pool)
    const proposal = tried ?? proposalOf(search, pool)
    const alone = wholeOf(search, proposal) ?? partOf(search, [proposal])
    const subject = { search, proposal, alone, isListed: listed.includes(pool) }
    const objection = ask(proposalRules, subject, listener)
    if (subject.isListed && objection === undefined) ask([isFirst], { ...subject, found }, listener)
    const offer = found.offer?.pool === pool ? found.offer : alone
    search.trace?.offer(pool, offer?.ips)
  })
}
