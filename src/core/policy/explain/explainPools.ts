// What does every pool say to a Service, rule by rule? With the rules that decide, none left out.
import type { Pool } from '../../model/pool.ts'
import { answersTo } from '../../model/poolSense.ts'
import { no, yes } from '../../model/reason.ts'
import type { Ip } from '../../net/ip.ts'
import { admissionRules } from '../admits.ts'
import { costOf, overQuota, quotaRoom } from '../quota.ts'
import { isToBeHad } from '../requested.ts'
import type { Search } from '../search.ts'
import { mayJoin } from '../share.ts'
import { type Answer, allows, answersOf, type Judgement, judged, objects } from './explainAnswer.ts'
import { type Case, poolsInOrder } from './explainCase.ts'
import { byOrder, type Told } from './explainOrder.ts'

export type PoolAnswers = {
  readonly pool: string
  readonly answers: readonly Answer[]
  /** What it gives, or would give were it not for the objections. */
  readonly offers: readonly Ip[]
}

export function explainPools(given: Case): PoolAnswers[] {
  return poolsInOrder(given).map((pool) => {
    const before = [...byAdmission(given, pool), ...byName(given, pool)]
    const { judgements, offers } = byMatter(given, pool, before)
    return { pool: pool.name, answers: answersOf([...before, ...judgements]), offers }
  })
}

function byMatter(given: Case, pool: Pool, before: readonly Judgement[]): Told {
  if (given.matter === 'address') return byAddress(given, pool)
  if (given.matter === 'reservation') return byReservation(given, pool)
  if (given.matter === 'choice') return byOrder(given, pool, before)
  return { judgements: [], offers: [] }
}

/** An open pool that the tenant may not use is, for an address in it, no pool at all (R4.10). */
function byAdmission(given: Case, pool: Pool): Judgement[] {
  const { world, wish } = given.search
  const isForAddress = given.choice?.ok !== false && isMeant(given, pool)
  return admissionRules.map(({ name, judge }) => {
    const verdict = judge({ world, service: wish.service, pool })
    const isNone = !verdict.ok && isForAddress && name === 'open-pools'
    return judged(name, isNone ? no('address-not-in-pool', verdict.message) : verdict)
  })
}

const isMeant = ({ search, meant }: Case, pool: Pool): boolean =>
  meant.some((ip) => search.world.poolOf(ip) === pool)

function byName(given: Case, pool: Pool): Judgement[] {
  const { name } = given.search.wish
  if (name === '') return []
  if (answersTo(pool, name)) return [allows('name', `it answers to ${name}`)]
  const message = `it does not answer to ${name}`
  const contradicts = no('request-contradicts', message)
  return [isMeant(given, pool) ? judged('name', contradicts) : objects('name', message)]
}

function byReservation({ reserved }: Case, pool: Pool): Told {
  if (reserved === undefined) return { judgements: [], offers: [] }
  const ips = reserved.ips.join(', ')
  return pool === reserved.pool
    ? { judgements: [allows('reserved', `gives ${ips}`)], offers: reserved.ips }
    : {
        judgements: [objects('reserved', `${ips} of ${reserved.pool.name} goes first`)],
        offers: [],
      }
}

function byAddress({ search, meant }: Case, pool: Pool): Told {
  const { world } = search
  const outside = meant.filter((ip) => world.poolOf(ip) !== pool)
  if (outside.length > 0) return { judgements: [notInside(search, pool, outside)], offers: [] }
  const judgements = [allows('address', `it contains ${meant.join(' and ')}`)]
  for (const ip of meant) judgements.push(...heldBy(search, ip))
  if (search.wish.tenant?.quota !== undefined) {
    const fits = costOf(search, meant) <= quotaRoom(search)
    judgements.push(judged('quota', fits ? yes : overQuota(search), 'there is room in it'))
  }
  return { judgements, offers: meant }
}

function notInside({ world }: Search, pool: Pool, outside: readonly Ip[]): Judgement {
  const avoided = outside.find((ip) => world.ledger.avoidedBy(ip)?.name === pool.name)
  return judged(
    'address',
    avoided === undefined
      ? no('address-not-in-pool', `it does not contain ${outside.join(' and ')}`)
      : no('address-avoided', `it leaves ${avoided} out (avoidBuggyIPs)`),
  )
}

/** `isToBeHad` in its parts: it stops at the reservation, what comes after is looked at too. */
function heldBy({ world, claim }: Search, ip: Ip): Judgement[] {
  const slot = world.ledger.slot(ip)
  if (slot === undefined) return ['reservation', 'elsewhere', 'sharing'].map((rule) => allows(rule))
  const verdict = isToBeHad(world, claim, ip)
  const isReserved = !verdict.ok && verdict.reason === 'address-reserved'
  const isElsewhere = slot.holders.size === 0 && slot.elsewhere.size > 0
  const user = [...slot.elsewhere].sort()[0]
  const elsewhere = no('address-in-use-elsewhere', `${ip} is in use by ${user}`)
  const holders = slot.holders.keys().sort().join(', ')
  return [
    judged('reservation', isReserved ? verdict : yes),
    judged('elsewhere', isElsewhere ? elsewhere : yes),
    judged('sharing', mayJoin(slot, claim), holders === '' ? '' : `beside ${holders}`),
  ]
}
