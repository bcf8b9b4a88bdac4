// Which is the lowest address that a Service may share? One group for each tenant, sharing key and
// backend in a pool and family; for each port in use, where in the group it is still free.
import type { Ip } from '../net/ip.ts'
import { Members } from './bits.ts'
import { farAway } from './space.ts'

export class SharingGroup {
  readonly #capacity: number
  readonly #members: Members
  readonly #roomFor = new Map<string, Members>()
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
    for (const room of this.#roomFor.values()) room.add(position)
  }

  leave(ip: Ip, position: number): void {
    this.#far.delete(ip)
    if (position >= farAway) return
    this.#members.delete(position)
    for (const room of this.#roomFor.values()) room.delete(position)
  }

  take(ip: Ip, position: number, port: string): void {
    this.#far.get(ip)?.add(port)
    if (position < farAway) this.#room(port).delete(position)
  }

  giveBack(ip: Ip, position: number, port: string): void {
    this.#far.get(ip)?.delete(port)
    if (position < farAway) this.#room(port).add(position)
  }

  /** The lowest position where all of these ports are free: each set names its next candidate. */
  lowest(ports: readonly string[]): number | undefined {
    const rooms = ports.map((port) => this.#roomFor.get(port) ?? this.#members)
    if (rooms.length === 0) rooms.push(this.#members)
    let position = 0
    for (let agreed = 0; agreed < rooms.length; ) {
      const room = rooms[agreed % rooms.length]
      const next = room?.next(position)
      if (next === undefined) return undefined
      agreed = next === position ? agreed + 1 : 0
      position = next
    }
    return position
  }

  lowestFar(ports: readonly string[]): Ip | undefined {
    const free = [...this.#far].filter(([, taken]) => !ports.some((port) => taken.has(port)))
    return free.map(([ip]) => ip).sort()[0]
  }

  #room(port: string): Members {
    const known = this.#roomFor.get(port)
    if (known !== undefined) return known
    const room = new Members(this.#capacity)
    for (let at = this.#members.next(0); at !== undefined; at = this.#members.next(at + 1)) {
      room.add(at)
    }
    this.#roomFor.set(port, room)
    return room
  }
}
