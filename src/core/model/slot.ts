// What is known of one address? Who holds it under which terms, for whom it is reserved, who else
// has it. A slot exists only while one of the three is so.
import type { Family, Ip } from '../net/ip.ts'
import type { AddressView } from './address.ts'
import type { PoolLedger } from './poolLedger.ts'
import type { Key } from './service.ts'

/** The terms under which a Service holds its addresses; recorded in the Address objects (R3.11). */
export type Claim = {
  readonly key: Key
  readonly createdAt: string
  readonly ports: readonly string[]
  readonly sharingKey: string
  readonly backend: string
  /** The tenant's name; empty for none. */
  readonly tenant: string
  /** Decided by us, or recorded in an Address. Otherwise only shown in the Service's status. */
  readonly isConfirmed: boolean
}

/** What the pool's ledger has taken in of the slot, so that a change costs only its difference. */
type Reflected = {
  readonly isTaken: boolean
  readonly isHeld: boolean
  readonly isHeldBack: boolean
  readonly group: string
}

export type Slot = {
  readonly ip: Ip
  readonly family: Family
  pool: PoolLedger | undefined
  position: number
  readonly holders: Map<Key, Claim>
  /** Which holder uses a port; kept only for what can be shared. */
  readonly ports: Map<string, Key>
  /** The one group of all holders; empty when it cannot be shared or the holders disagree. */
  group: string
  isMixed: boolean
  reservation: AddressView | undefined
  readonly elsewhere: Set<string>
  reflected: Reflected
}

export const nothingReflected: Reflected = {
  isTaken: false,
  isHeld: false,
  isHeldBack: false,
  group: '',
}

/** Holders of one group may share an address as far as their ports are apart (M3.4, R4.6). */
export const groupOf = ({ tenant, sharingKey, backend }: Claim): string =>
  sharingKey === '' ? '' : `${tenant}\n${sharingKey}\n${backend}`

export const isEmpty = ({ holders, reservation, elsewhere }: Slot): boolean =>
  holders.size === 0 && reservation === undefined && elsewhere.size === 0

export function enterHolder(slot: Slot, claim: Claim): void {
  const group = groupOf(claim)
  slot.group = slot.holders.size === 0 || group === slot.group ? group : ''
  slot.isMixed = slot.holders.size > 0 && slot.group === ''
  slot.holders.set(claim.key, claim)
  if (group === '') return
  for (const port of claim.ports) {
    if (!slot.ports.has(port)) slot.ports.set(port, claim.key)
    else slot.isMixed = true
  }
}

export function dropHolder(slot: Slot, claim: Claim): void {
  slot.holders.delete(claim.key)
  if (!slot.isMixed && slot.holders.size > 0) {
    for (const port of claim.ports) slot.ports.delete(port)
    return
  }
  const rest = [...slot.holders.values()]
  slot.holders.clear()
  slot.ports.clear()
  slot.isMixed = false
  slot.group = ''
  for (const other of rest) enterHolder(slot, other)
}
