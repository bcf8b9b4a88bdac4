// Which is the lowest address that a Service may share? One group for each tenant, sharing key and
// backend in a pool and family; for each port in use, where in the group it is taken or still free.
import { type Ip, toBigInt } from '../net/ip.ts'
import { Members } from './bits.ts'
import { farAway } from './space.ts'

/** A port that is taken on more addresses than this gets a tree of those where it is free. */
const few = 32

/** Addresses to leave out. */
export type Except = { readonly positions: ReadonlySet<number>; readonly ips: ReadonlySet<Ip> }
const nowhere: Except = { positions: new Set(), ips: new Set() }

type Room = { readonly free: Members } | { readonly taken: Set<number> }

export class SharingGroup {
  readonly #capacity: number
  readonly #members: Members
  /** Most ports are taken on a few addresses: a tree for each would cost every address its size. */
  readonly #roomFor = new Map<string, Room>()
  readonly #busy = new Set<Members>()
  readonly #portsAt = new Map<number, Set<string>>()
  /** Addresses too far into a huge pool to have a tracked position, with their ports. */
  readonly #far = new Map<Ip, Set<string>>()

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#members = new Members(capacity)
  }

  get isEmpty(): boolean {
    return this.#members.size === 0 && this.#far.size === 0
  }

  join(ip: Ip, position: number): void {
    if (position >= farAway) {
      if (!this.#far.has(ip)) this.#far.set(ip, new Set())
      return
    }
    this.#members.add(position)
    for (const free of this.#busy) free.add(position)
  }

  leave(ip: Ip, position: number): void {
    this.#far.delete(ip)
    if (position >= farAway) return
    for (const port of this.#portsAt.get(position) ?? []) this.giveBack(ip, position, port)
    this.#members.delete(position)
    for (const free of this.#busy) free.delete(position)
  }

  take(ip: Ip, position: number, port: string): void {
    this.#far.get(ip)?.add(port)
    if (position >= farAway) return
    const ports = this.#portsAt.get(position)
    if (ports === undefined) this.#portsAt.set(position, new Set([port]))
    else ports.add(port)
    const room = this.#room(port)
    if ('free' in room) room.free.delete(position)
    else room.taken.add(position)
  }

  giveBack(ip: Ip, position: number, port: string): void {
    this.#far.get(ip)?.delete(port)
    if (position >= farAway) return
    const ports = this.#portsAt.get(position)
    ports?.delete(port)
    if (ports?.size === 0) this.#portsAt.delete(position)
    const room = this.#roomFor.get(port)
    if (room === undefined) return
    if ('free' in room) room.free.add(position)
    else room.taken.delete(position)
    if ('taken' in room && room.taken.size === 0) this.#roomFor.delete(port)
  }

  /** The lowest position where all of these ports are free. */
  lowest(ports: readonly string[], except = nowhere): number | undefined {
    const rooms = ports.flatMap((port) => this.#roomFor.get(port) ?? [])
    let at = this.#lowestFrom(0, rooms)
    while (at !== undefined && except.positions.has(at)) at = this.#lowestFrom(at + 1, rooms)
    return at
  }

  /** Each of the rooms names its next candidate until all agree. */
  #lowestFrom(from: number, rooms: readonly Room[]): number | undefined {
    if (rooms.length === 0) return this.#members.next(from)
    let position = from
    for (let agreed = 0; agreed < rooms.length; ) {
      const room = rooms[agreed % rooms.length]
      const next = room === undefined ? undefined : this.#nextIn(room, position)
      if (next === undefined) return undefined
      agreed = next === position ? agreed + 1 : 0
      position = next
    }
    return position
  }

  lowestFar(ports: readonly string[], except = nowhere): Ip | undefined {
    let lowest: { readonly ip: Ip; readonly value: bigint } | undefined
    for (const [ip, taken] of this.#far) {
      if (except.ips.has(ip) || ports.some((port) => taken.has(port))) continue
      const value = toBigInt(ip)
      if (lowest === undefined || value < lowest.value) lowest = { ip, value }
    }
    return lowest?.ip
  }

  #nextIn(room: Room, from: number): number | undefined {
    if ('free' in room) return room.free.next(from)
    let at = this.#members.next(from)
    while (at !== undefined && room.taken.has(at)) at = this.#members.next(at + 1)
    return at
  }

  #room(port: string): Room {
    const known = this.#roomFor.get(port)
    if (known !== undefined && ('free' in known || known.taken.size < few)) return known
    const room = known === undefined ? { taken: new Set<number>() } : this.#tree(known.taken)
    this.#roomFor.set(port, room)
    return room
  }

  #tree(taken: ReadonlySet<number>): Room {
    const free = new Members(this.#capacity)
    for (let at = this.#members.next(0); at !== undefined; at = this.#members.next(at + 1)) {
      if (!taken.has(at)) free.add(at)
    }
    this.#busy.add(free)
    return { free }
  }
}
