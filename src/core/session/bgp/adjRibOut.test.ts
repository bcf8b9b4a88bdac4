import { expect, test } from 'vitest'
import { messagesIn, prefixTexts } from '../../../../test/build/bgpMessages.ts'
import type { Ip } from '../../net/ip.ts'
import { headerBytes } from '../../wire/bgp/header.ts'
import { decodeRouteRefresh } from '../../wire/bgp/routeRefresh.ts'
import { decodeUpdate } from '../../wire/bgp/update.ts'
import { AdjRibOut } from './adjRibOut.ts'
import type { Agreed } from './agreed.ts'
import { Encodings } from './encodings.ts'
import { PeerRoutes, type Route } from './routes.ts'

const agreed: Agreed = {
  peerAsn: 64513,
  peerRouterId: '10.0.0.1' as Ip,
  isInternal: false,
  asSize: 4,
  mostBytes: 4096,
  families: ['IPv4', 'IPv6'],
  holdMs: 90_000,
  keepaliveMs: 30_000,
  canRefresh: true,
  canRefreshEnhanced: true,
  keepsRoutes: false,
  needsHardReset: false,
}
const nextHops = { IPv4: ['10.0.0.9' as Ip], IPv6: ['2001:db8::9' as Ip] }

const route = (prefix: string, given: Partial<Route> = {}): Route => ({
  prefix,
  localPref: undefined,
  communities: [],
  ...given,
})

type Asked = {
  routes: PeerRoutes
  isInternal?: boolean
  hops?: typeof nextHops | object
  style?: 'frr' | 'native'
}
const outOf = (
  { routes, isInternal = false, hops = nextHops, style = 'frr' }: Asked,
  encodings = new Encodings(),
) => {
  const outlet = { agreed: { ...agreed, isInternal }, localAsn: 64512, style, nextHops: hops }
  return new AdjRibOut(routes, outlet, encodings)
}

function routesOf(...all: readonly Route[]): PeerRoutes {
  const routes = new PeerRoutes()
  for (const [at, one] of all.entries()) routes.change(`shop/${at}`, [], [one])
  return routes
}

/** Messages as short text. */
const said = (messages: Uint8Array, isInternal = false): string[] =>
  messagesIn(messages).map((bytes) => {
    const body = bytes.subarray(headerBytes)
    if (bytes[18] === 5) {
      const refresh = decodeRouteRefresh(body)
      return refresh.ok ? `${refresh.value.subtype} of ${refresh.value.family}` : 'bad'
    }
    const read = decodeUpdate(body, { asSize: 4, isInternal })
    if (!read.ok || read.value.errors.length > 0) return 'bad'
    const { announced, withdrawn, endOf } = read.value
    if (endOf !== undefined && prefixTexts(withdrawn).length === 0) return `end of ${endOf}`
    return [
      ...prefixTexts(announced).map((prefix) => `+${prefix}`),
      ...prefixTexts(withdrawn).map((prefix) => `-${prefix}`),
    ].join(' ')
  })

function attributesIn(messages: Uint8Array, isInternal: boolean) {
  const [bytes = new Uint8Array()] = messagesIn(messages)
  const read = decodeUpdate(bytes.subarray(headerBytes), { asSize: 4, isInternal })
  return read.ok ? read.value.attributes : undefined
}

const ends = ['end of IPv4', 'end of IPv6']

test('everything once, equal attributes in one message, and then the end', () => {
  const routes = routesOf(
    route('192.0.2.1/32'),
    route('192.0.2.2/32', { communities: ['64512:1'] }),
    route('192.0.2.3/32'),
    route('2001:db8::1/128'),
  )
  const out = outOf({ routes })
  expect(said(out.next())).toEqual([
    ...['+192.0.2.1/32 +192.0.2.3/32', '+192.0.2.2/32', '+2001:db8::1/128', ...ends],
  ])
  expect(said(out.next())).toEqual([])
  expect([out.sent, out.pending]).toEqual([4, 0])
})

test.each([
  {
    what: 'to another AS',
    isInternal: false,
    attributes: { asPath: [{ type: 'sequence', asns: [64512] }] },
  },
  { what: 'inside the AS', isInternal: true, attributes: { asPath: [], localPref: 100 } },
  {
    what: 'inside it, with a preference',
    isInternal: true,
    given: { localPref: 250 },
    attributes: { asPath: [], localPref: 250 },
  },
  {
    what: 'with communities',
    isInternal: false,
    given: { communities: ['64512:7', 'large:1:2:3'] },
    attributes: {
      asPath: [{ type: 'sequence', asns: [64512] }],
      communities: [64512 * 65536 + 7],
      largeCommunities: [[1, 2, 3]],
    },
  },
  {
    what: '[R8.14] with MED and a longer path',
    isInternal: false,
    given: { med: 50, prepend: 2 },
    attributes: { med: 50, asPath: [{ type: 'sequence', asns: [64512, 64512, 64512] }] },
  },
  {
    what: '[R8.14] inside the AS, where a longer path would be a loop',
    isInternal: true,
    given: { prepend: 2 },
    attributes: { asPath: [], localPref: 100 },
  },
  {
    what: '[R8.15] with link bandwidth',
    isInternal: false,
    given: { endpoints: 3 },
    attributes: {
      asPath: [{ type: 'sequence', asns: [64512] }],
      bandwidth: { asn: 64512, bytesPerSecond: 375_000, isTransitive: true },
    },
  },
])('[R8.8] attributes $what', ({ isInternal, given = {}, attributes }) => {
  const routes = routesOf(route('192.0.2.1/32', given))
  expect(attributesIn(outOf({ routes, isInternal }).next(), isInternal)).toEqual({
    origin: 'IGP',
    med: 0,
    nextHop: '10.0.0.9',
    ...attributes,
  })
})

test.each([
  { isInternal: false, attributes: { asPath: [{ type: 'sequence', asns: [64512] }] } },
  { isInternal: true, attributes: { asPath: [], localPref: 0 } },
])("[M6.5] as MetalLB's own engine: no MED, LOCAL_PREF 0 ($isInternal)", (row) => {
  const { isInternal, attributes } = row
  const out = outOf({ routes: routesOf(route('192.0.2.1/32')), isInternal, style: 'native' })
  const sent = { origin: 'IGP', nextHop: '10.0.0.9', ...attributes }
  expect(attributesIn(out.next(), isInternal)).toEqual(sent)
})

test('[R8.7] a prefix goes with its last holder, and what changes back is not sent', () => {
  const routes = new PeerRoutes()
  const [one] = [route('192.0.2.0/24')]
  const touch = (...change: Parameters<PeerRoutes['change']>) => routes.change(...change)
  const out = outOf({ routes })
  touch('shop/a', [], [one])
  touch('shop/b', [], [one])
  expect(said(out.next())).toEqual(['+192.0.2.0/24', ...ends])
  touch('shop/a', [one], [])
  expect(said(out.next())).toEqual([])
  touch('shop/b', [one], [])
  expect(out.pending).toBe(1)
  touch('shop/b', [], [one])
  expect(said(out.next())).toEqual([])
  touch('shop/b', [one], [])
  expect(said(out.next())).toEqual(['-192.0.2.0/24'])
})

test('[R8.7] holders who ask for different things get all communities and the highest preference', () => {
  const routes = routesOf(
    route('192.0.2.0/24', { communities: ['1:1'], localPref: 50 }),
    route('192.0.2.0/24', { communities: ['1:2'], localPref: 200 }),
    route('192.0.2.0/24'),
  )
  expect(routes.get('192.0.2.0/24')).toEqual(
    route('192.0.2.0/24', { communities: ['1:1', '1:2'], localPref: 200 }),
  )
})

test('[R8.14] holders who ask for different ones get what a router prefers', () => {
  const routes = routesOf(
    route('192.0.2.0/24', { med: 50, prepend: 2, endpoints: 1 }),
    route('192.0.2.0/24', { med: 20, prepend: 3, endpoints: 4 }),
    route('192.0.2.0/24'),
  )
  const all = { med: 20, prepend: 2, endpoints: 4 }
  expect(routes.get('192.0.2.0/24')).toEqual(route('192.0.2.0/24', all))
})

test('[R8.18] IPv4 through an address of IPv6: MP_REACH_NLRI, and no NEXT_HOP', () => {
  const routes = routesOf(route('192.0.2.1/32'))
  const six = ['2001:db8::9' as Ip, 'fe80::9' as Ip]
  const out = outOf({ routes, hops: { IPv4: six, IPv6: six } })
  const [bytes = new Uint8Array()] = messagesIn(out.next())
  const read = decodeUpdate(bytes.subarray(headerBytes), { asSize: 4, isInternal: false })
  expect(read.ok && read.value).toMatchObject({ nextHops: six, errors: [] })
  expect(read.ok && prefixTexts(read.value.announced)).toEqual(['192.0.2.1/32'])
  expect(read.ok && read.value.attributes).not.toHaveProperty('nextHop')
})

test('[R8.8] a family without a next hop is not sent', () => {
  const routes = routesOf(route('192.0.2.1/32'), route('2001:db8::1/128'))
  const out = outOf({ routes, hops: { IPv4: nextHops.IPv4 } })
  expect(said(out.next())).toEqual(['+192.0.2.1/32', ...ends])
})

test('[RFC 7313] a refresh has a beginning and an end', () => {
  const routes = routesOf(route('192.0.2.1/32'), route('2001:db8::1/128'))
  const out = outOf({ routes })
  out.next()
  expect(out.resend('IPv6').flatMap((one) => said(one))).toEqual(['begin of IPv6'])
  expect(said(out.next())).toEqual(['+2001:db8::1/128', 'end of IPv6'])
})

test('[RFC 7313] a refresh before the end of all routes has none: that end stands for it', () => {
  const out = outOf({ routes: routesOf(route('192.0.2.1/32')) })
  expect(out.resend('IPv4')).toEqual([])
  expect(said(out.next())).toEqual(['+192.0.2.1/32', 'end of IPv4', 'end of IPv6'])
})

test('[R8.7] whoever asks while it is being told is told once more, and no more than that', () => {
  const prefixes = Array.from({ length: 5000 }, (_, at) => `10.${at >> 8}.${at & 255}.0/24`)
  const out = outOf({ routes: routesOf(...prefixes.map((prefix) => route(prefix))) })
  const heard: string[] = []
  const ask = () => heard.push(...out.resend('IPv4').flatMap((one) => said(one)))
  // One question before anything was said, and a thousand after each piece of all routes.
  ask()
  for (let piece = 0; !out.isDone; piece++) {
    heard.push(...said(out.next()))
    for (let at = 0; at < 1000 && piece < 2; at++) ask()
  }
  expect(heard.join(' ').match(/\+/g)).toHaveLength(10_000)
  expect(heard.filter((one) => !one.startsWith('+'))).toEqual([
    ...['end of IPv4', 'end of IPv6', 'begin of IPv4', 'end of IPv4'],
  ])
})

test('many go in pieces; a slow peer holds prefixes, not messages', () => {
  const many = Array.from({ length: 5000 }, (_, at) => route(`10.${at >> 8}.${at & 255}.0/24`))
  const routes = routesOf(...many)
  const out = outOf({ routes })
  const first = said(out.next())
  expect(first).not.toContain('end of IPv4')
  expect(out.pending).toBe(3000)
  for (const [at, one] of many.entries()) {
    routes.change(`shop/${at}`, [one], [{ ...one, communities: ['1:1'] }])
  }
  expect(out.pending).toBe(5000)
  const rest = [...Array(4)].flatMap(() => said(out.next()))
  const prefixesIn = (some: readonly string[]) => some.join(' ').match(/\+[\d./]+/g) ?? []
  expect([prefixesIn(first).length, prefixesIn(rest).length]).toEqual([2000, 5000])
  expect(new Set(prefixesIn(rest)).size).toBe(5000)
  expect(rest.at(-1)).toBe('end of IPv6')
})

test('a session that ends leaves nothing behind of what nobody holds any more', () => {
  const routes = routesOf(route('192.0.2.1/32'), route('192.0.2.2/32'))
  const out = outOf({ routes })
  out.next()
  routes.change('shop/0', [route('192.0.2.1/32')], [])
  routes.endTelling()
  expect([...routes.entries].map(({ prefix }) => prefix)).toEqual(['192.0.2.2/32'])
  routes.change('shop/1', [route('192.0.2.2/32')], [])
  expect([...routes.entries, routes.size]).toEqual([0])
  routes.change('shop/1', [], [route('192.0.2.2/32')])
  expect(said(outOf({ routes }).next())).toEqual(['+192.0.2.2/32', ...ends])
})

test('before the session ends all of it is withdrawn', () => {
  const out = outOf({ routes: routesOf(route('192.0.2.1/32'), route('2001:db8::1/128')) })
  out.next()
  expect(said(out.withdrawAll())).toEqual(['-192.0.2.1/32', '-2001:db8::1/128'])
  expect([out.sent, out.pending]).toEqual([0, 0])
})

test('what the peer has is told with its attributes, and nothing that still waits', () => {
  const preferred = route('10.0.0.2/32', {
    ...{ localPref: 0, communities: ['1:2', 'large:1:2:3'] },
    ...{ med: 7, prepend: 1, endpoints: 2 },
  })
  const all = [route('10.0.0.1/32'), preferred]
  const out = outOf({ routes: routesOf(preferred, route('10.0.0.1/32')) })
  expect(out.routes).toEqual([])
  out.next()
  expect(out.routes).toEqual(all)
})

test('what peers of one kind are told is encoded once', () => {
  const encodings = new Encodings()
  const all = [route('10.0.0.1/32'), route('10.0.0.2/32', { communities: ['1:1'] })]
  /** Behind the end of all routes, which each is told on its own. */
  const told = ({ some = all, ...given }: { some?: readonly Route[]; isInternal?: boolean }) => {
    const routes = new PeerRoutes()
    const out = outOf({ routes, ...given }, encodings)
    out.next()
    for (const one of some) routes.change(`shop/${one.prefix}`, [], [{ ...one }])
    return out.next()
  }
  const first = told({})
  expect(told({})).toBe(first)
  // Of another kind, or told something else.
  expect(told({ isInternal: true })).not.toBe(first)
  expect(told({ some: all.slice(0, 1) })).not.toBe(first)
  const preferred = all.map((one) => ({ ...one, localPref: 7 }))
  expect(told({ some: preferred })).not.toBe(first)
  expect(said(told({ isInternal: true }), true)[0]).toContain('10.0.0.1/32')
})

/** 12 bytes each. */
const largeOnes = (count: number) => Array.from({ length: count }, (_, at) => `large:1:2:${at}`)

test.each(['192.0.2.1/32', '2001:db8::1/128'])(
  'attributes that no message has room for: %s is withdrawn, and the rest is told',
  (prefix) => {
    const other = prefix.replace('1/', '2/')
    const routes = routesOf(route(prefix), route(other))
    const out = outOf({ routes })
    out.next()
    const long = route(prefix, { communities: largeOnes(350) })
    routes.change('shop/0', [route(prefix)], [long])
    routes.change('shop/1', [route(other)], [route(other, { med: 7 })])
    expect(said(out.next()).sort()).toEqual([`+${other}`, `-${prefix}`])
    expect([out.has(prefix), out.sent, out.tooLong]).toEqual([false, 1, [prefix]])
    expect(out.routes.map((one) => one.prefix)).toEqual([other])
    routes.change('shop/0', [long], [route(prefix, { communities: largeOnes(63) })])
    expect(said(out.next())).toEqual([`+${prefix}`])
    expect([out.has(prefix), out.sent, out.tooLong]).toEqual([true, 2, []])
  },
)

test('[RFC 4271 §4.1] no message is longer than it may be, however many communities', () => {
  for (let count = 320; count < 345; count++) {
    const communities = largeOnes(count)
    const routes = routesOf(route('192.0.2.1/32', { communities }), route('::/0', { communities }))
    const sent = messagesIn(outOf({ routes }).next())
    expect(Math.max(...sent.map(({ length }) => length))).toBeLessThanOrEqual(4096)
  }
})
