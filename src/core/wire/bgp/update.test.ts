import fc from 'fast-check'
import { expect, test } from 'vitest'
import { messagesIn, prefixTexts } from '../../../../test/build/bgpMessages.ts'
import { fromHex, toHex } from '../../../../test/build/hex.ts'
import { bitsOf, type Family, type Ip } from '../../net/ip.ts'
import { prefixText } from '../../net/range.ts'
import { Writer } from '../writer.ts'
import type { AsSize } from './asPath.ts'
import type { Attributes } from './attributes.ts'
import { writeCommon, writeMarks } from './attributesOut.ts'
import { headerBytes, mostBytes } from './header.ts'
import { decodeUpdate, encodeEndOfRib, type Update, writeRoutes, writeWithdrawn } from './update.ts'

const context = { asSize: 4, isInternal: false } as const
type Packing = { readonly mostBytes: number; readonly asSize: AsSize }
const packing: Packing = { mostBytes: mostBytes.usual, asSize: 4 }

function read(hex: string, isInternal = false): Update {
  const update = decodeUpdate(fromHex(hex), { ...context, isInternal })
  if (!update.ok) throw new Error(`${update.notice.code}/${update.notice.subcode}`)
  return update.value
}

// What FRR 8.4.4 and BIRD 2.0.12 sent to a node of the lab: the bodies, behind length and type.
const frrFour = '0000 0019 40010100 5002000a02020000fc010000fc00 4003040a0a000c 200a320001'
const frrSix =
  '0000004c 900e0036 00020120 fd100010000000000000000000000001 fe80000000000000000000fffe100001' +
  ' 00 80fd100050000000000000000000000001 40010100 5002000a02020000fc010000fc00'
const birdEnd = '00000006 800f03000201'
const hexOf = (text: string): string => text.replaceAll(' ', '')

test('a route of FRR', () => {
  const { announced, attributes, errors } = read(hexOf(frrFour))
  expect(prefixTexts(announced)).toEqual(['10.50.0.1/32'])
  expect(attributes).toEqual({
    origin: 'IGP',
    asPath: [{ type: 'sequence', asns: [64513, 64512] }],
    nextHop: '10.10.0.12',
  })
  expect(errors).toEqual([])
})

test('a route of FRR for IPv6, with both next hops', () => {
  const { announced, nextHops } = read(hexOf(frrSix))
  expect(prefixTexts(announced)).toEqual(['fd10:50::1/128'])
  expect(nextHops).toEqual(['fd10:10::1', 'fe80::ff:fe10:1'])
})

test('the end of all routes, of BIRD and of us', () => {
  expect(read(hexOf(birdEnd)).endOf).toBe('IPv6')
  for (const family of ['IPv4', 'IPv6'] as const) {
    expect(read(toHex(encodeEndOfRib(family).subarray(headerBytes))).endOf).toBe(family)
  }
})

const origin = '40010100'
const path = '400206 0201 0000fc00'
const hop = '400304 0a0a000c'
const route = '200a320001'
const update = (attributes: string, nlri = route): string => {
  const inner = hexOf(attributes)
  return `0000${(inner.length / 2).toString(16).padStart(4, '0')}${inner}${nlri}`
}

/** RFC 7606: the session lives, the routes count as withdrawn. */
test.each([
  ['ORIGIN 3', `40010103 ${path} ${hop}`, 'ORIGIN is malformed'],
  ['ORIGIN of two octets', `4001020000 ${path} ${hop}`, 'ORIGIN is malformed'],
  ['no ORIGIN', `${path} ${hop}`, 'ORIGIN is missing'],
  ['no AS_PATH', `${origin} ${hop}`, 'AS_PATH is missing'],
  ['no NEXT_HOP', `${origin} ${path}`, 'NEXT_HOP is missing'],
  ['a segment that is not known', `${origin} 400206 0901 0000fc00 ${hop}`, 'AS_PATH is malformed'],
  ['a segment that is empty', `${origin} 400202 0200 ${hop}`, 'AS_PATH is malformed'],
  ['a segment that is cut', `${origin} 400206 0202 0000fc00 ${hop}`, 'AS_PATH is malformed'],
  ['NEXT_HOP of three octets', `${origin} ${path} 400303 0a0a00`, 'NEXT_HOP is malformed'],
  ['MED of three octets', `${origin} ${path} ${hop} 800403 000000`, 'MULTI_EXIT_DISC is malformed'],
  ['COMMUNITIES of five octets', `${origin} ${path} ${hop} c00805 0000000000`, 'COMMUNITIES is'],
  ['no COMMUNITIES in COMMUNITIES', `${origin} ${path} ${hop} c00800`, 'COMMUNITIES is malformed'],
  ['large ones of four octets', `${origin} ${path} ${hop} c02004 00000000`, 'LARGE_COMMUNITY is'],
  ['extended ones of four octets', `${origin} ${path} ${hop} c01004 00000000`, 'EXTENDED COMM'],
  ['an optional ORIGIN', `c0010100 ${path} ${hop}`, 'ORIGIN has wrong flags'],
  ['an attribute past the end', `${origin} ${path} ${hop} 8004ff`, 'longer than all of them'],
])('%s withdraws the routes', (_, attributes, why) => {
  const { announced, withdrawn, errors } = read(update(attributes))
  expect([announced, prefixTexts(withdrawn)]).toEqual([[], ['10.50.0.1/32']])
  expect(errors.join()).toContain(why)
})

const good = `${origin} ${path} ${hop}`
test.each([
  ['ATOMIC_AGGREGATE with a value', `${good} 40060100`, 'ATOMIC_AGGREGATE is malformed'],
  ['AGGREGATOR of six octets', `${good} c00706 000000000000`, 'AGGREGATOR is malformed'],
  ['LOCAL_PREF of another AS', `${good} 40050400000064`, 'LOCAL_PREF from another AS'],
  ['CLUSTER_LIST of another AS', `${good} 800a0400000064`, 'CLUSTER_LIST from another AS'],
  ['ORIGIN for the second time', `${good} 40010102`, 'ORIGIN for the second time'],
])('%s is left out', (_, attributes, why) => {
  const { announced, attributes: read_, errors, discarded } = read(update(attributes))
  expect(prefixTexts(announced)).toEqual(['10.50.0.1/32'])
  expect([read_.origin, read_.localPref, errors]).toEqual(['IGP', undefined, []])
  expect(discarded.join()).toContain(why)
})

test.each([
  ['attributes longer than the message', '0000ffff', '3/1'],
  ['withdrawn routes longer than the message', 'ffff0000', '3/1'],
  ['MP_REACH_NLRI twice', update(`${good} 800e04 00020100 800e04 00020100`), '3/1'],
  ['a well-known attribute that is not known', update(`${good} 406300`), '3/2'],
  ['a prefix of 33 bits', update(good, '210a32000100'), '3/10'],
  ['a prefix that is cut', update(good, '200a3200'), '3/10'],
  ['a next hop of five octets', update('800e0b 0002010500000000000000'), '3/9'],
  ['MP_REACH_NLRI without a next hop', update('800e03 000201'), '3/9'],
  ['MP_REACH_NLRI with 129 bits', update(`800e16 000201 10${'00'.repeat(16)} 00 81`), '3/9'],
])('%s ends the session', (_, hex, code) => {
  const refused = decodeUpdate(fromHex(hexOf(hex)), context)
  expect(refused.ok ? 'ok' : `${refused.notice.code}/${refused.notice.subcode}`).toBe(code)
})

test('[RFC 4271 §6.3] a well-known attribute that is not known is sent back, as it came', () => {
  const body = fromHex(hexOf(update(`${good} 406303 0a0b0c 40010100`)))
  expect(decodeUpdate(body, context)).toMatchObject({
    ok: false,
    notice: { code: 3, subcode: 2, data: fromHex('4063030a0b0c') },
  })
})

test('a family that nobody agreed on is passed over', () => {
  const vpn = '800e09 000180 04 0a000001 00'
  expect(prefixTexts(read(update(`${good} ${vpn}`)).announced)).toHaveLength(1)
})

test('bits behind the length of a prefix mean nothing', () => {
  expect(prefixTexts(read(update(good, '0aff ff'.replace(' ', ''))).announced)).toEqual([
    '255.192.0.0/10',
  ])
})

test('every truncation of what stands in a message is refused or withdrawn', () => {
  for (const whole of [frrFour, frrSix, birdEnd].map((text) => fromHex(hexOf(text)))) {
    for (let length = 0; length < whole.length; length++) {
      const cut = decodeUpdate(whole.slice(0, length), context)
      expect(cut.ok && prefixTexts(cut.value.announced).length > 0).toBe(false)
    }
  }
})

const anyPrefix = (family: Family) =>
  fc
    .record({
      value: fc.bigInt(0n, (1n << BigInt(bitsOf(family))) - 1n),
      length: fc.integer({ min: 0, max: bitsOf(family) }),
    })
    .map(({ value, length }) => {
      const spare = BigInt(bitsOf(family) - length)
      return { family, base: (value >> spare) << spare, length }
    })
const anyWord = fc.integer({ min: 0, max: 0xffffffff })
const anyAttributes: fc.Arbitrary<Attributes> = fc.record({
  origin: fc.constantFrom('IGP', 'EGP', 'INCOMPLETE'),
  asPath: fc.array(
    fc.record({
      type: fc.constantFrom('set', 'sequence'),
      asns: fc.array(anyWord, { minLength: 1, maxLength: 255 }),
    }),
    { maxLength: 2 },
  ),
  med: anyWord,
  localPref: anyWord,
  communities: fc.array(anyWord, { minLength: 1, maxLength: 63 }),
  largeCommunities: fc.array(fc.tuple(anyWord, anyWord, anyWord), { minLength: 1, maxLength: 63 }),
  bandwidth: fc.record({
    asn: fc.integer({ min: 0, max: 0xffff }),
    bytesPerSecond: fc.integer({ min: 0, max: 1000 }).map((count) => count * 125_000),
    isTransitive: fc.boolean(),
  }),
})

type Announced = Pick<Parameters<typeof writeRoutes>[1], 'family' | 'prefixes' | 'nextHops'> & {
  readonly attributes: Attributes
}
function announcedIn({ attributes, ...routes }: Announced, by: Packing) {
  const w = new Writer()
  const write = (to: Writer): void => {
    writeCommon(to, attributes, by.asSize)
    writeMarks(to, attributes, by.asSize)
  }
  const isPlain = attributes.nextHop !== undefined
  writeRoutes(w, { ...routes, write, isPlain }, by.mostBytes)
  return messagesIn(w.done())
}

const internal = { asSize: 4, isInternal: true } as const

test.each([
  { family: 'IPv4', nextHops: ['192.0.2.1'] },
  { family: 'IPv6', nextHops: ['2001:db8::1', 'fe80::1'] },
] as const)('what is encoded is what is read: $family', ({ family, nextHops }) => {
  const all = fc.record({
    attributes: anyAttributes,
    prefixes: fc.array(anyPrefix(family), { minLength: 1, maxLength: 500 }),
  })
  fc.assert(
    fc.property(all, ({ attributes: given, prefixes }) => {
      const hops = nextHops.map((text) => text as Ip)
      const [nextHop] = hops
      const attributes = family === 'IPv4' && nextHop ? { ...given, nextHop } : given
      const texts = prefixes.map(prefixText)
      const announced = { family, prefixes: texts, attributes, nextHops: hops }
      const sent = announcedIn(announced, packing)
      expect(sent.every(({ length }) => length <= packing.mostBytes)).toBe(true)
      const back = sent.map((bytes) => decodeUpdate(bytes.subarray(headerBytes), internal))
      const values = back.flatMap((one) => (one.ok ? [one.value] : []))
      expect(values.flatMap((one) => prefixTexts(one.announced))).toEqual(texts)
      for (const value of values) {
        expect([value.attributes, value.errors]).toEqual([attributes, []])
        if (family === 'IPv6') expect(value.nextHops).toEqual(hops)
      }
      const w = new Writer()
      writeWithdrawn(w, { family, prefixes: texts }, packing)
      const withdrawn = messagesIn(w.done())
      expect(withdrawn.every(({ length }) => length <= packing.mostBytes)).toBe(true)
      const gone = withdrawn
        .map((bytes) => decodeUpdate(bytes.subarray(headerBytes), internal))
        .flatMap((one) => (one.ok ? prefixTexts(one.value.withdrawn) : []))
      expect(gone).toEqual(texts)
    }),
    { numRuns: 50 },
  )
})

test('MP_REACH_NLRI comes first, and messages are filled', () => {
  const prefixes = Array.from({ length: 1000 }, (_, at) => `2001:db8:${at.toString(16)}::/48`)
  const nextHops = ['2001:db8::1' as Ip]
  const sent = announcedIn(
    { family: 'IPv6', prefixes, attributes: { origin: 'IGP', asPath: [] }, nextHops },
    packing,
  )
  expect(toHex(sent[0]?.subarray(23, 25) ?? new Uint8Array())).toBe('900e')
  expect(sent).toHaveLength(2)
  expect(sent[0]?.length).toBeGreaterThan(4080)
})

test('a peer without four octets gets the true numbers beside AS_TRANS (RFC 6793)', () => {
  const attributes = { origin: 'IGP', asPath: [{ type: 'sequence', asns: [70000] }] } as const
  const [bytes = new Uint8Array()] = announcedIn(
    { family: 'IPv4', prefixes: ['192.0.2.0/24'], attributes, nextHops: [] },
    { ...packing, asSize: 2 },
  )
  expect(toHex(bytes)).toContain('40020402015ba0c01106020100011170')
})

test('no bytes throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      decodeUpdate(bytes, context)
      decodeUpdate(Uint8Array.of(0, 0, 0, bytes.length, ...bytes), context)
      decodeUpdate(
        Uint8Array.of(0, 0, 0, bytes.length + 3, 0x80, 14, bytes.length, ...bytes),
        context,
      )
    }),
    { numRuns: 2000 },
  )
})
