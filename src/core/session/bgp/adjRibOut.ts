// What has one peer yet to be told? A set of changed prefixes, however often each has changed: what
// goes out is what holds when there is room for it (RFC 4271 §3.2).
import type { Family, Ip } from '../../net/ip.ts'
import { type Prefix, parsePrefix } from '../../net/range.ts'
import { encodeRouteRefresh } from '../../wire/bgp/routeRefresh.ts'
import {
  encodeAnnounced,
  encodeEndOfRib,
  encodeWithdrawn,
  type Packing,
} from '../../wire/bgp/update.ts'
import type { Agreed } from './agreed.ts'
import { attributesOf, keyOf, routeIn, type Style } from './routeAttributes.ts'
import type { PeerRoutes, Route } from './routes.ts'

/** Of one session, once it is established. */
export type Outlet = {
  readonly agreed: Agreed
  readonly localAsn: number
  readonly style: Style
  /** Of a family without one nothing is sent. */
  readonly nextHops: Readonly<Partial<Record<Family, readonly Ip[]>>>
}

/** In one piece, so that timers and other peers come in between. */
const mostAtOnce = 2_000

export class AdjRibOut {
  readonly #routes: PeerRoutes
  readonly #outlet: Outlet
  readonly #changed: Set<string>
  /** What the peer has, by prefix: the attributes it has it with. */
  readonly #sent = new Map<string, string>()
  /** What is said once nothing is left to be told. */
  #closing: Uint8Array[]

  /** All routes, and then that these were all (RFC 4724 §2). */
  constructor(routes: PeerRoutes, outlet: Outlet) {
    this.#routes = routes
    this.#outlet = outlet
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
    const batch = new Batch()
    for (const prefix of this.#changed) {
      if (batch.size === mostAtOnce) break
      batch.size++
      this.#changed.delete(prefix)
      this.#decide(prefix, batch)
    }
    const closing = this.#changed.size === 0 ? this.#closing : []
    if (closing.length > 0) this.#closing = []
    return [...batch.messages(this.#outlet), ...closing]
  }

  /** Everything at once, before the session ends. */
  withdrawAll(): readonly Uint8Array[] {
    const batch = new Batch()
    for (const prefix of this.#sent.keys()) batch.withdraw(prefix)
    this.#sent.clear()
    this.#changed.clear()
    return batch.messages(this.#outlet)
  }

  #decide(prefix: string, batch: Batch): void {
    const { agreed, nextHops } = this.#outlet
    const family = familyIn(prefix)
    const canBeSent = agreed.families.includes(family) && nextHops[family] !== undefined
    const route = canBeSent ? this.#routes.get(prefix) : undefined
    const key = route && keyOf(route)
    if (key === this.#sent.get(prefix)) return
    if (route === undefined || key === undefined) {
      this.#sent.delete(prefix)
      batch.withdraw(prefix)
    } else {
      this.#sent.set(prefix, key)
      batch.announce(route, key)
    }
  }
}

type Group = { readonly route: Route; readonly family: Family; readonly prefixes: Prefix[] }

/** Prefixes with equal attributes go into the same messages. */
class Batch {
  size = 0
  readonly #gone: Record<Family, Prefix[]> = { IPv4: [], IPv6: [] }
  readonly #groups = new Map<string, Group>()

  withdraw(text: string): void {
    const prefix = parsePrefix(text)
    if (prefix.ok) this.#gone[prefix.value.family].push(prefix.value)
  }

  announce(route: Route, key: string): void {
    const prefix = parsePrefix(route.prefix)
    if (!prefix.ok) return
    const { family } = prefix.value
    const group = this.#groups.get(`${family} ${key}`)
    if (group) group.prefixes.push(prefix.value)
    else this.#groups.set(`${family} ${key}`, { route, family, prefixes: [prefix.value] })
  }

  messages(outlet: Outlet): readonly Uint8Array[] {
    const packing: Packing = outlet.agreed
    const gone = (['IPv4', 'IPv6'] as const).flatMap((family) =>
      encodeWithdrawn(family, this.#gone[family], packing),
    )
    const announced = [...this.#groups.values()].flatMap(({ route, family, prefixes }) => {
      const nextHops = outlet.nextHops[family] ?? []
      const attributes = attributesOf(route, { ...outlet, family, nextHops })
      return encodeAnnounced({ family, prefixes, attributes, nextHops }, packing)
    })
    return [...gone, ...announced]
  }
}

const familyIn = (prefix: string): Family => (prefix.includes(':') ? 'IPv6' : 'IPv4')
