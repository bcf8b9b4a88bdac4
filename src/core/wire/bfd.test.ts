import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromHex, toHex } from '../../../test/build/hex.ts'
import { type Control, decodeControl, encodeControl } from './bfd.ts'

// Captured between FRR 8.4.4 and BIRD 2.0.12, from the first packet to Up.
const frr = { mine: 0xb8367b94, minEchoRxMicros: 50_000 } as const
const bird = { mine: 0xad64272f, minEchoRxMicros: 0 } as const
const both = { diagnostic: 0, isPoll: false, isFinal: false, isDemand: false, multiplier: 3 }
const slow = { minTxMicros: 1_000_000, minRxMicros: 50_000 } as const
const fast = { minTxMicros: 50_000, minRxMicros: 50_000 } as const
const captured: readonly [string, string, Partial<Control>][] = [
  [
    'BIRD begins',
    '20400318ad64272f00000000000f42400000c35000000000',
    { ...bird, ...slow, state: 'Down', yours: 0 },
  ],
  [
    'FRR begins, slow in both directions',
    '20400318b8367b9400000000000f4240000f42400000c350',
    { ...frr, ...slow, minRxMicros: 1_000_000, state: 'Down', yours: 0 },
  ],
  [
    'BIRD has heard FRR',
    '20800318ad64272fb8367b94000f42400000c35000000000',
    { ...bird, ...slow, state: 'Init', yours: frr.mine },
  ],
  [
    'FRR is up and polls',
    '20e00318b8367b94ad64272f0000c3500000c3500000c350',
    { ...frr, ...fast, state: 'Up', yours: bird.mine, isPoll: true },
  ],
  [
    'BIRD answers the poll',
    '20d00318ad64272fb8367b940000c3500000c35000000000',
    { ...bird, ...fast, state: 'Up', yours: frr.mine, isFinal: true },
  ],
  [
    'FRR goes on',
    '20c00318b8367b94ad64272f0000c3500000c3500000c350',
    { ...frr, ...fast, state: 'Up', yours: bird.mine },
  ],
]

test.each(captured)('captured: %s', (_, hex, said) => {
  expect(decodeControl(fromHex(hex))).toEqual({ ok: true, value: { ...both, ...said } })
  expect(toHex(encodeControl({ ...both, ...bird, ...slow, ...said } as Control))).toBe(hex)
})

const up = '20c00318b8367b94ad64272f0000c3500000c3500000c350'
const changed = (at: number, octets: string): string =>
  `${up.slice(0, at * 2)}${octets}${up.slice(at * 2 + octets.length)}`

test.each([
  ['version 0', changed(0, '00'), 'version 0'],
  ['version 2', changed(0, '40'), 'version 2'],
  ['a length that is too small', changed(3, '17'), 'length 23 in 24 bytes'],
  ['a length past the end', changed(3, '19'), 'length 25 in 24 bytes'],
  ['authentication without room for it', changed(1, 'c4'), 'length 24 in 24 bytes'],
  ['multiplier 0', changed(2, '00'), 'detect multiplier 0'],
  ['multipoint', changed(1, 'c1'), 'multipoint bit set'],
  ['no discriminator', changed(4, '00000000'), 'my discriminator 0'],
  ['Up, and does not know us', changed(8, '00000000'), 'your discriminator 0 while Up'],
  [
    'Init, and does not know us',
    changed(8, '00000000').replace('20c0', '2080'),
    'your discriminator 0 while Init',
  ],
  [
    'authentication, which we have not',
    `${changed(3, '1a').replace('20c0', '20c4')}0103`,
    'authenticated',
  ],
])('[RFC 5880 6.8.6] refused: %s', (_, hex, why) => {
  expect(decodeControl(fromHex(hex))).toEqual({ ok: false, why })
})

test('what follows the packet is ignored', () => {
  expect(decodeControl(fromHex(`${up}ffff`))).toEqual(decodeControl(fromHex(up)))
})

test('every truncation is refused', () => {
  for (let length = 0; length < 24; length++) {
    expect(decodeControl(fromHex(up).slice(0, length)).ok).toBe(false)
  }
})

test('no bytes throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      decodeControl(bytes)
    }),
  )
})

const u32 = fc.integer({ min: 1, max: 0xffff_ffff })
const control: fc.Arbitrary<Control> = fc.record({
  diagnostic: fc.integer({ min: 0, max: 31 }),
  state: fc.constantFrom('AdminDown', 'Down', 'Init', 'Up'),
  ...{ isPoll: fc.boolean(), isFinal: fc.boolean(), isDemand: fc.boolean() },
  multiplier: fc.integer({ min: 1, max: 255 }),
  ...{ mine: u32, yours: u32, minTxMicros: u32, minRxMicros: u32, minEchoRxMicros: u32 },
})

test('what is written is read', () => {
  fc.assert(
    fc.property(control, (value) => {
      expect(decodeControl(encodeControl(value))).toEqual({ ok: true, value })
    }),
  )
})
