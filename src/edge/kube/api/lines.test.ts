import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from './fault.ts'
import { linesOf } from './lines.ts'

async function* inPieces(text: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  let from = 0
  for (const size of sizes) {
    yield bytes.subarray(from, from + size)
    from += size
  }
  yield bytes.subarray(from)
}
const lines = (text: string, sizes: readonly number[] = [], maxBytes?: number) =>
  Array.fromAsync(linesOf(inPieces(text, sizes), maxBytes))

test('lines do not depend on how the bytes are split', async () => {
  const words = fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replaceAll('\n', '')))
  await fc.assert(
    fc.asyncProperty(words, fc.array(fc.nat(9)), async (written, sizes) => {
      const text = written.map((line) => `${line}\n`).join('')
      expect(await lines(text, sizes)).toEqual(written.filter((line) => line !== ''))
    }),
  )
})

test('a truncated or overlong line is a Fault', async () => {
  await expect(lines('a\nb')).rejects.toThrow('truncated after 1 byte')
  expect(await lines('aaaa\nbbbb\n', [3], 4)).toEqual(['aaaa', 'bbbb'])
  await expect(lines('a\nbbbbb\n', [], 4)).rejects.toThrow('longer than 4 bytes')
  await expect(lines('a\nbbbbb', [3, 1], 4)).rejects.toThrow(Fault)
})
