// What is free in a pool, and what may be shared? Kept by position, a change at a time.
import type { Family, Ip } from '../net/ip.ts'
import { Taken } from './bits.ts'
import type { Pool } from './pool.ts'
import { SharingGroup } from './sharingGroup.ts'
import { nothingReflected, type Slot } from './slot.ts'
import { farAway, Space } from './space.ts'

/** What nearly all slots reflect; one for all of them, since there can be a million. */
const heldAlone: Slot['reflected'] = { ...nothingReflected, isTaken: true, isHeld: true }

class FamilyLedger {
  readonly space: Space
  readonly #taken: Taken
  readonly #capacity: number
  readonly #groups = new Map<string, SharingGroup>()
  held = 0
  /** Addresses that only their use elsewhere keeps back (R5). */
  heldBack = 0
  #hasTurned = false

  constructor(space: Space) {
    this.space = space
    this.#capacity = Math.min(Number(space.size), farAway)
    this.#taken = new Taken(this.#capacity)
  }

  turnedHeldBack(): boolean {
    const hasTurned = this.#hasTurned
    this.#hasTurned = false
    return hasTurned
  }

  lowestFree(): number | undefined {
    const position = this.#taken.lowestFree()
    return position < this.#capacity ? position : undefined
  }

  lowestShared(group: string, ports: readonly string[]): number | undefined {
    return this.#groups.get(group)?.lowest(ports)
  }

  farShared(group: string, ports: readonly string[]): Ip | undefined {
    return this.#groups.get(group)?.lowestFar(ports)
  }

  reflect(
    slot: Slot,
    after: Slot['reflected'],
    gained: readonly string[],
    lost: readonly string[],
  ) {
    const before = slot.reflected
    if (slot.position < farAway) {
      if (after.isTaken) this.#taken.add(slot.position)
      else this.#taken.delete(slot.position)
    }
    this.held += Number(after.isHeld) - Number(before.isHeld)
    const wasHeldBack = this.heldBack > 0
    this.heldBack += Number(after.isHeldBack) - Number(before.isHeldBack)
    if (wasHeldBack !== this.heldBack > 0) this.#hasTurned = true
    if (before.group === after.group) this.#changePorts(slot, gained, lost)
    else this.#changeGroup(slot, before.group, after.group)
    slot.reflected = after
  }

  #changePorts(slot: Slot, gained: readonly string[], lost: readonly string[]): void {
    const group = this.#groups.get(slot.reflected.group)
    for (const port of lost) group?.giveBack(slot.ip, slot.position, port)
    for (const port of gained) group?.take(slot.ip, slot.position, port)
  }

  #changeGroup(slot: Slot, before: string, after: string): void {
    const left = this.#groups.get(before)
    left?.leave(slot.ip, slot.position)
    if (left?.isEmpty) this.#groups.delete(before)
    if (after === '') return
    const joined = this.#groups.get(after) ?? new SharingGroup(this.#capacity)
    this.#groups.set(after, joined)
    joined.join(slot.ip, slot.position)
    for (const port of slot.ports.keys()) joined.take(slot.ip, slot.position, port)
  }
}

export class PoolLedger {
  pool: Pool
  /** What is known of its addresses. */
  readonly slots = new Set<Slot>()
  readonly #families: Readonly<Record<Family, FamilyLedger>>

  constructor(pool: Pool) {
    this.pool = pool
    const ledger = (family: Family) =>
      new FamilyLedger(new Space(family, pool.ranges, pool.avoidBuggyIPs))
    this.#families = { IPv4: ledger('IPv4'), IPv6: ledger('IPv6') }
  }

  capacity(family: Family): bigint {
    return this.#families[family].space.size
  }

  held(family: Family): number {
    return this.#families[family].held
  }

  isFull(family: Family): boolean {
    return this.#families[family].lowestFree() === undefined
  }

  hasHeldBack(family: Family): boolean {
    return this.#families[family].heldBack > 0
  }

  /** Whether that may have changed since this was last asked: it is why others wait (R7). */
  turnedHeldBack(family: Family): boolean {
    return this.#families[family].turnedHeldBack()
  }

  positionOf(family: Family, ip: Ip): number | undefined {
    return this.#families[family].space.positionOf(ip)
  }

  /** The lowest address of that group on which all of these ports are free. */
  lowestShared(family: Family, group: string, ports: readonly string[]): Ip | undefined {
    const ledger = this.#families[family]
    const position = ledger.lowestShared(group, ports)
    return position === undefined
      ? ledger.farShared(group, ports)
      : ledger.space.addressAt(position)
  }

  /** The lowest address that is free, or that the group has with these ports free. */
  lowest(family: Family, group: string, ports: readonly string[]): Ip | undefined {
    const ledger = this.#families[family]
    const free = ledger.lowestFree()
    const shared = group === '' ? undefined : ledger.lowestShared(group, ports)
    if (free === undefined && shared === undefined) {
      return group === '' ? undefined : ledger.farShared(group, ports)
    }
    return ledger.space.addressAt(Math.min(free ?? farAway, shared ?? farAway))
  }

  /** Takes in what has changed on the slot since it was last reflected. */
  reflect(slot: Slot, gained: readonly string[] = [], lost: readonly string[] = []): void {
    const isHeld = slot.holders.size > 0
    const isReserved = slot.reservation !== undefined
    const isElsewhere = slot.elsewhere.size > 0
    const group = isReserved || slot.isMixed ? '' : slot.group
    const isTaken = isHeld || isReserved || isElsewhere
    const isHeldBack = isElsewhere && !isHeld && !isReserved
    const isOrdinary = isHeld && group === ''
    const after = isOrdinary ? heldAlone : { isTaken, isHeld, isHeldBack, group }
    this.#families[slot.family].reflect(slot, after, gained, lost)
  }

  forget(slot: Slot): void {
    this.#families[slot.family].reflect(slot, nothingReflected, [], [])
  }
}
