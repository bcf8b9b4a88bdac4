// Bytes that no speaker sends, sealed with the key. The attacker holds the gossip key. Afterwards:
// nothing was thrown, and each node that heard them is alive, sends beats and can be decoded.
// Before: one message pushed a node past what can be decoded.
import { expect, test } from 'vitest'
import { fuzz } from './fuzz/fuzz.ts'
import { messagesUnderTheSeal } from './fuzz/gossipReader.ts'

test('whatever is sealed is read or refused, and the reader goes on', async () => {
  const inputs = 10_000
  const { taken } = await fuzz(messagesUnderTheSeal(), { inputs, seed: 1 })
  expect(taken).toBeGreaterThan(inputs / 10)
})
