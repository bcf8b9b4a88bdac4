// Which messages are tried on GoBGP? Any routes that a Service could have, as our sessions send them,
// and any UPDATE of a router.
import fc from 'fast-check'
import { fromBigInt, type Ip } from '../../../src/core/net/ip.ts'
import { prefixAround, prefixText } from '../../../src/core/net/range.ts'
import type { Agreed } from '../../../src/core/session/bgp/agreed.ts'
import {
  type Change,
  Encodings,
  kindOf,
  type Outlet,
} from '../../../src/core/session/bgp/encodings.ts'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import { messagesIn } from '../../build/bgpMessages.ts'

/** As the oracle has it. */
export type Told = {
  readonly announced: readonly string[]
  readonly withdrawn: readonly string[]
  readonly nextHops: readonly string[]
  /** -1: none. */
  readonly origin: number
  readonly asPath: readonly number[]
  readonly med?: number
  readonly localPref?: number
  readonly communities: readonly number[]
  readonly large: readonly (readonly number[])[]
  readonly bandwidth?: number
  /** AS numbers of two octets. */
  readonly short: boolean
}

const u32 = fc.nat({ max: 0xffff_fffe })
const u16 = fc.nat({ max: 0xffff })
const four = u32.map((value) => fromBigInt('IPv4', BigInt(value)))
// Not an IPv4 address in disguise, nor one of a link.
const six = fc
  .bigInt({ min: 0n, max: (1n << 125n) - 1n })
  .map((value) => fromBigInt('IPv6', (1n << 125n) | value))
const linkLocal = fc
  .bigInt({ min: 1n, max: (1n << 64n) - 1n })
  .map((value) => fromBigInt('IPv6', (0xfe80n << 112n) | value))

const prefixOf = (ip: fc.Arbitrary<Ip>, bits: number) =>
  fc.tuple(ip, fc.nat({ max: bits })).map(([one, length]) => prefixText(prefixAround(one, length)))
const uniquePrefixes = (ip: fc.Arbitrary<Ip>, bits: number) =>
  fc.uniqueArray(prefixOf(ip, bits), { minLength: 1, maxLength: 30 })
const prefixes = fc.oneof(uniquePrefixes(four, 32), uniquePrefixes(six, 128))

const community = fc.tuple(u16, u16).map((two) => two.join(':'))
const large = fc.tuple(u32, u32, u32).map((three) => `large:${three.join(':')}`)
const communities = fc
  .uniqueArray(fc.oneof(community, large), { maxLength: 63 })
  .map((all) => all.toSorted())
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined })

type Sent = { readonly bytes: Uint8Array; readonly expected: Told }

/** A session, one set of attributes and the prefixes that have it. */
export const sent = fc
  .record({
    prefixes,
    withdrawn: fc.boolean(),
    isInternal: fc.boolean(),
    localAsn: fc.oneof(
      fc.integer({ min: 1, max: 0xffff }),
      fc.integer({ min: 1, max: 0xffff_fffe }),
    ),
    isLong: fc.boolean(),
    nextHops: fc.record({ IPv4: four, IPv6: six, beside: maybe(linkLocal) }),
    localPref: maybe(u32),
    med: maybe(u32),
    prepend: maybe(fc.integer({ min: 1, max: 10 })),
    endpoints: maybe(fc.integer({ min: 1, max: 500 })),
    communities,
  })
  .map((given): Sent => {
    const { nextHops: hops, isInternal, localAsn } = given
    const agreed: Agreed = {
      ...{ peerAsn: 64513, peerRouterId: '10.0.0.1' as Ip, isInternal, asSize: 4 },
      ...{ mostBytes: given.isLong ? 65_535 : 4096, families: ['IPv4', 'IPv6'] },
      ...{ holdMs: 0, keepaliveMs: 0, canRefresh: true, canRefreshEnhanced: true },
      ...{ keepsRoutes: false, needsHardReset: false },
    }
    const sixHops = hops.beside === undefined ? [hops.IPv6] : [hops.IPv6, hops.beside]
    const nextHops = { IPv4: [hops.IPv4], IPv6: sixHops }
    const outlet: Outlet = { agreed, localAsn, style: 'frr', nextHops }
    const changes = given.prefixes.map(
      (prefix): Change => ({
        prefix,
        route: given.withdrawn ? undefined : routeOf(prefix, given),
      }),
    )
    const { bytes: sent } = new Encodings().messages(changes, kindOf(outlet), outlet)
    const [bytes, ...more] = messagesIn(sent)
    if (bytes === undefined || more.length > 0) throw new Error('so few fit into one message')
    return { bytes, expected: expectedOf(given, outlet) }
  })

type Given = {
  readonly prefixes: readonly string[]
  readonly withdrawn: boolean
  readonly localPref: number | undefined
  readonly med: number | undefined
  readonly prepend: number | undefined
  readonly endpoints: number | undefined
  readonly communities: readonly string[]
}

function routeOf(
  prefix: string,
  { localPref, med, prepend, endpoints, communities }: Given,
): Route {
  return {
    ...{ prefix, localPref, communities },
    ...(med !== undefined && { med }),
    ...(prepend !== undefined && { prepend }),
    ...(endpoints !== undefined && { endpoints }),
  }
}

const nothing: Told = {
  ...{ announced: [], withdrawn: [], nextHops: [], origin: -1, asPath: [] },
  ...{ communities: [], large: [], short: false },
}

/** Stated here from RFC 4271, and not by our own code. */
function expectedOf(given: Given, { agreed, localAsn, nextHops }: Outlet): Told {
  if (given.withdrawn) return { ...nothing, withdrawn: given.prefixes }
  const isSix = given.prefixes[0]?.includes(':') === true
  const numbers = given.communities.map((text) => text.replace('large:', '').split(':').map(Number))
  return {
    announced: given.prefixes,
    withdrawn: [],
    nextHops: nextHops[isSix ? 'IPv6' : 'IPv4'] ?? [],
    origin: 0,
    asPath: agreed.isInternal ? [] : Array(1 + (given.prepend ?? 0)).fill(localAsn),
    med: given.med ?? 0,
    ...(agreed.isInternal && { localPref: given.localPref ?? 100 }),
    communities: numbers
      .filter(({ length }) => length === 2)
      .map(([high = 0, low = 0]) => high * 65_536 + low),
    large: numbers.filter(({ length }) => length === 3),
    ...(given.endpoints !== undefined && { bandwidth: given.endpoints * 125_000 }),
    short: false,
  }
}

/** An UPDATE as a router might send it. */
export const heard: fc.Arbitrary<Told> = fc
  .record({
    prefixes,
    isWithdrawn: fc.boolean(),
    four,
    six,
    beside: maybe(linkLocal),
    origin: fc.nat({ max: 2 }),
    asPath: fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 1, maxLength: 20 }),
    long: fc.array(fc.integer({ min: 1, max: 0xffff_fffe }), { minLength: 1, maxLength: 20 }),
    med: maybe(u32),
    localPref: maybe(u32),
    communities: fc.uniqueArray(u32, { maxLength: 40 }),
    large: fc.uniqueArray(fc.tuple(u32, u32, u32), { maxLength: 20, selector: String }),
    short: fc.boolean(),
  })
  .map((given): Told => {
    if (given.isWithdrawn) return { ...nothing, withdrawn: given.prefixes }
    const isSix = given.prefixes[0]?.includes(':') === true
    const sixHops = given.beside === undefined ? [given.six] : [given.six, given.beside]
    return {
      announced: given.prefixes,
      withdrawn: [],
      nextHops: isSix ? sixHops : [given.four],
      ...{ origin: given.origin, asPath: given.short ? given.asPath : given.long },
      ...(given.med !== undefined && { med: given.med }),
      ...(given.localPref !== undefined && { localPref: given.localPref }),
      ...{ communities: given.communities, large: given.large, short: given.short },
    }
  })
