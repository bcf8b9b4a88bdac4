// Of two holders of one address that may not share it, whose is it? Whom the Address records comes
// first, then whose status shows it, then for whom it is only decided (R3.9, R3.11, R3.12).
import { hasSameTerms } from '../model/address.ts'
import type { Claim } from '../model/slot.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Ip } from '../net/ip.ts'
import { mayShare } from './share.ts'

type Rivals = { readonly ip: Ip; readonly me: Claim; readonly other: Claim }

/** The Address names it, or should by what was decided; else it only shows the address. */
export function isConfirmed(world: ReadonlyWorld, ip: Ip, { key }: Claim): boolean {
  const service = world.services.get(key)
  if (service === undefined) return false
  return world.pendingOf(key) !== undefined || world.recordOf(ip, service) !== undefined
}

/** Of two that are recorded, whoever is asked about yields: it is the one that changed (R3.11). */
export function outranks(world: ReadonlyWorld, { ip, me, other }: Rivals): boolean {
  const [theirs, mine] = [rankOf(world, ip, other), rankOf(world, ip, me)]
  if (theirs !== mine) return theirs > mine
  return theirs >= recorded || isOlder(other, me)
}

/** What is decided and not recorded yet cannot be, since another has come first. */
export function isOutranked(world: ReadonlyWorld, ip: Ip, me: Claim): boolean {
  const slot = world.ledger.slot(ip)
  if (slot === undefined || !slot.isMixed || rankOf(world, ip, me) >= recorded) return false
  return slot.holders.values().some((other) => {
    if (other.key === me.key || !outranks(world, { ip, me, other })) return false
    return !mayShare(ip, me, { ...other, tenant: me.tenant }).ok
  })
}

export const isOlder = (one: Claim, other: Claim): boolean =>
  one.createdAt === other.createdAt ? one.key < other.key : one.createdAt < other.createdAt

const [shown, recorded] = [1, 2]

/** A record under other terms is none of these: they are yet to be written. */
function rankOf(world: ReadonlyWorld, ip: Ip, claim: Claim): number {
  const service = world.services.get(claim.key)
  const record = service === undefined ? undefined : world.recordOf(ip, service)
  const isRecorded =
    record !== undefined &&
    hasSameTerms({ ...record.holder, sharingKey: record.address.sharingKey }, claim)
  const isShown = service?.ingress.includes(ip) === true
  return (isRecorded ? recorded : 0) + (isShown ? shown : 0)
}
