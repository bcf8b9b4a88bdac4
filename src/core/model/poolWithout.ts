// What would be free in a pool, and what could be shared, if one Service held nothing? Answered
// from what is kept and the one or two addresses that it holds; nothing is changed.
import { type Family, type Ip, toBigInt } from '../net/ip.ts'
import type { Pool } from './pool.ts'
import { type FamilyRoom, ReadonlyPoolLedger } from './readonlyPoolLedger.ts'
import type { Except } from './sharingGroup.ts'
import type { ReadonlySlot } from './slot.ts'
import { farAway } from './space.ts'

/** A slot as it is, and as it is without that holder. */
export type Vacated = { readonly before: ReadonlySlot; readonly after: ReadonlySlot }

export class PoolWithout extends ReadonlyPoolLedger {
  readonly pool: Pool
  protected readonly families: Readonly<Record<Family, FamilyRoom>>

  constructor(
    pool: Pool,
    families: Readonly<Record<Family, FamilyRoom>>,
    vacated: readonly Vacated[],
  ) {
    super()
    this.pool = pool
    const within = (family: Family) =>
      new FamilyWithout(
        families[family],
        vacated.filter(({ after }) => after.family === family),
      )
    this.families = { IPv4: within('IPv4'), IPv6: within('IPv6') }
  }
}

class FamilyWithout implements FamilyRoom {
  readonly space: FamilyRoom['space']
  readonly held: number
  readonly heldBack: number
  readonly #room: FamilyRoom
  readonly #slots: readonly ReadonlySlot[]
  /** What the room knows of these no longer holds. */
  readonly #except: Except

  constructor(room: FamilyRoom, vacated: readonly Vacated[]) {
    this.#room = room
    this.space = room.space
    this.#slots = vacated.map(({ after }) => after)
    this.#except = {
      positions: new Set(this.#slots.map(({ position }) => position)),
      ips: new Set(this.#slots.map(({ ip }) => ip)),
    }
    const change = (count: (reflected: ReadonlySlot['reflected']) => boolean): number =>
      vacated.reduce(
        (sum, { before, after }) =>
          sum + Number(count(after.reflected)) - Number(count(before.reflected)),
        0,
      )
    this.held = room.held + change(({ isHeld }) => isHeld)
    this.heldBack = room.heldBack + change(({ isHeldBack }) => isHeldBack)
  }

  lowestFree(): number | undefined {
    const freed = this.#slots.filter(({ reflected }) => !reflected.isTaken)
    return lowestOf(this.#room.lowestFree(), freed)
  }

  lowestShared(group: string, ports: readonly string[]): number | undefined {
    const others = this.#room.lowestShared(group, ports, this.#except)
    return lowestOf(others, this.#sharing(group, ports))
  }

  farShared(group: string, ports: readonly string[]): Ip | undefined {
    const others = this.#room.farShared(group, ports, this.#except)
    const far = this.#sharing(group, ports).filter(({ position }) => position >= farAway)
    const ips = [...(others === undefined ? [] : [others]), ...far.map(({ ip }) => ip)]
    return ips.sort((one, other) => (toBigInt(one) < toBigInt(other) ? -1 : 1))[0]
  }

  #sharing(group: string, ports: readonly string[]): readonly ReadonlySlot[] {
    return this.#slots.filter(
      ({ reflected, ports: taken }) =>
        group !== '' && reflected.group === group && ports.every((port) => !taken.has(port)),
    )
  }
}

function lowestOf(known: number | undefined, slots: readonly ReadonlySlot[]): number | undefined {
  const positions = slots.map(({ position }) => position).filter((at) => at < farAway)
  const lowest = Math.min(known ?? farAway, ...positions)
  return lowest === farAway ? undefined : lowest
}
