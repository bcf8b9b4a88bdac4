// Which is the lowest address that a Service may share? One group for each tenant, sharing key and
// backend in a pool and family; for each port in use, where in the group it is taken or still free.
import { type Ip, toBigInt } from '../net/ip.ts'
import { Members } from './bits.ts'
import { farAway } from './space.ts'

/** A port that is taken on more addresses than this can get a tree of those where it is free. */
const few = 32
/** Each can have all addresses of the group, and a Service thousands of ports. */
const mostTrees = 8

/** Addresses to leave out. */
export type Except = { readonly positions: ReadonlySet<number>; readonly ips: ReadonlySet<Ip> }
const nowhere: Except = { positions: new Set(), ips: new Set() }

export class SharingGroup {
  readonly #capacity: number
  readonly #members: Members
  /** On how many addresses a port is taken. */
  readonly #uses = new Map<string, number>()
  /** Where a port is free, for some that are taken on many addresses. */
  readonly #freeFor = new Map<string, Members>()
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
    for (const free of this.#freeFor.values()) free.add(position)
  }

  leave(ip: Ip, position: number): void {
    this.#far.delete(ip)
    if (position >= farAway) return
    for (const port of this.#portsAt.get(position) ?? []) this.giveBack(ip, position, port)
    this.#members.delete(position)
    for (const free of this.#freeFor.values()) free.delete(position)
  }

  take(ip: Ip, position: number, port: string): void {
    this.#far.get(ip)?.add(port)
    if (position >= farAway) return
    const ports = this.#portsAt.get(position)
    if (ports?.has(port) === true) return
    if (ports === undefined) this.#portsAt.set(position, new Set([port]))
    else ports.add(port)
    this.#uses.set(port, (this.#uses.get(port) ?? 0) + 1)
    this.#treeFor(port)?.delete(position)
  }

  giveBack(ip: Ip, position: number, port: string): void {
    this.#far.get(ip)?.delete(port)
    if (position >= farAway) return
    const ports = this.#portsAt.get(position)
    if (ports?.delete(port) !== true) return
    if (ports.size === 0) this.#portsAt.delete(position)
    const left = (this.#uses.get(port) ?? 0) - 1
    if (left > 0) {
      this.#uses.set(port, left)
      this.#freeFor.get(port)?.add(position)
    } else {
      this.#uses.delete(port)
      this.#freeFor.delete(port)
    }
  }

  /** The lowest position where all of these ports are free. */
  lowest(ports: readonly string[], except = nowhere): number | undefined {
    const wanted = new Set(ports)
    const trees = ports.flatMap((port) => this.#freeFor.get(port) ?? [])
    let at = this.#nextIn(0, trees)
    while (at !== undefined && (except.positions.has(at) || this.#hasAny(at, wanted))) {
      at = this.#nextIn(at + 1, trees)
    }
    return at
  }

  /** Each of the trees names its next candidate until all agree. */
  #nextIn(from: number, trees: readonly Members[]): number | undefined {
    if (trees.length === 0) return this.#members.next(from)
    let position = from
    for (let agreed = 0; agreed < trees.length; ) {
      const next = trees[agreed % trees.length]?.next(position)
      if (next === undefined) return undefined
      agreed = next === position ? agreed + 1 : 0
      position = next
    }
    return position
  }

  #hasAny(position: number, wanted: ReadonlySet<string>): boolean {
    const taken = this.#portsAt.get(position)
    return taken !== undefined && haveOneInCommon(taken, wanted)
  }

  lowestFar(ports: readonly string[], except = nowhere): Ip | undefined {
    const wanted = new Set(ports)
    let lowest: { readonly ip: Ip; readonly value: bigint } | undefined
    for (const [ip, taken] of this.#far) {
      if (except.ips.has(ip) || haveOneInCommon(taken, wanted)) continue
      const value = toBigInt(ip)
      if (lowest === undefined || value < lowest.value) lowest = { ip, value }
    }
    return lowest?.ip
  }

  #treeFor(port: string): Members | undefined {
    const known = this.#freeFor.get(port)
    const isBusy = (this.#uses.get(port) ?? 0) > few && this.#freeFor.size < mostTrees
    if (known !== undefined || !isBusy) return known
    const free = new Members(this.#capacity)
    for (let at = this.#members.next(0); at !== undefined; at = this.#members.next(at + 1)) {
      if (this.#portsAt.get(at)?.has(port) !== true) free.add(at)
    }
    this.#freeFor.set(port, free)
    return free
  }
}

/** Whichever are fewer are looked up among the others. */
function haveOneInCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [fewer, more] = one.size < other.size ? [one, other] : [other, one]
  for (const text of fewer) if (more.has(text)) return true
  return false
}
