// Selectors as long as a request has room for. The attacker holds a token of the embedded API for a namespace
// with very many objects. Afterwards: a selector has at most a hundred requirements.
// Before: each object was compared with 20,000 of them: one list of 20,000 objects held up everybody for 3.5 s.
import { expect, onTestFinished, test } from 'vitest'
import { ApiStand } from '../build/apiStand.ts'

const path = '/api/v1/namespaces/shop/configmaps'
const many = (count: number, one: string): string => Array.from({ length: count }, () => one).join()

test.each([
  ['labels', `labelSelector=${many(101, '!a')}`, 400],
  ['fields', `fieldSelector=${many(101, 'metadata.name!=a')}`, 400],
  ['both', `labelSelector=${many(51, '!a')}&fieldSelector=${many(50, 'metadata.name!=a')}`, 400],
  ['no more than are allowed', `labelSelector=${many(100, '!a')}`, 200],
])('%s, of a list, a watch and a deletion', async (_, query, code) => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const ask = async (verb: string, method: string) =>
    (await stand.ask(`${path}?${verb}${query}`, { method, token: 'tenant' })).code
  expect(await ask('', 'GET')).toBe(code)
  expect(await ask('timeoutSeconds=1&watch=1&', 'GET')).toBe(code)
  expect(await ask('', 'DELETE')).toBe(code)
})
