import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toHex } from '../../../test/build/hex.ts'
import type { Ip } from '../net/ip.ts'
import type { Mac } from '../net/mac.ts'
import { decodeEcho, encodeEcho } from './bfdEcho.ts'

const frame = encodeEcho({
  from: '02:00:00:10:00:11' as Mac,
  to: '02:00:00:10:00:01' as Mac,
  address: '10.10.0.11' as Ip,
  discriminator: 0xdecade,
  number: 7,
})

/** As a router gives it back. */
function forwarded(ttl = 254): Uint8Array {
  const bytes = frame.slice()
  bytes[22] = ttl
  return bytes
}

test('the frame is addressed to the peer, and the packet to ourselves', () => {
  expect(toHex(frame)).toBe(
    '020000100001020000100011080045c0002400000000ff1' +
      '1a6df0a0a000b0a0a000bc0000ec90010000000decade00000007',
  )
})

test('[R8.11] what a router gave back over one hop is ours', () => {
  expect(decodeEcho(forwarded())).toEqual({ address: '10.10.0.11', discriminator: 0xdecade })
})

test.each([
  { what: 'what we send', bytes: frame },
  { what: 'one from afar', bytes: forwarded(253) },
  { what: 'one that is cut', bytes: forwarded().slice(0, 45) },
])('$what is not', ({ bytes }) => {
  expect(decodeEcho(bytes)).toBeUndefined()
})

test('no bytes throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      decodeEcho(bytes)
    }),
  )
})
