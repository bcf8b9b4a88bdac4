// What is free in a pool, and what may be shared? Kept by position, a change at a time.
import type { Family, Ip } from '../net/ip.ts'
import { Taken } from './bits.ts'
import type { Pool } from './pool.ts'
import { PoolWithout, type Vacated } from './poolWithout.ts'
import { type FamilyRoom, ReadonlyPoolLedger } from './readonlyPoolLedger.ts'
import { type Except, SharingGroup } from './sharingGroup.ts'
import { nothingReflected, type Slot } from './slot.ts'
import { farAway, Space } from './space.ts'

type Ports = { readonly gained: readonly string[]; readonly lost: readonly string[] }

class FamilyLedger implements FamilyRoom {
  readonly space: Space
  readonly #taken: Taken
  readonly #capacity: number
  readonly #groups = new Map<string, SharingGroup>()
  held = 0
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

  lowestShared(group: string, ports: readonly string[], except?: Except): number | undefined {
    return this.#groups.get(group)?.lowest(ports, except)
  }

  farShared(group: string, ports: readonly string[], except?: Except): Ip | undefined {
    return this.#groups.get(group)?.lowestFar(ports, except)
  }

  reflect(slot: Slot, after: Slot['reflected'], { gained, lost }: Ports): void {
    const before = slot.reflected
    if (slot.position < farAway) {
      if (after.isTaken) this.#taken.add(slot.position)
      else this.#taken.delete(slot.position)
    }
    this.held += Number(after.isHeld) - Number(before.isHeld)
    const wasHeldBack = this.heldBack > 0
    this.heldBack += Number(after.isHeldBack) - Number(before.isHeldBack)
    if (wasHeldBack !== this.heldBack > 0) this.#hasTurned = true
    if (before.group === after.group) this.#changePorts(slot, { gained, lost })
    else this.#changeGroup(slot, before.group, after.group)
    slot.reflected = after
  }

  #changePorts(slot: Slot, { gained, lost }: Ports): void {
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

export class PoolLedger extends ReadonlyPoolLedger {
  pool: Pool
  /** What is known of its addresses. */
  readonly slots = new Set<Slot>()
  protected readonly families: Readonly<Record<Family, FamilyLedger>>

  constructor(pool: Pool) {
    super()
    this.pool = pool
    const ledger = (family: Family) =>
      new FamilyLedger(new Space(family, pool.ranges, pool.avoidBuggyIPs))
    this.families = { IPv4: ledger('IPv4'), IPv6: ledger('IPv6') }
  }

  /** Whether that may have changed since this was last asked: it is why others wait (R7). */
  turnedHeldBack(family: Family): boolean {
    return this.families[family].turnedHeldBack()
  }

  positionOf(family: Family, ip: Ip): number | undefined {
    return this.families[family].space.positionOf(ip)
  }

  /** Takes in what has changed on the slot since it was last reflected. */
  reflect(slot: Slot, gained: readonly string[] = [], lost: readonly string[] = []): void {
    this.families[slot.family].reflect(slot, slot.reflection(), { gained, lost })
  }

  forget(slot: Slot): void {
    this.families[slot.family].reflect(slot, nothingReflected, { gained: [], lost: [] })
  }

  /** As if one Service held none of these slots, which lie in it. */
  without(vacated: readonly Vacated[]): ReadonlyPoolLedger {
    return new PoolWithout(this.pool, this.families, vacated)
  }
}
