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

/** Two routes of one session with the same key have the same attributes. */
export function keyOf({ localPref, med, prepend, endpoints, communities }: Route): string {
  const numbers = `${localPref ?? ''},${med ?? ''},${prepend ?? ''},${endpoints ?? ''}`
  return communities.length === 0 ? `${numbers} ` : `${numbers} ${communities.join(' ')}`
}

/** What a key stands for. */
export function routeIn(prefix: string, key: string): Route {
  const [numbers = '', ...texts] = key.split(' ')
  const [localPref, med, prepend, endpoints] = numbers
    .split(',')
    .map((text) => (text === '' ? undefined : Number(text)))
  return {
    prefix,
    localPref,
    communities: texts.filter((text) => text !== ''),
    ...(med !== undefined && { med }),
    ...(prepend !== undefined && { prepend }),
    ...(endpoints !== undefined && { endpoints }),
  }
}

export function attributesOf(route: Route, sender: Sender): Attributes {
  const { agreed, localAsn, style, nextHops } = sender
  const { isInternal } = agreed
  const [nextHop] = nextHops
  const med = route.med ?? (style === 'frr' ? 0 : undefined)
  const numbers = route.communities.map((text) => text.split(':'))
  const plain = numbers.filter(({ length }) => length === 2).map((two) => two.map(Number))
  const large = numbers.filter(({ length }) => length === 4).map((four) => four.map(Number))
  return {
    origin: 'IGP',
    asPath: isInternal ? [] : [{ type: 'sequence', asns: asnsOf(route, localAsn) }],
    // One of IPv6 has no place there: MP_REACH_NLRI has it (RFC 8950).
    ...(nextHop !== undefined && isFour(nextHop) && { nextHop }),
    ...(med !== undefined && { med }),
    ...(isInternal && { localPref: route.localPref ?? usualLocalPref[style] }),
    ...(plain.length > 0 && {
      communities: plain.map(([high = 0, low = 0]) => high * 0x10000 + low),
    }),
    ...(large.length > 0 && {
      largeCommunities: large.map(([, one = 0, two = 0, three = 0]) => [one, two, three] as const),
    }),
    ...(route.endpoints !== undefined && {
      bandwidth: {
        asn: localAsn,
        bytesPerSecond: route.endpoints * bytesPerEndpoint,
        isTransitive: !isInternal,
      },
    }),
  }
}

const isFour = (ip: Ip): boolean => familyOf(ip) === 'IPv4'

/** A megabit: only the ratio between nodes counts, and routers show it in megabits. */
const bytesPerEndpoint = 125_000

/** Inside an AS its own number in a path would be taken for a loop. */
const asnsOf = ({ prepend = 0 }: Route, localAsn: number): readonly number[] =>
  Array.from({ length: prepend + 1 }, () => localAsn)
