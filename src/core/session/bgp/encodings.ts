// Which bytes tell a peer of changed routes? Peers of one kind that are told the same at nearly the
// same time are told it in the same bytes: they are encoded once.
import type { Family, Ip } from '../../net/ip.ts'
import { writeRoutes, writeWithdrawn } from '../../wire/bgp/update.ts'
import { Writer } from '../../wire/writer.ts'
import type { Agreed } from './agreed.ts'
import {
  AttributeWriter,
  haveSameAttributes,
  isPlain,
  keyOf,
  type Style,
} from './routeAttributes.ts'
import type { Route } from './routes.ts'

/** Of one session, once it is established. */
export type Outlet = {
  readonly agreed: Agreed
  readonly localAsn: number
  readonly style: Style
  /** Of a family without one nothing is sent. */
  readonly nextHops: Readonly<Partial<Record<Family, readonly Ip[]>>>
}

/** Announced as the route, or withdrawn. */
export type Change = { readonly prefix: string; readonly route: Route | undefined }

/** Two sessions of the same kind are told the same in the same bytes. */
export const kindOf = ({ agreed, localAsn, style, nextHops }: Outlet): string => {
  const { isInternal, asSize, mostBytes } = agreed
  const { IPv4: four = [], IPv6: six = [] } = nextHops
  return [isInternal, asSize, mostBytes, localAsn, style, four.join(), six.join()].join(' ')
}

type Messages = {
  /** One behind the other. */
  readonly bytes: Uint8Array
  /** Prefixes that are withdrawn instead: no message has room for their attributes. */
  readonly tooLong: readonly string[]
}

type Encoded = {
  readonly kind: string
  readonly changes: readonly Change[]
  readonly messages: Messages
}

/** Peers come up, and are told, within a few pieces of one another. */
const mostKept = 8

export class Encodings {
  readonly #recent: Encoded[] = []

  messages(changes: readonly Change[], kind: string, outlet: Outlet): Messages {
    const known = this.#recent.find((one) => one.kind === kind && areSame(one.changes, changes))
    if (known !== undefined) return known.messages
    const messages = encode(changes, outlet)
    this.#recent.push({ kind, changes, messages })
    if (this.#recent.length > mostKept) this.#recent.shift()
    return messages
  }
}

const areSame = (some: readonly Change[], others: readonly Change[]): boolean =>
  some.length === others.length && some.every((one, at) => isSame(one, others[at]))

const isSame = ({ prefix, route }: Change, other: Change | undefined): boolean =>
  prefix === other?.prefix &&
  (route === undefined || other.route === undefined
    ? route === other.route
    : haveSameAttributes(route, other.route))

type Group = { readonly route: Route; readonly prefixes: string[] }

/** Prefixes with equal attributes go into the same messages. */
function encode(changes: readonly Change[], outlet: Outlet): Messages {
  const w = new Writer(4096)
  const tooLong: string[] = []
  const [four, six] = [new Sorted(), new Sorted()]
  for (const change of changes) (isSix(change.prefix) ? six : four).add(change)
  const both = [['IPv4', four] as const, ['IPv6', six] as const]
  for (const [family, { gone }] of both) {
    writeWithdrawn(w, { family, prefixes: gone }, outlet.agreed)
  }
  for (const [family, { groups }] of both) {
    const nextHops = outlet.nextHops[family] ?? []
    const attributes = new AttributeWriter({ ...outlet, nextHops })
    const alike = { family, nextHops, isPlain: isPlain({ nextHops }) }
    for (const { route, prefixes } of groups) {
      const write = (to: Writer) => attributes.write(to, route)
      if (writeRoutes(w, { ...alike, prefixes, write }, outlet.agreed.mostBytes)) continue
      // The peer may have them with other attributes.
      writeWithdrawn(w, { family, prefixes }, outlet.agreed)
      tooLong.push(...prefixes)
    }
  }
  return { bytes: w.done(), tooLong }
}

/** The changes of one family. */
class Sorted {
  readonly gone: string[] = []
  readonly #groups = new Map<string, Group>()
  #last: Group | undefined

  get groups(): Iterable<Group> {
    return this.#groups.values()
  }

  add({ prefix, route }: Change): void {
    if (route === undefined) this.gone.push(prefix)
    else this.#groupOf(route).prefixes.push(prefix)
  }

  /** Mostly that of the one before. */
  #groupOf(route: Route): Group {
    if (this.#last !== undefined && haveSameAttributes(this.#last.route, route)) return this.#last
    const key = keyOf(route)
    const group = this.#groups.get(key) ?? { route, prefixes: [] }
    this.#groups.set(key, group)
    this.#last = group
    return group
  }
}

const isSix = (prefix: string): boolean => prefix.includes(':')
