import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compress, decompress } from './lz.ts'

function isKept(bytes: Uint8Array): boolean {
  const unpacked = new Uint8Array(bytes.length)
  decompress(compress(bytes), unpacked)
  return Buffer.compare(unpacked, bytes) === 0
}

test('whatever is packed comes out again', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000, size: 'max' }), (bytes) => {
      expect(isKept(bytes)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('also what repeats itself, from near and from far', () => {
  const piece = fc.constantFrom('a', 'abc', '"name":"', '}}', '0123456789'.repeat(40))
  const text = fc.array(piece, { maxLength: 400, size: 'max' }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, (one) => {
      expect(isKept(Buffer.from(one))).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test.each([
  { what: 'nothing', bytes: Buffer.alloc(0), most: 1 },
  { what: 'a little', bytes: Buffer.from('{"a":1}'), most: 8 },
  { what: 'one byte many times', bytes: Buffer.alloc(300_000, 'x'), most: 1300 },
  {
    what: 'a line many times',
    bytes: Buffer.from('{"kind":"ConfigMap"}\n'.repeat(800)),
    most: 130,
  },
  {
    what: 'the same again, too far away',
    bytes: Buffer.concat([
      Buffer.from('0123456789abcdef'),
      Buffer.alloc(70_000),
      Buffer.from('0123456789abcdef0123'),
    ]),
    most: 400,
  },
  {
    what: 'no repetition',
    bytes: Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919 * at) % 127)),
    most: 20_200,
  },
  {
    what: 'numbers',
    bytes: Buffer.from(Array.from({ length: 900 }, (_, at) => (at * at * 7919) % 9973).join(' ')),
    most: 2800,
  },
  { what: 'text that is no ASCII', bytes: Buffer.from('äöü港口地址 '.repeat(3)), most: 40 },
  {
    what: 'no text at all',
    bytes: Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919 * at) % 251)),
    most: 40_000,
  },
])('$what: $bytes.length bytes in no more than $most', ({ bytes, most }) => {
  expect(isKept(bytes)).toBe(true)
  expect(compress(bytes).length).toBeLessThanOrEqual(most)
})
