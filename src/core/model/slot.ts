// What is known of one address? Who holds it under which terms, for whom it is reserved, who else
// has it. A slot exists only while one of the three is so.
import { type Family, familyOf, type Ip } from '../net/ip.ts'
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
  readonly holders: Holders
  /** Which holder uses a port; kept only for what can be shared. */
  ports: Map<string, Key>
  /** The one group of all holders; empty when it cannot be shared or the holders disagree. */
  group: string
  isMixed: boolean
  reservation: AddressView | undefined
  elsewhere: ReadonlySet<string>
  reflected: Reflected
}

/** Nearly always one, and there can be a million slots: a Map only from the second holder on. */
class Holders {
  #first: Claim | undefined
  #all: Map<Key, Claim> | undefined

  get size(): number {
    return this.#all?.size ?? (this.#first === undefined ? 0 : 1)
  }

  get(key: Key): Claim | undefined {
    if (this.#all !== undefined) return this.#all.get(key)
    return this.#first?.key === key ? this.#first : undefined
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined
  }

  keys(): Key[] {
    return this.values().map(({ key }) => key)
  }

  values(): Claim[] {
    if (this.#all !== undefined) return [...this.#all.values()]
    return this.#first === undefined ? [] : [this.#first]
  }

  set(claim: Claim): void {
    const isAlone = this.#first === undefined || this.#first.key === claim.key
    if (this.#all === undefined && isAlone) this.#first = claim
    else {
      this.#all ??= new Map(this.values().map((known) => [known.key, known]))
      this.#all.set(claim.key, claim)
    }
  }

  delete(key: Key): void {
    if (this.#all === undefined) {
      if (this.#first?.key === key) this.#first = undefined
      return
    }
    this.#all.delete(key)
    if (this.#all.size > 0) return
    this.#all = undefined
    this.#first = undefined
  }

  clear(): void {
    this.#all = undefined
    this.#first = undefined
  }
}

export const nothingReflected: Reflected = {
  isTaken: false,
  isHeld: false,
  isHeldBack: false,
  group: '',
}

/** Never written to: the slots that have neither, which are nearly all, need none of their own. */
const noPorts = new Map<string, Key>()
const nobody: ReadonlySet<string> = new Set()

export const newSlot = (ip: Ip): Slot => ({
  ip,
  family: familyOf(ip),
  pool: undefined,
  position: 0,
  holders: new Holders(),
  ports: noPorts,
  group: '',
  isMixed: false,
  reservation: undefined,
  elsewhere: nobody,
  reflected: nothingReflected,
})

/** Holders of one group may share an address as far as their ports are apart (M3.4, R4.6). */
export const groupOf = ({ tenant, sharingKey, backend }: Claim): string =>
  sharingKey === '' ? '' : `${tenant}\n${sharingKey}\n${backend}`

export function enterHolder(slot: Slot, claim: Claim): void {
  const group = groupOf(claim)
  slot.group = slot.holders.size === 0 || group === slot.group ? group : ''
  if (slot.holders.size > 0 && slot.group === '') slot.isMixed = true
  slot.holders.set(claim)
  if (group === '') return
  if (slot.ports === noPorts) slot.ports = new Map()
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
  const rest = slot.holders.values()
  slot.holders.clear()
  slot.ports = noPorts
  slot.isMixed = false
  slot.group = ''
  for (const other of rest) enterHolder(slot, other)
}
