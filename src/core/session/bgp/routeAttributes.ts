// With which attributes does a route go out? Those that FRR sends under MetalLB's configuration, or
// those of MetalLB's own engine: routers that prefer one over the other would not spread traffic.
import type { Family, Ip } from '../../net/ip.ts'
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
  readonly family: Family
  readonly nextHops: readonly Ip[]
}

/** Two routes of one session with the same key have the same attributes. */
export const keyOf = ({ localPref, communities }: Route): string =>
  `${localPref ?? 'usual'} ${communities.join(' ')}`

/** What a key stands for. */
export function routeIn(prefix: string, key: string): Route {
  const [localPref = '', ...communities] = key.split(' ').filter((text) => text !== '')
  const number = Number.parseInt(localPref, 10)
  return { prefix, localPref: Number.isNaN(number) ? undefined : number, communities }
}

export function attributesOf(route: Route, sender: Sender): Attributes {
  const { agreed, localAsn, style, family, nextHops } = sender
  const { isInternal } = agreed
  const [nextHop] = nextHops
  const numbers = route.communities.map((text) => text.split(':'))
  const plain = numbers.filter(({ length }) => length === 2).map((two) => two.map(Number))
  const large = numbers.filter(({ length }) => length === 4).map((four) => four.map(Number))
  return {
    origin: 'IGP',
    asPath: isInternal ? [] : [{ type: 'sequence', asns: [localAsn] }],
    ...(family === 'IPv4' && nextHop !== undefined && { nextHop }),
    ...(style === 'frr' && { med: 0 }),
    ...(isInternal && { localPref: route.localPref ?? usualLocalPref[style] }),
    ...(plain.length > 0 && {
      communities: plain.map(([high = 0, low = 0]) => high * 0x10000 + low),
    }),
    ...(large.length > 0 && {
      largeCommunities: large.map(([, one = 0, two = 0, three = 0]) => [one, two, three] as const),
    }),
  }
}
