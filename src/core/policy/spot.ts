// May a Service have this address? It is nobody else's, by reservation, elsewhere on a wire, or by
// another Service; in the order of R7.
import { no, type Verdict, yes } from '../model/reason.ts'
import type { Claim, ReadonlySlot } from '../model/slot.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Ip } from '../net/ip.ts'
import { ask, rule } from './rule.ts'
import { mayJoin } from './share.ts'

export type Spot = {
  readonly ip: Ip
  readonly slot: ReadonlySlot | undefined
  readonly claim: Claim
}

const isNotReserved = rule('reservation', ({ ip, slot, claim }: Spot) => {
  const { reservation } = slot ?? {}
  if (reservation === undefined || reservation.reservedFor === claim.key) return yes
  const { reservedFor } = reservation
  const whom = reservedFor === undefined ? 'kept free' : `reserved for ${reservedFor}`
  return no('address-reserved', `${ip} is ${whom}`)
})

const isNotElsewhere = rule('elsewhere', ({ ip, slot }: Spot) => {
  if (slot === undefined || slot.holders.size > 0 || !slot.isElsewhere) return yes
  return no('address-in-use-elsewhere', `${ip} is in use by ${slot.firstElsewhere}`)
})

const isNotTaken = rule(
  'sharing',
  ({ slot, claim }: Spot) => (slot === undefined ? yes : mayJoin(slot, claim)),
  {
    says: ({ slot }) =>
      slot?.holders.size ? `beside ${[...slot.holders.keys()].sort().join(', ')}` : '',
  },
)

export const spotRules = [isNotReserved, isNotElsewhere, isNotTaken] as const

export const spotOf = (world: ReadonlyWorld, claim: Claim, ip: Ip): Spot => ({
  ip,
  slot: world.ledger.slot(ip),
  claim,
})

export const isToBeHad = (spot: Spot): Verdict => ask(spotRules, spot) ?? yes
