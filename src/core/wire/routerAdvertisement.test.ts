import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ip } from '../net/ip.ts'
import type { Mac } from '../net/mac.ts'
import {
  decodeAdvertisement,
  encodeAdvertisement,
  encodeSolicitation,
} from './routerAdvertisement.ts'

const own = { mac: '02:00:00:00:00:01' as Mac, address: 'fe80::ff:fe00:1' as Ip }
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

// Sent by FRR 8.4.4 on an interface with a neighbour.
const fromFrr =
  '333300000001328ee145b06886dd60007e1300183afffe80000000000000308ee1fffe45b068' +
  'ff0200000000000000000000000000018600b58f4000001e00000000000000000101328ee145b068'

test('[R8.18] who advertises itself is found again', () => {
  expect(decodeAdvertisement(encodeAdvertisement(own))).toEqual({ ok: true, value: own.address })
  const captured = decodeAdvertisement(Buffer.from(fromFrr, 'hex'))
  expect(captured).toEqual({ ok: true, value: 'fe80::308e:e1ff:fe45:b068' })
})

test('[R8.18] nobody takes us for a way out: the lifetime is 0', () => {
  const frame = encodeAdvertisement(own)
  expect(hex(frame.subarray(0, 14))).toBe('33330000000102000000000186dd')
  // Hop limit, flags and lifetime, then two timers, then our address on the link.
  expect(hex(frame.subarray(58))).toBe('000000000000000000000000' + '0101020000000001')
})

test.each([
  { what: 'a solicitation', frame: encodeSolicitation(own) },
  { what: 'one that came through a router', frame: changed(21, 64) },
  { what: 'a wrong checksum', frame: changed(60, 1) },
  { what: 'a source of another network', frame: changed(22, 0x20) },
  { what: 'a code', frame: changed(55, 1) },
])('$what is none', ({ frame }) => {
  expect(decodeAdvertisement(frame).ok).toBe(false)
})

function changed(at: number, value: number): Uint8Array {
  const frame = encodeAdvertisement(own)
  frame[at] = value
  return frame
}

test('every truncation is refused, and no bytes throw', () => {
  const frame = encodeAdvertisement(own)
  for (let length = 0; length < frame.length; length++) {
    expect(decodeAdvertisement(frame.subarray(0, length)).ok).toBe(false)
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(typeof decodeAdvertisement(bytes).ok).toBe('boolean')
    }),
  )
})
