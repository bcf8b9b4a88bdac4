// What has one peer yet to be told? A set of changed prefixes, however often each has changed: what
// goes out is what holds when there is room for it (RFC 4271 §3.2).
import type { Family } from '../../net/ip.ts'
import { encodeRouteRefresh } from '../../wire/bgp/routeRefresh.ts'
import { encodeEndOfRib } from '../../wire/bgp/update.ts'
import { Writer } from '../../wire/writer.ts'
import { type Change, type Encodings, kindOf, type Outlet } from './encodings.ts'
import { haveSameAttributes } from './routeAttributes.ts'
import type { PeerRoutes, Route } from './routes.ts'

/** In one piece, so that timers and other peers come in between. */
const mostAtOnce = 2_000

export class AdjRibOut {
  readonly #routes: PeerRoutes
  readonly #outlet: Outlet
  readonly #encodings: Encodings
  readonly #kind: string
  readonly #canBeSent: Readonly<Record<Family, boolean>>
  readonly #changed: Set<string>
  /** What the peer has, by prefix. */
  readonly #sent = new Map<string, Route>()
  /** What it has asked to hear again, whether or not it has changed. */
  readonly #asked = new Set<string>()
  /** Families that are being told as a whole. */
  readonly #telling: Map<Family, Telling>
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
    this.#changed = new Set(routes.prefixes)
    this.#closing = agreed.families.map(encodeEndOfRib)
    this.#telling = new Map(agreed.families.map((family) => [family, newTelling()]))
  }

  /** How many the peer has been told. */
  get sent(): number {
    return this.#sent.size
  }

  get pending(): number {
    return this.#changed.size
  }

  /** What the peer has, by prefix. */
  get routes(): readonly Route[] {
    return [...this.#sent.keys()].sort().flatMap((prefix) => this.#sent.get(prefix) ?? [])
  }

  has(prefix: string): boolean {
    return this.#sent.has(prefix)
  }

  touch(prefixes: Iterable<string>): void {
    for (const prefix of prefixes) this.#changed.add(prefix)
  }

  /** Whether `next` has nothing to say until something changes. */
  get isDone(): boolean {
    return this.#changed.size === 0 && this.#telling.size === 0
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
    for (const prefix of this.#sent.keys()) {
      if (familyIn(prefix) !== family) continue
      this.#asked.add(prefix)
      this.#changed.add(prefix)
    }
    this.#telling.set(family, newTelling())
    if (!this.#outlet.agreed.canRefreshEnhanced) return []
    this.#closing.push(encodeRouteRefresh(family, 'end'))
    return [encodeRouteRefresh(family, 'begin')]
  }

  /** Messages one behind the other: some of what waits. Empty when nothing does. */
  next(): Uint8Array {
    const changes: Change[] = []
    let looked = 0
    for (const prefix of this.#changed) {
      if (looked++ === mostAtOnce) break
      this.#changed.delete(prefix)
      const change = this.#changeOf(prefix)
      if (change !== undefined) changes.push(change)
    }
    const messages = this.#messages(changes)
    for (const telling of this.#telling.values()) telling.hasBegun = true
    if (this.#changed.size > 0 || this.#telling.size === 0) return messages
    const closing = this.#closing
    const again = [...this.#telling].filter(([, { isAskedAgain }]) => isAskedAgain)
    this.#closing = []
    this.#telling.clear()
    return joined([messages, ...closing, ...again.flatMap(([family]) => this.#tellAgain(family))])
  }

  /** Everything at once, before the session ends. */
  withdrawAll(): Uint8Array {
    const changes = [...this.#sent.keys()].map((prefix) => ({ prefix, route: undefined }))
    this.#sent.clear()
    this.#changed.clear()
    return this.#messages(changes)
  }

  #messages(changes: readonly Change[]): Uint8Array {
    return changes.length === 0
      ? new Uint8Array()
      : this.#encodings.messages(changes, this.#kind, this.#outlet)
  }

  /** What the peer has to be told of the prefix; undefined when it knows. */
  #changeOf(prefix: string): Change | undefined {
    const route = this.#canBeSent[familyIn(prefix)] ? this.#routes.get(prefix) : undefined
    const known = this.#sent.get(prefix)
    if (route === undefined) {
      if (known === undefined) return undefined
      this.#sent.delete(prefix)
      this.#asked.delete(prefix)
      return { prefix, route }
    }
    const isKnown = known !== undefined && haveSameAttributes(known, route)
    if (isKnown && !this.#asked.has(prefix)) return undefined
    this.#asked.delete(prefix)
    this.#sent.set(prefix, route)
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

const familyIn = (prefix: string): Family => (prefix.includes(':') ? 'IPv6' : 'IPv4')
