// Unexpected input to everything that reads from a network. The attacker needs only access to a segment
// or a port, or the place of a router or an API server. Afterwards: each input was accepted or refused,
// and nothing was thrown. `make soak` tries millions; what it finds is kept beside.
// Before: prevented.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { kinds } from '../../src/edge/kube/kinds.ts'
import { fromHex } from '../build/hex.ts'
import { decoders } from './fuzz/decoders.ts'
import { fuzz, readOrTell } from './fuzz/fuzz.ts'
import { objectTemplates } from './fuzz/objectDecoders.ts'

type Find = { readonly decoder: string; readonly hex: string }
const finds: readonly Find[] = JSON.parse(
  readFileSync(new URL('fuzz/finds.json', import.meta.url), 'utf8'),
)

test.each(decoders)('$name: as it should be', async (decoder) => {
  for (const template of decoder.templates) await readOrTell(decoder, template)
})

test.each(decoders)('$name: damaged', async (decoder) => {
  const { inputs, taken } = await fuzz(decoder, { inputs: 2_000, seed: 1 })
  // Else something in front refuses all of it, and what is behind was not tried.
  expect(taken).toBeGreaterThan(inputs / 100)
})

test('every kind that anything is decided from is among the objects', () => {
  const decided = kinds.filter((row) => row.decode !== undefined).map(({ kind }) => kind)
  const given = new Set(objectTemplates.map((one) => Object(one)['kind']))
  expect(decided.filter((kind) => !given.has(kind))).toEqual([])
})

test.each(finds)('a find of $decoder: $hex', async ({ decoder, hex }) => {
  const one = decoders.find(({ name }) => name === decoder)
  if (one === undefined) throw new Error(`no decoder ${decoder}`)
  await readOrTell(one, fromHex(hex))
})
