// What is known of one address? Who holds it under which terms, for whom it is reserved, who else
// has it. A slot exists only while one of the three is so.
import { type Family, familyOf, type Ip } from '../net/ip.ts'
import type { AddressView } from './address.ts'
import type { PoolLedger } from './poolLedger.ts'
import type { ReadonlyPoolLedger } from './readonlyPoolLedger.ts'
import type { Key } from './service.ts'
import type { Users } from './users.ts'

/** The terms under which a Service holds its addresses; recorded in the Address objects (R3.11). */
export type Claim = {
  readonly key: Key
  readonly createdAt: string
  readonly ports: readonly string[]
  readonly sharingKey: string
  readonly backend: string
  /** The tenant's name; empty for none. */
  readonly tenant: string
}

/** What the pool's ledger has taken in of the slot, so that a change costs only its difference. */
type Reflected = {
  readonly isTaken: boolean
  readonly isHeld: boolean
  readonly isHeldBack: boolean
  readonly group: string
}

/** What policy may know of an address. */
export type ReadonlySlot = {
  readonly ip: Ip
  readonly family: Family
  readonly pool: ReadonlyPoolLedger | undefined
  readonly position: number
  readonly holders: Pick<Holders, 'size' | 'get' | 'has' | 'keys' | 'values'>
  /** Which holder uses a port; kept only for what can be shared. */
  readonly ports: ReadonlyMap<string, Key>
  /** The one group of all holders; empty when it cannot be shared or the holders disagree. */
  readonly group: string
  readonly isMixed: boolean
  readonly reservation: AddressView | undefined
  /** The objects that have it on a wire, as far as that counts in its pool. */
  readonly elsewhere: ReadonlySet<string>
  readonly isElsewhere: boolean
  /** The first of them, by text. */
  readonly firstElsewhere: string | undefined
  readonly reflected: Reflected
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
/** What nearly all slots reflect; one for all of them, since there can be a million. */
const heldAlone: Reflected = { ...nothingReflected, isTaken: true, isHeld: true }

/** The slots that have neither, which are nearly all, need none of their own. */
const noPorts: ReadonlyMap<string, Key> = new Map()
const nobody: ReadonlySet<string> = new Set()

export class Slot implements ReadonlySlot {
  readonly ip: Ip
  readonly family: Family
  pool: PoolLedger | undefined
  position = 0
  readonly holders = new Holders()
  group = ''
  isMixed = false
  reservation: AddressView | undefined
  /** Objects that have it on a wire. */
  users: Users | undefined
  reflected = nothingReflected
  #ports: Map<string, Key> | undefined

  constructor(ip: Ip) {
    this.ip = ip
    this.family = familyOf(ip)
  }

  get ports(): ReadonlyMap<string, Key> {
    return this.#ports ?? noPorts
  }

  get isEmpty(): boolean {
    return this.holders.size + (this.users?.size ?? 0) === 0 && this.reservation === undefined
  }

  get elsewhere(): ReadonlySet<string> {
    return this.users === undefined ? nobody : new Set(this.users.of(this.#tenant))
  }

  get isElsewhere(): boolean {
    return this.users?.countIn(this.#tenant) === true
  }

  get firstElsewhere(): string | undefined {
    return this.users?.firstOf(this.#tenant)
  }

  get #tenant(): string {
    return this.pool?.pool.tenant ?? ''
  }

  enter(claim: Claim): void {
    const group = groupOf(claim)
    this.group = this.holders.size === 0 || group === this.group ? group : ''
    if (this.holders.size > 0 && this.group === '') this.isMixed = true
    this.holders.set(claim)
    if (group === '') return
    this.#ports ??= new Map()
    for (const port of claim.ports) {
      if (!this.#ports.has(port)) this.#ports.set(port, claim.key)
      else this.isMixed = true
    }
  }

  drop(claim: Claim): void {
    this.holders.delete(claim.key)
    if (!this.isMixed && this.holders.size > 0) {
      for (const port of claim.ports) this.#ports?.delete(port)
      return
    }
    const rest = this.holders.values()
    this.holders.clear()
    this.#ports = undefined
    this.isMixed = false
    this.group = ''
    for (const other of rest) this.enter(other)
  }

  /** As it would be if that Service did not hold it. */
  without(key: Key): Slot {
    const slot = new Slot(this.ip)
    slot.pool = this.pool
    slot.position = this.position
    slot.reservation = this.reservation
    slot.users = this.users
    for (const claim of this.holders.values()) if (claim.key !== key) slot.enter(claim)
    if (slot.pool !== undefined) slot.reflected = slot.reflection()
    return slot
  }

  /** What its pool's ledger should have taken in. */
  reflection(): Reflected {
    const isHeld = this.holders.size > 0
    const isReserved = this.reservation !== undefined
    const { isElsewhere } = this
    const group = isReserved || this.isMixed ? '' : this.group
    if (isHeld && group === '') return heldAlone
    const isTaken = isHeld || isReserved || isElsewhere
    return { isTaken, isHeld, isHeldBack: isElsewhere && !isHeld && !isReserved, group }
  }
}

/** Holders of one group may share an address as far as their ports are apart (M3.4, R4.6). */
export const groupOf = ({ tenant, sharingKey, backend }: Claim): string =>
  sharingKey === '' ? '' : `${tenant}\n${sharingKey}\n${backend}`
