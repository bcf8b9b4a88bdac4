// Proves that what could not be asked on the wire is said, and is no answer.
import { expect, test } from 'vitest'
import { ip } from '../../../../../test/build/announcing.ts'
import { answersOnWire } from './wire.ts'

test('an address on no link of this host is not asked for', async () => {
  const { answers, why } = await answersOnWire([ip('127.0.0.1')])
  expect([answers.size, why]).toEqual([0, expect.stringMatching(/no link of this host|\bip\b/)])
})
