import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromHex, toHex } from '../../../test/build/hex.ts'
import type { Ip } from '../net/ip.ts'
import type { Mac } from '../net/mac.ts'
import { ipFrom, macFrom } from '../net/octets.ts'
import { decodeNdp, encodeNdp, groupMac, type Ndp, solicitedNode, unspecified } from './ndp.ts'
import { ndpAnnouncement, ndpAnswer, ndpProbe } from './ndpAnswers.ts'

// From Linux 6.18: a solicitation with its link-layer address, the answer, and duplicate address
// detection with a nonce (RFC 7527).
const asked =
  '3333ff000002f6407c15990986dd6000000000203aff20010db8000000000000000000000001ff020000000000000000' +
  '0001ff000002870012c80000000020010db80000000000000000000000020101f6407c159909'
const answered =
  'f6407c1599091a1503c3b12c86dd6000000000203aff20010db800000000000000000000000220010db8000000000000' +
  '0000000000018800bd6e6000000020010db800000000000000000000000202011a1503c3b12c'
const detecting =
  '3333ff0000021a1503c3b12c86dd6000000000203aff00000000000000000000000000000000ff020000000000000000' +
  '0001ff000002870057b30000000020010db80000000000000000000000020e012de9286690df'

const mac = '1a:15:03:c3:b1:2c' as Mac
const ip = '2001:db8::2' as Ip

const read = (hex: string): Ndp => {
  const decoded = decodeNdp(fromHex(hex))
  if (!decoded.ok) throw new Error(decoded.why)
  return decoded.value
}

test('a solicitation from the kernel', () => {
  expect(read(asked)).toEqual({
    kind: 'solicitation',
    destinationMac: '33:33:ff:00:00:02',
    sourceMac: 'f6:40:7c:15:99:09',
    destination: 'ff02::1:ff00:2',
    source: '2001:db8::1',
    target: ip,
    linkLayer: 'f6:40:7c:15:99:09',
  })
})

test("[M5.5] our answer equals the kernel's", () => {
  expect(toHex(encodeNdp(ndpAnswer(read(asked), mac)))).toBe(answered)
})

test("[M12.2] a solicitation without a link-layer address is answered to the frame's source", () => {
  const answer = ndpAnswer({ ...read(asked), linkLayer: undefined }, mac)
  expect(answer).toMatchObject({ destinationMac: 'f6:40:7c:15:99:09', destination: '2001:db8::1' })
})

test('[M12.2] a host without an address is answered through all-nodes', () => {
  const answer = ndpAnswer(read(detecting), mac)
  expect(answer).toMatchObject({ destination: 'ff02::1', isSolicited: false, isOverride: true })
})

test('the solicited-node group and its MAC', () => {
  expect(solicitedNode('2001:db8::a:bcde:f012' as Ip)).toBe('ff02::1:ffde:f012')
  expect(groupMac('ff02::1:ffde:f012' as Ip)).toBe('33:33:ff:de:f0:12')
})

test('a probe has no source address and goes to the group', () => {
  const probe = read(toHex(encodeNdp(ndpProbe(ip, mac))))
  expect(probe).toMatchObject({ source: unspecified, destination: 'ff02::1:ff00:2', target: ip })
})

test('an announcement overrides', () => {
  const said = read(toHex(encodeNdp(ndpAnnouncement(ip, mac))))
  expect(said).toMatchObject({ isSolicited: false, isOverride: true, linkLayer: mac })
})

const changed = (hex: string, at: number, byte: number): Uint8Array => {
  const bytes = fromHex(hex)
  bytes[at] = byte
  return bytes
}

test.each([
  ['a lower hop limit', changed(asked, 21, 64), /^hop limit 64/],
  ['a wrong checksum', changed(asked, 56, 0), 'wrong checksum'],
  ['another message', changed(asked, 54, 133), 'type 133'],
  ['another protocol', changed(asked, 20, 17), 'not ICMPv6'],
  ['a code', changed(asked, 55, 1), 'code 1'],
])('%s is refused', (_, bytes, why) => {
  const expected = typeof why === 'string' ? why : expect.stringMatching(why)
  expect(decodeNdp(bytes)).toEqual({ ok: false, why: expected })
})

const solicitation = read(asked)
test.each<[string, Ndp, string]>([
  ['a group as target', { ...solicitation, target: 'ff02::1' as Ip }, 'multicast target'],
  [
    'no source, to one address',
    { ...read(detecting), destination: ip },
    'no source address, and not to a solicited-node group',
  ],
  [
    'no source, but a link-layer address',
    { ...read(detecting), linkLayer: mac },
    'no source address, but its link-layer address',
  ],
  [
    'solicited, to a group',
    { ...ndpAnnouncement(ip, mac), kind: 'advertisement', isSolicited: true, isOverride: true },
    'solicited, but to a group',
  ],
])('[RFC 4861 §7.1] refused: %s', (_, ndp, why) => {
  expect(decodeNdp(encodeNdp(ndp))).toEqual({ ok: false, why })
})

test('an option of length 0 or a truncated one is refused', () => {
  // The checksum covers the option, so it is adjusted by the difference.
  const none = changed(asked, 79, 0)
  none[57] = (none[57] ?? 0) + 1
  expect(decodeNdp(none)).toEqual({ ok: false, why: 'option of length 0' })
  const long = changed(asked, 79, 2)
  long[57] = (long[57] ?? 0) - 1
  expect(decodeNdp(long)).toEqual({ ok: false, why: 'truncated option' })
})

test('every truncation is refused', () => {
  const whole = fromHex(asked)
  for (let length = 0; length < whole.length; length++) {
    expect(decodeNdp(whole.subarray(0, length)).ok).toBe(false)
  }
})

const octets = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const unicast = octets(15).map((rest) => ipFrom(Uint8Array.from([0x20, ...rest])))
const common = {
  destinationMac: octets(6).map(macFrom),
  sourceMac: octets(6).map(macFrom),
  destination: unicast,
  source: unicast,
  target: unicast,
  linkLayer: fc.option(octets(6).map(macFrom), { nil: undefined }),
}
const flags = { isSolicited: fc.boolean(), isOverride: fc.boolean() }
const messages: fc.Arbitrary<Ndp> = fc.oneof(
  fc.record({ ...common, kind: fc.constant('solicitation' as const) }),
  fc.record({ ...common, kind: fc.constant('advertisement' as const), ...flags }),
)

test('an encoded frame decodes to itself', () => {
  const isSame = (ndp: Ndp) => void expect(read(toHex(encodeNdp(ndp)))).toEqual(ndp)
  fc.assert(fc.property(messages, isSame))
})

test('no input throws', () => {
  const mutated = fc.tuple(fc.constant(fromHex(asked)), fc.nat(85), fc.nat(255)).map((change) => {
    const [bytes, at, byte] = change
    const copy = bytes.slice()
    copy[at] = byte
    return copy
  })
  const any = fc.oneof(fc.uint8Array({ maxLength: 120 }), mutated)
  fc.assert(fc.property(any, (bytes) => void decodeNdp(bytes)))
})
