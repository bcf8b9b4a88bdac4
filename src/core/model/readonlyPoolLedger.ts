// What is free in a pool, and what may be shared? The questions, whatever keeps the answers.
import type { Family, Ip } from '../net/ip.ts'
import type { Pool } from './pool.ts'
import type { Except } from './sharingGroup.ts'
import { farAway, type Space } from './space.ts'

/** The addresses of one family, by position. */
export type FamilyRoom = {
  readonly space: Space
  readonly held: number
  /** Addresses that only their use elsewhere keeps back (R5). */
  readonly heldBack: number
  lowestFree(): number | undefined
  /** The lowest position of that group on which all of these ports are free. */
  lowestShared(group: string, ports: readonly string[], except?: Except): number | undefined
  /** The same of addresses too far into a huge pool to have a tracked position. */
  farShared(group: string, ports: readonly string[], except?: Except): Ip | undefined
}

export abstract class ReadonlyPoolLedger {
  abstract readonly pool: Pool
  protected abstract readonly families: Readonly<Record<Family, FamilyRoom>>

  capacity(family: Family): bigint {
    return this.families[family].space.size
  }

  held(family: Family): number {
    return this.families[family].held
  }

  isFull(family: Family): boolean {
    return this.families[family].lowestFree() === undefined
  }

  hasHeldBack(family: Family): boolean {
    return this.families[family].heldBack > 0
  }

  /** The lowest address of that group on which all of these ports are free. */
  lowestShared(family: Family, group: string, ports: readonly string[]): Ip | undefined {
    const room = this.families[family]
    const position = room.lowestShared(group, ports)
    return position === undefined ? room.farShared(group, ports) : room.space.addressAt(position)
  }

  /** The lowest address that is free, or that the group has with these ports free. */
  lowest(family: Family, group: string, ports: readonly string[]): Ip | undefined {
    const room = this.families[family]
    const free = room.lowestFree()
    const shared = group === '' ? undefined : room.lowestShared(group, ports)
    if (free === undefined && shared === undefined) {
      return group === '' ? undefined : room.farShared(group, ports)
    }
    return room.space.addressAt(Math.min(free ?? farAway, shared ?? farAway))
  }
}
