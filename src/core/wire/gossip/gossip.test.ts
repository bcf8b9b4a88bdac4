import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toHex } from '../../../../test/build/hex.ts'
import type { Ip } from '../../net/ip.ts'
import { ipFrom, macFrom } from '../../net/octets.ts'
import { prefixAround } from '../../net/range.ts'
import { decodeMessage } from './decodeMessage.ts'
import { encodeMessage } from './encodeMessage.ts'
import { mostLinks, mostSubnets } from './facts.ts'
import type { Facts, Message } from './message.ts'
import { isName, longestLinkName, longestNodeName } from './name.ts'
import { sizeOf, splitMessage } from './size.ts'

const read = (bytes: Uint8Array): Message => {
  const decoded = decodeMessage(bytes)
  if (!decoded.ok) throw new Error(decoded.why)
  return decoded.value
}

const printable = Array.from({ length: 94 }, (_, code) => String.fromCharCode(0x21 + code))
const names = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...printable), minLength: 1, maxLength })
const octets = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const notMapped = (octet: Uint8Array) => octet.length === 4 || (octet[0] ?? 0) > 0
const addresses = fc.oneof(octets(4), octets(16)).filter(notMapped).map(ipFrom)
const subnets = fc
  .tuple(addresses, fc.nat(128))
  .map(([ip, length]) => prefixAround(ip, ip.includes(':') ? length : length % 33))
  .filter(({ family, base }) => family === 'IPv4' || base >> 120n > 0n)
const link = fc.record({
  name: names(longestLinkName),
  mac: octets(6).map(macFrom),
  isUp: fc.boolean(),
  isUsed: fc.boolean(),
  subnets: fc.array(subnets, { maxLength: mostSubnets }),
})
const node = names(longestNodeName)
const incarnation = fc.maxSafeNat()
const version = fc.nat(0xffffffff)
const facts: fc.Arbitrary<Facts> = fc.record({
  node,
  incarnation,
  version,
  endpoint: fc.record({ address: addresses, port: fc.integer({ min: 1, max: 0xffff }) }),
  isReady: fc.boolean(),
  hasApi: fc.boolean(),
  isLeaving: fc.boolean(),
  links: fc.array(link, { maxLength: mostLinks }),
})
const maybeLink = fc.option(names(longestLinkName), { nil: undefined })
const report = fc.record({ node, incarnation, link: maybeLink, isHeard: fc.boolean() })
const state = fc.constantFrom('alive' as const, 'dead' as const, 'left' as const)
const peerState = fc.record({ node, incarnation, version, state })
const sender = { from: node, incarnation }
const messages: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    ...{ ...sender, kind: fc.constant('beat' as const) },
    ...{ sequence: version, link: fc.constant(undefined) },
  }),
  fc.record({
    ...{ ...sender, kind: fc.constant('beat' as const) },
    ...{ sequence: version, link: names(longestLinkName), seen: fc.nat(0xffff) },
  }),
  fc.record({
    ...sender,
    kind: fc.constant('facts' as const),
    facts: fc.array(facts, { maxLength: 5 }),
  }),
  fc.record({ ...sender, kind: fc.constant('reports' as const), reports: fc.array(report) }),
  fc.record({
    ...sender,
    kind: fc.constant('digest' as const),
    wantsReply: fc.boolean(),
    peerStates: fc.array(peerState),
  }),
  fc.record({ ...sender, kind: fc.constant('want' as const), nodes: fc.array(node) }),
)

const beat: Message = {
  from: 'node-1',
  incarnation: 1_790_000_000_000_000,
  kind: 'beat',
  sequence: 258,
  link: undefined,
}

test('a beat is a few bytes', () => {
  expect(toHex(encodeMessage(beat))).toBe('0100066e6f64652d3100065bfeda25e0000000010200')
})

test('what is written is read back', () => {
  fc.assert(fc.property(messages, (one) => void expect(read(encodeMessage(one))).toEqual(one)))
})

test('the size is known before', () => {
  const isExact = (one: Message) => expect(sizeOf(one)).toBe(encodeMessage(one).length)
  fc.assert(fc.property(messages, (one) => void isExact(one)))
})

test('every truncation and every byte too many is refused', () => {
  const isRefused = (message: Message) => {
    const whole = encodeMessage(message)
    for (let length = 0; length < whole.length; length++) {
      expect(decodeMessage(whole.subarray(0, length)).ok).toBe(false)
    }
    expect(decodeMessage(Uint8Array.of(...whole, 0)).ok).toBe(false)
  }
  fc.assert(fc.property(messages, isRefused), { numRuns: 15 })
})

test('no bytes throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void decodeMessage(bytes)))
})

test('no damage to a message throws', () => {
  const damaged = fc.tuple(messages, fc.array(fc.tuple(fc.nat(), fc.nat(255))))
  const isRead = ([message, changes]: [Message, [number, number][]]) => {
    const bytes = encodeMessage(message)
    for (const [at, octet] of changes) bytes[at % bytes.length] = octet
    decodeMessage(bytes)
  }
  fc.assert(fc.property(damaged, isRead))
})

const named = (text: string) => [text.length, ...Array.from(text, (char) => char.charCodeAt(0))]
const from = [...named('a'), 0, 0, 0, 0, 0, 0, 0, 1]
test.each([
  ['another version', [2, 0, ...from, 0, 0, 0, 1, 0], 'version 2'],
  ['another kind', [1, 9, ...from], 'kind 9'],
  ['no name', [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0], 'no sender'],
  ['a name with a zero', [1, 0, 1, 0, ...from.slice(2), 0, 0, 0, 1, 0], 'no sender'],
  ['an incarnation above 2^53', [1, 0, 1, 97, 0, 32, 0, 0, 0, 0, 0, 0], 'no sender'],
  ['a link of 16', [1, 0, ...from, 0, 0, 0, 1, ...named('abcdefghijklmnop')], 'beat with a'],
  ['a count too high', [1, 4, ...from, 255, 255, ...named('b')], 'want with a field out of'],
  ['a third answer', [1, 2, ...from, 0, 1, ...from, 0, 2], 'reports with a field out of bounds'],
  ['a fourth state', [1, 3, ...from, 0, 0, 1, ...from, 0, 0, 0, 0, 3], 'digest with a field'],
])('%s is refused', (_, bytes, why) => {
  expect(decodeMessage(Uint8Array.from(bytes))).toEqual({
    ok: false,
    why: expect.stringContaining(why),
  })
})

test('long lists go out in messages of the size of a datagram, with nothing lost', () => {
  const endpoint = { address: '192.0.2.1' as Ip, port: 7947 }
  const isTrue = { isReady: true, hasApi: true, isLeaving: false }
  const many = Array.from({ length: 200 }, (_, at) => ({
    ...{ node: `node-${at}.example.net`, incarnation: at, version: 1, endpoint, ...isTrue },
    links: [],
  }))
  const parts = splitMessage({ ...beat, kind: 'facts', facts: many })
  expect(parts.length).toBeGreaterThan(1)
  for (const part of parts) expect(encodeMessage(part).length).toBeLessThanOrEqual(1200)
  expect(parts.flatMap((part) => (part.kind === 'facts' ? part.facts : []))).toEqual(many)
})

test('of a long digest only the last part asks for a reply', () => {
  const peerStates = Array.from({ length: 200 }, (_, at) => ({
    ...{ node: `node-${at}.example.net`, incarnation: at, version: 1, state: 'alive' as const },
  }))
  const asks = (wantsReply: boolean) =>
    splitMessage({ ...beat, kind: 'digest', wantsReply, peerStates }).map(
      (part) => part.kind === 'digest' && part.wantsReply,
    )
  expect(asks(true).length).toBeGreaterThan(2)
  expect(asks(true).indexOf(true)).toBe(asks(true).length - 1)
  expect(asks(false)).not.toContain(true)
})

test('any list is split into what fits, but for facts that are too long by themselves', () => {
  const fits = (message: Message) => {
    for (const part of splitMessage(message)) {
      const isOne = part.kind === 'facts' && part.facts.length === 1
      if (!isOne) expect(encodeMessage(part).length).toBeLessThanOrEqual(1200)
    }
  }
  fc.assert(fc.property(messages, fits), { numRuns: 50 })
})

test.each([
  ['node-1', true],
  ['eth0.100', true],
  ['', false],
  ['a b', false],
  ['ü', false],
  ['x'.repeat(16), false],
])('%j is a name of an interface: %s', (text, isOne) => {
  expect(isName(text, longestLinkName)).toBe(isOne)
})
