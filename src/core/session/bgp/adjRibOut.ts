// What has one peer yet to be told? A set of changed prefixes, however often each has changed: what
// goes out is what holds when there is room for it (RFC 4271 §3.2).
import type { Family } from '../../net/ip.ts'
import { encodeRouteRefresh } from '../../wire/bgp/routeRefresh.ts'
import { encodeEndOfRib } from '../../wire/bgp/update.ts'
import { Writer } from '../../wire/writer.ts'
import { type Change, type Encodings, kindOf, type Outlet } from './encodings.ts'
import { haveSameAttributes } from './routeAttributes.ts'
import { type Entry, type PeerRoutes, type Route, routeIn } from './routes.ts'

/** In one piece, so that timers and other peers come in between. */
const mostAtOnce = 2_000

export class AdjRibOut {
  readonly #routes: PeerRoutes
  readonly #outlet: Outlet
  readonly #encodings: Encodings
  readonly #kind: string
  readonly #canBeSent: Readonly<Record<Family, boolean>>
  #sent = 0
  /** Families that are being told as a whole. */
  readonly #telling: Map<Family, Telling>
  readonly #tooLong = new Set<string>()
  /** What is said once nothing is left to be told. */
  #closing: Uint8Array[]

  /** All routes, and then that these were all (RFC 4724 §2). */
  constructor(routes: PeerRoutes, outlet: Outlet, encodings: Encodings) {
    const { agreed, nextHops } = outlet
    const canBeSent = (family: Family) =>
      agreed.families.includes(family) && nextHops[family] !== undefined
    this.#routes = routes
    this.#outlet = outlet
    this.#encodings = encodings
    this.#kind = kindOf(outlet)
    this.#canBeSent = { IPv4: canBeSent('IPv4'), IPv6: canBeSent('IPv6') }
    this.#closing = agreed.families.map(encodeEndOfRib)
    this.#telling = new Map(agreed.families.map((family) => [family, newTelling()]))
    routes.beginTelling()
  }

  /** How many the peer has been told. */
  get sent(): number {
    return this.#sent
  }

  get pending(): number {
    return this.#routes.dueCount
  }

  /** What the peer has, by prefix. */
  get routes(): readonly Route[] {
    return [...this.#routes.entries]
      .flatMap(({ told }) => told ?? [])
      .sort((one, other) => (one.prefix < other.prefix ? -1 : 1))
  }

  /** Prefixes whose attributes no message has room for. */
  get tooLong(): readonly string[] {
    return [...this.#tooLong].sort()
  }

  has(prefix: string): boolean {
    return this.#routes.entryOf(prefix)?.told !== undefined
  }

  /** Whether `next` has nothing to say until something changes. */
  get isDone(): boolean {
    return this.#routes.dueCount === 0 && this.#telling.size === 0
  }

  /** The peer has asked to hear them again: while it is being told, that once more is enough. */
  resend(family: Family): readonly Uint8Array[] {
    const telling = this.#telling.get(family)
    if (telling === undefined) return this.#tellAgain(family)
    telling.isAskedAgain = telling.hasBegun
    return []
  }

  /** It is told where that begins and ends (RFC 7313). */
  #tellAgain(family: Family): readonly Uint8Array[] {
    for (const entry of this.#routes.entries) {
      if (entry.told === undefined || familyOf(entry) !== family) continue
      entry.isAsked = true
      this.#routes.makeDue(entry)
    }
    this.#telling.set(family, newTelling())
    if (!this.#outlet.agreed.canRefreshEnhanced) return []
    this.#closing.push(encodeRouteRefresh(family, 'end'))
    return [encodeRouteRefresh(family, 'begin')]
  }

  /** Messages one behind the other: some of what waits. Empty when nothing does. */
  next(): Uint8Array {
    const changes: Change[] = []
    for (let looked = 0; looked < mostAtOnce; looked++) {
      const entry = this.#routes.takeDue()
      if (entry === undefined) break
      const change = this.#changeOf(entry)
      if (change !== undefined) changes.push(change)
    }
    const messages = this.#messages(changes)
    for (const telling of this.#telling.values()) telling.hasBegun = true
    if (this.#routes.dueCount > 0 || this.#telling.size === 0) return messages
    const closing = this.#closing
    const again = [...this.#telling].filter(([, { isAskedAgain }]) => isAskedAgain)
    this.#closing = []
    this.#telling.clear()
    return joined([messages, ...closing, ...again.flatMap(([family]) => this.#tellAgain(family))])
  }

  /** Everything at once, before the session ends. */
  withdrawAll(): Uint8Array {
    const told = [...this.#routes.entries].filter((entry) => entry.told !== undefined)
    this.#sent = 0
    this.#routes.endTelling()
    return this.#messages(told.map(({ prefix }) => ({ prefix, route: undefined })))
  }

  #messages(changes: readonly Change[]): Uint8Array {
    if (changes.length === 0) return new Uint8Array()
    const { bytes, tooLong } = this.#encodings.messages(changes, this.#kind, this.#outlet)
    for (const prefix of tooLong) this.#withdrawn(prefix)
    return bytes
  }

  #withdrawn(prefix: string): void {
    const entry = this.#routes.entryOf(prefix)
    if (entry?.told === undefined) return
    entry.told = undefined
    this.#sent--
    this.#tooLong.add(prefix)
  }

  /** What the peer has to be told of the prefix; undefined when it knows. */
  #changeOf(entry: Entry): Change | undefined {
    const { prefix, told, isAsked } = entry
    const route = this.#canBeSent[familyOf(entry)] ? routeIn(entry) : undefined
    entry.isAsked = false
    this.#tooLong.delete(prefix)
    if (route === undefined) {
      entry.told = undefined
      this.#routes.dropUnheld(entry)
      if (told === undefined) return undefined
      this.#sent--
      return { prefix, route }
    }
    if (told === undefined) this.#sent++
    else if (!isAsked && haveSameAttributes(told, route)) return undefined
    entry.told = route
    return { prefix, route }
  }
}

/** `isAskedAgain`: since some of it was said. */
type Telling = { hasBegun: boolean; isAskedAgain: boolean }

const newTelling = (): Telling => ({ hasBegun: false, isAskedAgain: false })

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const w = new Writer(parts.reduce((sum, { length }) => sum + length, 0))
  for (const part of parts) w.bytes(part)
  return w.done()
}

const familyOf = ({ isSix }: Entry): Family => (isSix ? 'IPv6' : 'IPv4')
