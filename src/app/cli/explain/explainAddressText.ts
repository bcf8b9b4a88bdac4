// How is an address explained to people?
import { wouldAnnounce } from '../../../core/policy/announce/noReports.ts'
import { whoIsUnknown } from '../../../core/policy/announce/silence.ts'
import type { AddressExplanation, Holder } from '../../../core/policy/explain/explainAddress.ts'
import { wrapped } from '../wrapped.ts'
import { announced, noNode } from './explainAnnounced.ts'
import { page, type Row, rows } from './explainPage.ts'

/** `isForeseen`: no speaker runs yet. */
export function addressText(explained: AddressExplanation, isForeseen: boolean): string {
  const { address, object, pool, waiters, announcements } = explained
  const facts: Row[] = [
    ['pool', pool ?? 'none'],
    ['object', `Address/${object}`],
    ...explained.holders.map((holder): Row => ['held by', termsOf(holder)]),
    ['reserved', reservedText(explained)],
    ['elsewhere', explained.elsewhere.join(', ')],
    ['nearest', nearText(explained)],
  ]
  const waiting = waiters.map(({ service, reason, message }): Row => {
    return [service, `${reason}: ${message}`]
  })
  const told = announcements.map(
    (one): Row => [`+ ${one.node}`, `${announced(one)}: ${one.service}`],
  )
  const silent = explained.silence.map(({ service, why }): Row => {
    return [`- ${noNode}`, `${service}: ${why}`]
  })
  const isUnknown = explained.holders.length > 0 && told.length + silent.length === 0
  const unknown = isUnknown ? [`  ${whoIsUnknown}`] : undefined
  const note = isForeseen && told.length > 0 ? wrapped(wouldAnnounce, 2) : []
  return page(
    [`Address ${address} is ${stateOf(explained)}`, ...rows(facts)],
    [
      { title: 'Hosts and pods, on each wire', lines: rows(onWires(explained)) },
      { title: 'Who waits for it, oldest first', lines: rows(waiting) },
      { title: 'Who announces it', lines: unknown ?? [...note, ...rows([...told, ...silent])] },
    ],
  )
}

const onWires = ({ wires }: AddressExplanation): Row[] =>
  wires.map(({ wire, holder, what }) => [wire || 'wire unknown', `${holder} ${what}`.trim()])

const nearText = ({ near }: AddressExplanation): string =>
  near.map(({ pool, range }) => `${pool} (${range})`).join(', ')

export function nowhereText(explained: AddressExplanation): string {
  const pools = nearText(explained)
  const nearest = pools === '' ? 'there is no pool of its family' : `nearest: ${pools}`
  return `address ${explained.address} is in no pool, and nothing is known of it; ${nearest}\n`
}

function stateOf(explained: AddressExplanation): string {
  const { holders, reservation, elsewhere, wires, isAvoided, pool } = explained
  if (holders.length > 0) return `held by ${holders.map(({ service }) => service).join(', ')}`
  if (reservation?.reservedFor !== undefined) return `reserved for ${reservation.reservedFor}`
  if (reservation !== undefined) return 'kept free'
  if (elsewhere.length > 0) return `in use by ${elsewhere.join(', ')}`
  const onWire = wires.filter(({ holder }) => holder !== '').map(({ holder }) => holder)
  if (onWire.length > 0) return `in use by ${onWire.join(', ')}`
  if (pool === undefined) return wires.length > 0 ? 'free, in no pool' : 'in no pool'
  return isAvoided ? `left out of pool ${pool} (avoidBuggyIPs)` : `free in pool ${pool}`
}

function reservedText({ reservation }: AddressExplanation): string {
  if (reservation === undefined) return ''
  const { reservedFor, note } = reservation
  const whom = reservedFor === undefined ? 'kept free' : `for ${reservedFor}`
  return note === '' ? whom : `${whom} (${note})`
}

function termsOf({ service, ports, sharingKey, backend, tenant }: Holder): string {
  const terms = [
    ports.join(', '),
    ...(sharingKey === '' ? [] : [`sharing key ${sharingKey}`]),
    ...(backend === '' ? [] : [`Local, selector ${backend}`]),
    ...(tenant === '' ? [] : [`tenant ${tenant}`]),
  ]
  return `${service}: ${terms.join('; ')}`
}
