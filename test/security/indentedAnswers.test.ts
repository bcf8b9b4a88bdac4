// Indented answers, on each of thousands of connections. The attacker holds a token of the embedded API for a
// namespace. Afterwards: an answer that is longer than what is sent of any other at a time is not indented.
// Before: each of up to 4 MiB was indented in one go and held as a whole, so that a thousand of them held up
// everybody for half a minute and took gigabytes.
import { expect, onTestFinished, test } from 'vitest'
import { ApiStand } from '../build/apiStand.ts'

test.each([
  ['a short one is', 1_000, true],
  ['a long one is not', 10_000, false],
  ['one that is long with its indentation is not', 4_000, false],
])('%s indented', async (_, count, isIndented) => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const managedFields = Array.from({ length: count }, () => ({ a: 1 }))
  await stand.put('configmaps', { metadata: { name: 'a', namespace: 'shop', managedFields } })
  const path = '/api/v1/namespaces/shop/configmaps/a?pretty=true'
  const { code, text, json } = await stand.ask(path, { token: 'tenant' })
  expect(code).toBe(200)
  expect(json.metadata.managedFields).toHaveLength(count)
  expect(text.includes('\n  "metadata": {')).toBe(isIndented)
})
