// An object that is wrong in thousands of ways. The attacker holds a token of the embedded API.
// Afterwards: the answer is readable and of limited length.
// Before: the answer had a warning for each.
import { expect, onTestFinished, test } from 'vitest'
import { ApiStand } from '../build/apiStand.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const filled = (count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`.padEnd(length, 'x'), 1]))

test.each([
  [20_000, 10],
  [300, 5000],
])('%i unknown fields with names of %i letters', async (count, length) => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
  const body = { ...object, ...filled(count, length) }
  const ask = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } } as const
  const warned = await stand.ask(`${maps}?fieldValidation=Warn`, ask)
  expect(warned.code).toBe(201)
  expect(String(warned.headers['warning']).length).toBeLessThan(6000)
  const refused = await stand.ask(`${maps}?fieldValidation=Strict`, ask)
  expect(refused.code).toBeGreaterThanOrEqual(400)
  expect((await stand.ask('/api/v1/namespaces/default/configmaps/a')).code).toBe(200)
})

test.each([
  ['values of the wrong type', filled(100_000, 6)],
  [
    'keys that are none',
    Object.fromEntries(Object.keys(filled(100_000, 6)).map((key) => [`${key} /`, ''])),
  ],
  ['a key that is none, of a megabyte', { ['/'.repeat(1_000_000)]: '' }],
])('100,000 %s are answered with the first hundred', async (_, data) => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
  const body = { ...object, data }
  const ask = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } } as const
  const refused = await stand.ask(maps, ask)
  expect(refused.code).toBeGreaterThanOrEqual(400)
  expect(refused.text.length).toBeLessThan(100_000)
})
