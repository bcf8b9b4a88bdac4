// What has one peer yet to be told? A set of changed prefixes, however often each has changed: what
// goes out is what holds when there is room for it (RFC 4271 §3.2).
import type { Family } from '../../net/ip.ts'
import { encodeRouteRefresh } from '../../wire/bgp/routeRefresh.ts'
import { encodeEndOfRib } from '../../wire/bgp/update.ts'
import { type Change, type Encodings, kindOf, type Outlet } from './encodings.ts'
import { keyOf, routeIn } from './routeAttributes.ts'
import type { PeerRoutes, Route } from './routes.ts'

/** In one piece, so that timers and other peers come in between. */
const mostAtOnce = 2_000

export class AdjRibOut {
  readonly #routes: PeerRoutes
  readonly #outlet: Outlet
  readonly #encodings: Encodings
  readonly #kind: string
  readonly #changed: Set<string>
  /** What the peer has, by prefix: the attributes it has it with. */
  readonly #sent = new Map<string, string>()
  /** What is said once nothing is left to be told. */
  #closing: Uint8Array[]

  /** All routes, and then that these were all (RFC 4724 §2). */
  constructor(routes: PeerRoutes, outlet: Outlet, encodings: Encodings) {
    this.#routes = routes
    this.#outlet = outlet
    this.#encodings = encodings
    this.#kind = kindOf(outlet)
    this.#changed = new Set(routes.prefixes)
    this.#closing = outlet.agreed.families.map(encodeEndOfRib)
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
    return [...this.#sent].sort().map(([prefix, key]) => routeIn(prefix, key))
  }

  has(prefix: string): boolean {
    return this.#sent.has(prefix)
  }

  touch(prefixes: Iterable<string>): void {
    for (const prefix of prefixes) this.#changed.add(prefix)
  }

  /** The peer has asked to hear them again; it is told where that begins and ends (RFC 7313). */
  resend(family: Family): readonly Uint8Array[] {
    for (const prefix of this.#sent.keys()) {
      if (familyIn(prefix) !== family) continue
      this.#sent.set(prefix, '')
      this.#changed.add(prefix)
    }
    if (!this.#outlet.agreed.canRefreshEnhanced) return []
    this.#closing.push(encodeRouteRefresh(family, 'end'))
    return [encodeRouteRefresh(family, 'begin')]
  }

  /** Some of what waits; nothing when there is nothing. */
  next(): readonly Uint8Array[] {
    const changes: Change[] = []
    let looked = 0
    for (const prefix of this.#changed) {
      if (looked++ === mostAtOnce) break
      this.#changed.delete(prefix)
      const change = this.#changeOf(prefix)
      if (change !== undefined) changes.push(change)
    }
    const closing = this.#changed.size === 0 ? this.#closing : []
    if (closing.length > 0) this.#closing = []
    return [...this.#messages(changes), ...closing]
  }

  /** Everything at once, before the session ends. */
  withdrawAll(): readonly Uint8Array[] {
    const changes = [...this.#sent.keys()].map((prefix) => ({ prefix, told: undefined }))
    this.#sent.clear()
    this.#changed.clear()
    return this.#messages(changes)
  }

  #messages(changes: readonly Change[]): readonly Uint8Array[] {
    return this.#encodings.messages(changes, this.#kind, this.#outlet)
  }

  /** What the peer has to be told of the prefix; undefined when it knows. */
  #changeOf(prefix: string): Change | undefined {
    const { agreed, nextHops } = this.#outlet
    const family = familyIn(prefix)
    const canBeSent = agreed.families.includes(family) && nextHops[family] !== undefined
    const route = canBeSent ? this.#routes.get(prefix) : undefined
    const key = route && keyOf(route)
    if (key === this.#sent.get(prefix)) return undefined
    if (route === undefined || key === undefined) {
      this.#sent.delete(prefix)
      return { prefix, told: undefined }
    }
    this.#sent.set(prefix, key)
    return { prefix, told: { route, key } }
  }
}

const familyIn = (prefix: string): Family => (prefix.includes(':') ? 'IPv6' : 'IPv4')
