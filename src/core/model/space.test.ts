import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseIp } from '../net/ip.ts'
import { parseRange } from '../net/range.ts'
import { Space } from './space.ts'

const ip = (text: string) => {
  const result = parseIp(text)
  if (!result.ok) throw new Error(result.why)
  return result.value
}
const space = (avoid: boolean, ...texts: string[]) =>
  new Space(
    texts[0]?.includes(':') ? 'IPv6' : 'IPv4',
    texts.flatMap((text) => {
      const range = parseRange(text)
      return range.ok ? [range.value] : []
    }),
    avoid,
  )

test('[M3.13] ranges count in the order of the pool', () => {
  const pool = space(false, '10.0.1.0/31', '10.0.0.5-10.0.0.6')
  expect([0, 1, 2, 3].map((at) => pool.addressAt(at))).toEqual([
    '10.0.1.0',
    '10.0.1.1',
    '10.0.0.5',
    '10.0.0.6',
  ])
  expect(pool.positionOf(ip('10.0.0.5'))).toBe(2)
  expect(pool.positionOf(ip('10.0.0.7'))).toBeUndefined()
})

test.each([
  ['198.51.100.0/24', 254n],
  ['203.0.113.128/25', 127n],
  ['203.0.113.250-203.0.113.255', 5n],
  ['192.0.2.0/32', 0n],
  ['192.0.3.255-192.0.4.0', 0n],
  ['10.0.0.0/8', 16_777_216n - 2n * 65_536n],
])('[M3.12] %s without the edges has %s addresses', (text, size) => {
  expect(space(true, text).size).toBe(size)
})

test('position and address are each other inverse', () => {
  const pool = space(true, '10.0.0.250-10.0.3.9', '10.9.0.0/22')
  fc.assert(
    fc.property(fc.nat(Number(pool.size) - 1), (at) => {
      const address = pool.addressAt(at)
      expect(pool.positionOf(address)).toBe(at)
      expect(address).not.toMatch(/\.(0|255)$/)
    }),
  )
})

test('a /64 counts like a /28', () => {
  const pool = space(false, '2001:db8::/64')
  expect(pool.size).toBe(1n << 64n)
  expect(pool.addressAt(17)).toBe('2001:db8::11')
})
