import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameOfAddress } from './addressName.ts'
import { contains, overlap, prefixesOf, rangeText } from './intervals.ts'
import { familyOf, fromBigInt, parseIp, toBigInt } from './ip.ts'
import { parsePrefix, parseRange, prefixText, type Range, rangeOf } from './range.ts'

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['255.255.255.255', '255.255.255.255'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['fc00:f853:ccd:e799::', 'fc00:f853:ccd:e799::'],
  ['::', '::'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['1:0:2:0:3:0:4:0', '1:0:2:0:3:0:4:0'],
  ['::ffff:198.51.100.1', '198.51.100.1'],
  ['::FFFF:c633:6401', '198.51.100.1'],
  ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
])('[M12.4] %s is written %s', (text, canonical) => {
  expect(parseIp(text)).toEqual({ ok: true, value: canonical })
})

test.each([
  ['', 'missing'],
  ['10.0.0', '3 parts instead of 4'],
  ['10.0.0.256', '"256" is not 0 to 255'],
  ['10.0.0.01', 'leading zero'],
  ['10.0.0.1 ', 'not an address'],
  ['fe80::1%eth0', 'not an address'],
  ['1::2::3', 'not an address'],
  ['1:2:3:4:5:6:7', 'eight groups'],
  ['1:2:3:4:5:6:7:8::', 'eight groups'],
  ['12345::', 'not an address'],
  ['web', 'not an address'],
])('%j is refused: %s', (text, why) => {
  const result = parseIp(text)
  expect(result.ok ? 'accepted' : result.why).toContain(why)
})

test.each([
  ['198.51.100.10/24', '198.51.100.0-198.51.100.255'],
  ['198.51.100.7/32', '198.51.100.7'],
  ['10.0.0.5 - 10.0.0.9', '10.0.0.5-10.0.0.9'],
  ['2001:db8::/64', '2001:db8::-2001:db8::ffff:ffff:ffff:ffff'],
  ['::ffff:198.51.100.0/120', '198.51.100.0-198.51.100.255'],
  ['0.0.0.0/0', '0.0.0.0-255.255.255.255'],
])('[M1.1] %s means %s', (text, range) => {
  const result = parseRange(text)
  expect(result.ok ? rangeText(result.value) : result.why).toBe(range)
})

test.each([
  ['10.0.0.1', 'no prefix length'],
  ['10.0.0.0/33', 'at most 32 bits'],
  ['10.0.0.0/024', 'not a prefix length'],
  [' 10.0.0.0/24', 'not an address'],
  ['10.0.0.9-10.0.0.5', 'starts after its end'],
  ['10.0.0.9-2001:db8::1', 'goes from IPv4 to IPv6'],
  ['10.0.0.x-10.0.0.9', 'start of'],
  ['10.0.0.1-', 'end of'],
  ['::ffff:0.0.0.0/90', 'at least 96 bits'],
  ['::fffe:ffff:fffe-::1:0:0:10', 'runs into ::ffff:0:0/96'],
  ['::/0', 'runs into ::ffff:0:0/96'],
])('[M8.1] %j is refused: %s', (text, why) => {
  const result = parseRange(text)
  expect(result.ok ? 'accepted' : result.why).toContain(why)
})

test('[R3] the name of an Address object', () => {
  const name = (text: string) => {
    const ip = parseIp(text)
    return ip.ok ? nameOfAddress(ip.value) : ip.why
  }
  expect(name('172.17.0.80')).toBe('172.17.0.80')
  expect(name('fd00:bbbb::80')).toBe('fd00-bbbb-0-0-0-0-0-80')
})

test('[M12.4] a range splits into the fewest prefixes', () => {
  const range = parseRange('10.0.0.10-10.0.0.20')
  const prefixes = range.ok ? prefixesOf(range.value).map(prefixText) : []
  expect(prefixes).toEqual(['10.0.0.10/31', '10.0.0.12/30', '10.0.0.16/30', '10.0.0.20/32'])
})

const v4 = fc.bigInt(0n, (1n << 32n) - 1n).map((value) => fromBigInt('IPv4', value))
const v6 = fc.bigInt(1n << 49n, (1n << 128n) - 1n).map((value) => fromBigInt('IPv6', value))

test('an address round-trips through text and number', () => {
  fc.assert(
    fc.property(fc.oneof(v4, v6), (ip) => {
      expect(parseIp(ip)).toEqual({ ok: true, value: ip })
      expect(fromBigInt(familyOf(ip), toBigInt(ip))).toBe(ip)
    }),
  )
})

test('no text throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f:.\-/ ]*$/)), (text) => {
      parseIp(text)
      parseRange(text)
      parsePrefix(text)
    }),
  )
})

const sizeOf = ({ first, last }: Range): bigint => last - first + 1n

test('the prefixes of a range cover exactly that range', () => {
  fc.assert(
    fc.property(v4, v4, (one, other) => {
      const [first = 0n, last = 0n] = [toBigInt(one), toBigInt(other)].sort((a, b) =>
        a < b ? -1 : 1,
      )
      const range = { family: 'IPv4' as const, first, last }
      const pieces = prefixesOf(range).map(rangeOf)
      expect(pieces.reduce((sum, piece) => sum + sizeOf(piece), 0n)).toBe(sizeOf(range))
      expect(pieces.every((piece) => overlap(piece, range) !== undefined)).toBe(true)
      expect(contains(range, one)).toBe(true)
    }),
  )
})
