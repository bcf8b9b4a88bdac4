// With which attributes does a route go out? Those that FRR sends under MetalLB's configuration, or
// those of MetalLB's own engine: routers that prefer one over the other would not spread traffic.
import { familyOf, type Ip } from '../../net/ip.ts'
import type { Attributes } from '../../wire/bgp/attributes.ts'
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

export function attributesOf(route: Route, sender: Sender): Attributes {
  const { agreed, localAsn, style, nextHops } = sender
  const { isInternal } = agreed
  const { med = style === 'frr' ? 0 : undefined, endpoints } = route
  const [nextHop] = nextHops
  const asPath = isInternal ? [] : [{ type: 'sequence' as const, asns: asnsOf(route, localAsn) }]
  const attributes: Draft = { origin: 'IGP', asPath, ...communitiesOf(route) }
  // One of IPv6 has no place there: MP_REACH_NLRI has it (RFC 8950).
  if (nextHop !== undefined && isFour(nextHop)) attributes.nextHop = nextHop
  if (med !== undefined) attributes.med = med
  if (isInternal) attributes.localPref = route.localPref ?? usualLocalPref[style]
  if (endpoints !== undefined) {
    const bytesPerSecond = endpoints * bytesPerEndpoint
    attributes.bandwidth = { asn: localAsn, bytesPerSecond, isTransitive: !isInternal }
  }
  return attributes
}

type Draft = { -readonly [Name in keyof Attributes]: Attributes[Name] }

function communitiesOf({ communities }: Route): Draft {
  if (communities.length === 0) return {}
  const [plain, large]: [number[], [number, number, number][]] = [[], []]
  for (const text of communities) {
    const [first = '', second = '', third, fourth = ''] = text.split(':')
    if (third === undefined) plain.push(Number(first) * 0x10000 + Number(second))
    else large.push([Number(second), Number(third), Number(fourth)])
  }
  return {
    ...(plain.length > 0 && { communities: plain }),
    ...(large.length > 0 && { largeCommunities: large }),
  }
}

const isFour = (ip: Ip): boolean => familyOf(ip) === 'IPv4'

/** A megabit: only the ratio between nodes counts, and routers show it in megabits. */
const bytesPerEndpoint = 125_000

/** Inside an AS its own number in a path would be taken for a loop. */
const asnsOf = ({ prepend = 0 }: Route, localAsn: number): readonly number[] =>
  new Array<number>(prepend + 1).fill(localAsn)
