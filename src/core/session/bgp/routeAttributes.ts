// With which attributes does a route go out? Those that FRR sends under MetalLB's configuration, or
// those of MetalLB's own engine: routers that prefer one over the other would not spread traffic.
import { familyOf, type Ip } from '../../net/ip.ts'
import type { Attributes } from '../../wire/bgp/attributes.ts'
import { writeCommon, writeMarks } from '../../wire/bgp/attributesOut.ts'
import { Writer } from '../../wire/writer.ts'
import type { Agreed } from './agreed.ts'
import type { Route } from './routes.ts'

/** `frr`: MED 0, and LOCAL_PREF 100 where none is asked for; `native`: no MED, and 0 (M6.5). */
export type Style = 'frr' | 'native'

const usualLocalPref: Readonly<Record<Style, number>> = { frr: 100, native: 0 }

type Sender = {
  readonly agreed: Agreed
  readonly localAsn: number
  readonly style: Style
  readonly nextHops: readonly Ip[]
}

/** Whether two routes of one session go out with the same attributes. */
export const haveSameAttributes = (one: Route, other: Route): boolean =>
  one === other ||
  (one.localPref === other.localPref &&
    one.med === other.med &&
    one.prepend === other.prepend &&
    one.endpoints === other.endpoints &&
    areSame(one.communities, other.communities))

const areSame = (some: readonly string[], others: readonly string[]): boolean =>
  some === others ||
  (some.length === others.length && some.every((text, at) => text === others[at]))

/** The same text for routes that have the same attributes. */
export function keyOf({ localPref, med, prepend, endpoints, communities }: Route): string {
  const numbers = `${localPref ?? ''},${med ?? ''},${prepend ?? ''},${endpoints ?? ''}`
  return communities.length === 0 ? numbers : `${numbers} ${communities.join(' ')}`
}

/** Writes the attributes of one route after the other, to one peer. */
export class AttributeWriter {
  readonly #sender: Sender
  /** What the route before had in common with others, and its bytes: mostly that of the next. */
  #last: Route | undefined
  #common: Uint8Array = new Uint8Array()

  constructor(sender: Sender) {
    this.#sender = sender
  }

  write(w: Writer, route: Route): void {
    const { localAsn, agreed } = this.#sender
    if (this.#last === undefined || !isCommon(this.#last, route)) this.#encode(route)
    w.bytes(this.#common)
    const { communities, endpoints } = route
    const isLongAsn = agreed.asSize === 2 && localAsn > 0xffff
    if (communities.length === 0 && endpoints === undefined && !isLongAsn) return
    writeMarks(w, marksOf(route, this.#sender), agreed.asSize)
  }

  #encode(route: Route): void {
    const w = new Writer(64)
    writeCommon(w, commonOf(route, this.#sender), this.#sender.agreed.asSize)
    this.#last = route
    this.#common = w.done()
  }
}

const isCommon = (one: Route, other: Route): boolean =>
  one.localPref === other.localPref && one.med === other.med && one.prepend === other.prepend

type Draft = { -readonly [Name in keyof Attributes]: Attributes[Name] }

function commonOf(route: Route, { agreed, localAsn, style, nextHops }: Sender): Attributes {
  const { isInternal } = agreed
  const { med = style === 'frr' ? 0 : undefined } = route
  const [nextHop] = nextHops
  const attributes: Draft = { origin: 'IGP', asPath: asPathOf(route, isInternal, localAsn) }
  // One of IPv6 has no place there: MP_REACH_NLRI has it (RFC 8950).
  if (nextHop !== undefined && isFour(nextHop)) attributes.nextHop = nextHop
  if (med !== undefined) attributes.med = med
  if (isInternal) attributes.localPref = route.localPref ?? usualLocalPref[style]
  return attributes
}

function marksOf(route: Route, { agreed, localAsn }: Sender): Attributes {
  const { isInternal } = agreed
  const { endpoints } = route
  const attributes: Draft = communitiesOf(route)
  attributes.asPath = asPathOf(route, isInternal, localAsn)
  if (endpoints !== undefined) {
    const bytesPerSecond = endpoints * bytesPerEndpoint
    attributes.bandwidth = { asn: localAsn, bytesPerSecond, isTransitive: !isInternal }
  }
  return attributes
}

function communitiesOf({ communities }: Route): Draft {
  const [plain, large]: [number[], [number, number, number][]] = [[], []]
  for (const text of communities) {
    const number = plainIn(text)
    if (number !== undefined) plain.push(number)
    else {
      const [, first, second, third] = text.split(':')
      large.push([Number(first), Number(second), Number(third)])
    }
  }
  const draft: Draft = {}
  if (plain.length > 0) draft.communities = plain
  if (large.length > 0) draft.largeCommunities = large
  return draft
}

/** a:b as one number, digit by digit: thousands are told at once. Undefined for a large one. */
function plainIn(text: string): number | undefined {
  let [first, value] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - zero
    if (digit >= 0 && digit <= 9) value = value * 10 + digit
    else if (digit !== colon) return undefined
    else {
      first = value
      value = 0
    }
  }
  return first * 0x10000 + value
}

const [zero, colon] = [48, 10] as const

const isFour = (ip: Ip): boolean => familyOf(ip) === 'IPv4'

/** Whether the next hop stands among the attributes. */
export const isPlain = ({ nextHops }: Pick<Sender, 'nextHops'>): boolean =>
  nextHops[0] !== undefined && isFour(nextHops[0])

/** A megabit: only the ratio between nodes counts, and routers show it in megabits. */
const bytesPerEndpoint = 125_000

/** Inside an AS its own number in a path would be taken for a loop. */
function asPathOf({ prepend = 0 }: Route, isInternal: boolean, localAsn: number): Segments {
  if (isInternal) return []
  return [{ type: 'sequence', asns: new Array<number>(prepend + 1).fill(localAsn) }]
}

type Segments = NonNullable<Attributes['asPath']>
