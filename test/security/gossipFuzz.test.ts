// Bytes that no speaker sends, under the seal. The attacker holds the gossip key.
// Afterwards: nothing was thrown, and whoever heard it is alive, beats on and can be decoded.
import { expect, test } from 'vitest'
import { fuzzGossip } from './fuzz/gossipReader.ts'

test('whatever is sealed is read or refused, and the reader goes on', () => {
  const inputs = 10_000
  expect(fuzzGossip({ inputs, seed: 1 }).read).toBeGreaterThan(inputs / 10)
})
