// Who holds which address, and which pool does it lie in? One slot for each address that matters,
// one ledger for each pool; a pool that changes is counted anew.
import { type Family, familyOf, type Ip, toBigInt } from '../net/ip.ts'
import type { Range } from '../net/range.ts'
import { type AddressView, hasSameTerms } from './address.ts'
import { LedgerWithout } from './ledgerWithout.ts'
import type { Pool } from './pool.ts'
import { PoolLedger } from './poolLedger.ts'
import type { ReadonlyPoolLedger } from './readonlyPoolLedger.ts'
import type { Key } from './service.ts'
import { type Claim, nothingReflected, type ReadonlySlot, Slot } from './slot.ts'
import { lastUpTo } from './space.ts'
import { Users } from './users.ts'

export type Holding = { readonly ips: readonly Ip[]; readonly claim: Claim }

/** The same addresses under the same terms, so nobody else is concerned. */
export const isSameHolding = (one: Holding, other: Holding): boolean =>
  one.ips.length === other.ips.length &&
  one.ips.every((ip, at) => ip === other.ips[at]) &&
  hasSameTerms(one.claim, other.claim) &&
  one.claim.createdAt === other.claim.createdAt &&
  one.claim.tenant === other.claim.tenant

/** `tenant`: whose namespace says so; empty for nobody's. */
type User = { readonly object: string; readonly tenant: string }

type Stretch = { readonly range: Range; readonly ledger: PoolLedger }

/** What policy may ask. */
export type ReadonlyLedger = {
  pool(name: string): ReadonlyPoolLedger | undefined
  poolOf(ip: Ip): Pool | undefined
  /** The pool whose ranges contain it although avoidBuggyIPs leaves it out. */
  avoidedBy(ip: Ip): Pool | undefined
  slot(ip: Ip): ReadonlySlot | undefined
  slots(): Iterable<ReadonlySlot>
  /** Those that lie in the pool. */
  slotsIn(pool: string): Iterable<ReadonlySlot>
  holding(key: Key): Holding | undefined
}

export class Ledger implements ReadonlyLedger {
  readonly #slots = new Map<Ip, Slot>()
  /** Those that lie in no pool; the others stand with theirs. */
  readonly #outside = new Set<Slot>()
  readonly #held = new Map<Key, readonly Ip[]>()
  readonly #pools = new Map<string, PoolLedger>()
  #stretches: Record<Family, Stretch[]> = { IPv4: [], IPv6: [] }

  pool(name: string): PoolLedger | undefined {
    return this.#pools.get(name)
  }

  poolOf(ip: Ip): Pool | undefined {
    const slot = this.#slots.get(ip)
    return (slot === undefined ? this.#find(ip)?.ledger : slot.pool)?.pool
  }

  avoidedBy(ip: Ip): Pool | undefined {
    const stretch = this.#stretchOf(ip)
    if (stretch === undefined) return undefined
    const { ledger } = stretch
    return ledger.positionOf(familyOf(ip), ip) === undefined ? ledger.pool : undefined
  }

  slot(ip: Ip): Slot | undefined {
    return this.#slots.get(ip)
  }

  slots(): IterableIterator<Slot> {
    return this.#slots.values()
  }

  slotsIn(pool: string): Iterable<Slot> {
    return this.#pools.get(pool)?.slots ?? []
  }

  /** Put together when it is asked for: every slot knows the claim. */
  holding(key: Key): Holding | undefined {
    const ips = this.#held.get(key) ?? []
    const [first] = ips
    const claim = first === undefined ? undefined : this.#slots.get(first)?.holders.get(key)
    return claim === undefined ? undefined : { ips, claim }
  }

  /** As if that Service held nothing. */
  without(key: Key): ReadonlyLedger {
    const ips = new Set(this.#held.get(key))
    const held = [...ips].flatMap((ip) => this.#slots.get(ip) ?? [])
    return held.length === 0 ? this : new LedgerWithout(this, key, held)
  }

  /** What the Service holds from now on; answers the slots on which something was given up. */
  hold(key: Key, ips: readonly Ip[], claim: Claim): Slot[] {
    const freed = this.release(key, ips)
    // There can be thousands.
    const kept = new Set(claim.ports)
    for (const ip of ips) {
      const slot = this.#slotFor(ip)
      const before = slot.holders.get(key)
      if (before !== undefined) slot.drop(before)
      slot.enter(claim)
      const lost = before?.ports.filter((port) => !kept.has(port)) ?? []
      slot.pool?.reflect(slot, claim.ports, lost)
      if (before !== undefined && gaveSomethingUp(before, claim, lost)) freed.push(slot)
    }
    if (ips.length > 0) this.#held.set(key, ips)
    return freed
  }

  release(key: Key, except: readonly Ip[] = []): Slot[] {
    const freed: Slot[] = []
    for (const ip of this.#held.get(key) ?? []) {
      const slot = this.#slots.get(ip)
      const claim = slot?.holders.get(key)
      if (slot === undefined || claim === undefined || except.includes(ip)) continue
      slot.drop(claim)
      slot.pool?.reflect(slot, [], claim.ports)
      this.#dropIfEmpty(slot)
      freed.push(slot)
    }
    this.#held.delete(key)
    return freed
  }

  reserve(ip: Ip, reservation: AddressView | undefined): Slot {
    const slot = this.#slotFor(ip)
    slot.reservation = reservation
    this.#settle(slot)
    return slot
  }

  /** The object has the address on a wire, or no longer. */
  useElsewhere(ip: Ip, { object, tenant }: User, isUsed: 'used' | 'unused'): Slot {
    const slot = this.#slotFor(ip)
    if (isUsed === 'used') {
      slot.users ??= new Users()
      slot.users.put(object, tenant)
    } else slot.users?.delete(object)
    if (slot.users?.size === 0) slot.users = undefined
    this.#settle(slot)
    return slot
  }

  /** A pool comes, changes or goes; answers the slots that were, are or may have been in it. */
  setPool(name: string, pool: Pool | undefined): Slot[] {
    const before = this.#pools.get(name)
    const after = pool === undefined ? undefined : new PoolLedger(pool)
    if (after === undefined) this.#pools.delete(name)
    else this.#pools.set(name, after)
    this.#moveStretches(before, after)
    const touched = new Set<Slot>()
    for (const slot of [...(before?.slots ?? []), ...this.#within(after)]) {
      const found = this.#find(slot.ip)
      if (slot.pool === found?.ledger) continue
      if (slot.pool !== before) slot.pool?.forget(slot)
      slot.reflected = nothingReflected
      this.#place(slot, found)
      touched.add(slot)
    }
    if (after === undefined && before !== undefined) {
      // While a tenant's network is renamed two pools overlap: the one that goes may have given it.
      for (const slot of this.#within(before)) {
        if (before.positionOf(familyOf(slot.ip), slot.ip) !== undefined) touched.add(slot)
      }
    }
    return [...touched]
  }

  /** Only what is said of the pool has changed, nothing that decides who holds what. */
  relabel(pool: Pool): void {
    const ledger = this.#pools.get(pool.name)
    if (ledger !== undefined) ledger.pool = pool
  }

  /** What may lie in the pool from now on: what lies in none, or in one that overlaps. */
  #within(ledger: PoolLedger | undefined): Slot[] {
    if (ledger === undefined) return []
    const overlapping = new Set<PoolLedger>()
    for (const family of families) {
      const own = joined(ledger.pool.ranges.filter((range) => range.family === family))
      for (const { range, ledger: other } of this.#stretches[family]) {
        const before = lastUpTo(own, ({ first }) => first <= range.last)
        const isIn = before !== undefined && range.first <= before.last
        if (isIn && other !== ledger) overlapping.add(other)
      }
    }
    return [...this.#outside, ...[...overlapping].flatMap(({ slots }) => [...slots])]
  }

  #moveStretches(before: PoolLedger | undefined, after: PoolLedger | undefined): void {
    for (const family of families) {
      const kept = this.#stretches[family].filter(({ ledger }) => ledger !== before)
      const added = (after?.pool.ranges ?? []).flatMap((range) =>
        range.family === family && after !== undefined ? [{ range, ledger: after }] : [],
      )
      // At once: a pool can have thousands of ranges.
      this.#stretches[family] = [...kept, ...added].sort((one, other) =>
        one.range.first < other.range.first ? -1 : Number(one.range.first > other.range.first),
      )
    }
  }

  #stretchOf(ip: Ip): Stretch | undefined {
    const value = toBigInt(ip)
    const found = lastUpTo(this.#stretches[familyOf(ip)], ({ range }) => range.first <= value)
    return found !== undefined && value <= found.range.last ? found : undefined
  }

  #find(ip: Ip): { ledger: PoolLedger; position: number } | undefined {
    const ledger = this.#stretchOf(ip)?.ledger
    const position = ledger?.positionOf(familyOf(ip), ip)
    return ledger === undefined || position === undefined ? undefined : { ledger, position }
  }

  #slotFor(ip: Ip): Slot {
    const known = this.#slots.get(ip)
    if (known !== undefined) return known
    const slot = new Slot(ip)
    this.#slots.set(ip, slot)
    this.#place(slot, this.#find(ip))
    return slot
  }

  #place(slot: Slot, found: { ledger: PoolLedger; position: number } | undefined): void {
    this.#standing(slot).delete(slot)
    slot.pool = found?.ledger
    this.#standing(slot).add(slot)
    slot.position = found?.position ?? 0
    slot.pool?.reflect(slot)
  }

  #standing({ pool }: Slot): Set<Slot> {
    return pool?.slots ?? this.#outside
  }

  #settle(slot: Slot): void {
    slot.pool?.reflect(slot)
    this.#dropIfEmpty(slot)
  }

  #dropIfEmpty(slot: Slot): void {
    if (!slot.isEmpty) return
    this.#slots.delete(slot.ip)
    this.#standing(slot).delete(slot)
  }
}

const families = ['IPv4', 'IPv6'] as const

/** Ascending, and no two of them overlap. */
function joined(ranges: readonly Range[]): readonly Pick<Range, 'first' | 'last'>[] {
  const apart: { first: bigint; last: bigint }[] = []
  for (const { first, last } of [...ranges].sort((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = apart.at(-1)
    if (before === undefined || before.last < first) apart.push({ first, last })
    else if (before.last < last) before.last = last
  }
  return apart
}

const gaveSomethingUp = (before: Claim, after: Claim, lost: readonly string[]): boolean =>
  lost.length > 0 ||
  before.sharingKey !== after.sharingKey ||
  before.backend !== after.backend ||
  before.tenant !== after.tenant
