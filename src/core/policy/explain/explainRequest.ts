// What is said of the request itself, before any pool is asked? In the order of R7.
import type { AddressView } from '../../model/address.ts'
import { answersTo } from '../../model/poolSense.ts'
import { no, type Verdict, yes } from '../../model/reason.ts'
import { familyOf, type Ip } from '../../net/ip.ts'
import { admits } from '../admits.ts'
import { isToBeHad } from '../requested.ts'
import type { Search } from '../search.ts'
import { type Answer, allows, answersOf, type Judgement, judged, objects } from './explainAnswer.ts'
import type { Case } from './explainCase.ts'

export const explainRequest = (given: Case): Answer[] =>
  answersOf([
    whose(given.search),
    judged('request', given.search.wish.flaw ?? yes, 'it can be read'),
    ...byName(given),
    ...byTranslation(given),
    ...byAddress(given),
    ...byReservation(given),
  ])

function whose({ world, wish }: Search): Judgement {
  const belonging = world.tenantOf(wish.service)
  if (belonging.kind !== 'ambiguous') {
    const { tenant } = wish
    return allows('tenant', tenant === undefined ? 'it has none' : `it is of tenant ${tenant.name}`)
  }
  const names = belonging.names.join(' and ')
  const message = `the selectors of ${names} both match namespace ${wish.service.namespace}`
  return judged('tenant', no('tenant-ambiguous', message))
}

function byName({ search: { wish }, matter, choice }: Case): Judgement[] {
  if (choice === undefined) return []
  const listed = choice.ok ? choice.lists.flat().map(({ name }) => name) : []
  if (wish.name === '') {
    return matter === 'choice'
      ? [judged('automatic', choice, `in this order: ${listed.join(', ')}`)]
      : []
  }
  return [judged('name', choice, `answered by ${listed.join(', ')}`)]
}

function byTranslation({ search: { wish }, translated, meant }: Case): Judgement[] {
  const { service, tenant, asked } = wish
  const asksForOne = service.asksByAnnotation !== '' || service.asksByField !== ''
  if (tenant?.requestedAddresses === 'Ignore' && asksForOne) {
    return [allows('translation', `tenant ${tenant.name} ignores addresses asked for`)]
  }
  if (tenant?.requestedAddresses !== 'Translate' || asked.length === 0) return []
  const becomes = asked.map((ip, index) =>
    ip === meant[index] ? `${ip} stays` : `${ip} becomes ${meant[index]}`,
  )
  return [judged('translation', translated, becomes.join(', '))]
}

function byAddress({ search: { world }, meant }: Case): Judgement[] {
  if (meant.length === 0) return []
  const homes = meant.map((ip) => world.poolOf(ip))
  const outside = meant.find((_, index) => homes[index] === undefined)
  if (outside !== undefined) return [judged('address', liesNowhere({ world }, outside))]
  const names = [...new Set(homes.map((pool) => pool?.name))]
  const asked = meant.join(' and ')
  const one = no('address-not-in-pool', `no pool contains ${asked} together`)
  return [judged('address', names.length === 1 ? yes : one, `${asked}: pool ${names.join()}`)]
}

/** In none, or in one that leaves it out. */
function liesNowhere({ world }: Pick<Search, 'world'>, ip: Ip): Verdict {
  const avoiding = world.ledger.avoidedBy(ip)
  return avoiding === undefined
    ? no('address-not-in-pool', `no pool contains ${ip}`)
    : no('address-avoided', `pool ${avoiding.name} leaves ${ip} out (avoidBuggyIPs)`)
}

/** Reservations for the Service come before any other choice, where it can have them (R3.2). */
function byReservation({ search, matter, reserved }: Case): Judgement[] {
  if (matter !== 'choice' && matter !== 'reservation') return []
  return search.world.reservationsFor(search.wish.service.key).map((reservation) => {
    const { address } = reservation
    if (reserved?.ips.includes(address) === true) {
      return allows('reserved', `${address} is reserved for it and comes before any choice`)
    }
    return objects('reserved', `${address} cannot be used: ${whyUnused(search, reservation)}`)
  })
}

function whyUnused({ world, wish, claim }: Search, { address }: AddressView): string {
  const { service, families, name } = wish
  const pool = world.poolOf(address)
  if (pool === undefined) return 'it is in no pool'
  if (!families.includes(familyOf(address))) return `the Service is ${families.join(' and ')}`
  if (name !== '' && !answersTo(pool, name)) return `pool ${pool.name} does not answer to ${name}`
  const admitted = admits({ world, service, pool })
  if (!admitted.ok) return admitted.message
  const isFree = isToBeHad(world, claim, address)
  if (!isFree.ok) return isFree.message
  return 'a lower one is used, or the quota or the other half of the pair stands in the way'
}
