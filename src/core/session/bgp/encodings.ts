// Which bytes tell a peer of changed routes? Peers of one kind that are told the same at nearly the
// same time are told it in the same bytes: they are encoded once.
import type { Family, Ip } from '../../net/ip.ts'
import { prefixOctets } from '../../wire/bgp/prefixes.ts'
import { encodeAnnounced, encodeWithdrawn } from '../../wire/bgp/update.ts'
import type { Agreed } from './agreed.ts'
import { attributesOf, type Style } from './routeAttributes.ts'
import type { Route } from './routes.ts'

/** Of one session, once it is established. */
export type Outlet = {
  readonly agreed: Agreed
  readonly localAsn: number
  readonly style: Style
  /** Of a family without one nothing is sent. */
  readonly nextHops: Readonly<Partial<Record<Family, readonly Ip[]>>>
}

/** Announced with the attributes that the key stands for, or withdrawn. */
export type Change = {
  readonly prefix: string
  readonly told: { readonly route: Route; readonly key: string } | undefined
}

/** Two sessions of the same kind are told the same in the same bytes. */
export const kindOf = ({ agreed, localAsn, style, nextHops }: Outlet): string => {
  const { isInternal, asSize, mostBytes } = agreed
  const { IPv4: four = [], IPv6: six = [] } = nextHops
  return [isInternal, asSize, mostBytes, localAsn, style, four.join(), six.join()].join(' ')
}

type Encoded = {
  readonly kind: string
  readonly changes: readonly Change[]
  readonly messages: readonly Uint8Array[]
}

/** Peers come up, and are told, within a few pieces of one another. */
const mostKept = 8

export class Encodings {
  readonly #recent: Encoded[] = []

  messages(changes: readonly Change[], kind: string, outlet: Outlet): readonly Uint8Array[] {
    if (changes.length === 0) return []
    const known = this.#recent.find((one) => one.kind === kind && areSame(one.changes, changes))
    if (known !== undefined) return known.messages
    const messages = encode(changes, outlet)
    this.#recent.push({ kind, changes, messages })
    if (this.#recent.length > mostKept) this.#recent.shift()
    return messages
  }
}

const areSame = (some: readonly Change[], others: readonly Change[]): boolean =>
  some.length === others.length &&
  some.every(({ prefix, told }, at) => {
    const other = others[at]
    return prefix === other?.prefix && told?.key === other.told?.key
  })

type Group = { readonly route: Route; readonly family: Family; readonly prefixes: Uint8Array[] }

/** Prefixes with equal attributes go into the same messages. */
function encode(changes: readonly Change[], outlet: Outlet): readonly Uint8Array[] {
  const gone: Record<Family, Uint8Array[]> = { IPv4: [], IPv6: [] }
  const groups: Record<Family, Map<string, Group>> = { IPv4: new Map(), IPv6: new Map() }
  for (const { prefix: text, told } of changes) {
    const octets = prefixOctets(text)
    if (octets === undefined) continue
    const family = text.includes(':') ? 'IPv6' : 'IPv4'
    if (told === undefined) gone[family].push(octets)
    else {
      const group = groups[family].get(told.key)
      if (group) group.prefixes.push(octets)
      else groups[family].set(told.key, { route: told.route, family, prefixes: [octets] })
    }
  }
  const withdrawn = (['IPv4', 'IPv6'] as const).flatMap((family) =>
    encodeWithdrawn(family, gone[family], outlet.agreed),
  )
  const announced = [...groups.IPv4.values(), ...groups.IPv6.values()].flatMap((group) => {
    const nextHops = outlet.nextHops[group.family] ?? []
    const attributes = attributesOf(group.route, { ...outlet, nextHops })
    return encodeAnnounced({ ...group, attributes, nextHops }, outlet.agreed)
  })
  return [...withdrawn, ...announced]
}
