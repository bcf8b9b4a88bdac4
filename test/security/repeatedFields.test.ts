// Fields that are repeated, or unknown, below a field with a name of a megabyte. The attacker holds a token
// of the embedded API for a namespace. Afterwards: at most a hundred of them are named, each in part.
// Before: each was named with its whole path: a body of 1 MB with 1,000 of them held up everybody for a minute,
// and with some more of them ended the program, out of memory.
import { expect, onTestFinished, test } from 'vitest'
import { duplicateFields } from '../../src/edge/store/http/duplicateFields.ts'
import { ApiStand } from '../build/apiStand.ts'

const path = '/api/v1/namespaces/default/configmaps'
const long = 'x'.repeat(1_000_000)
const twice = (count: number): string =>
  Array.from({ length: count }, (_, at) => `"${at}":1,"${at}":1`).join()
const below = (name: string, count: number): string =>
  `{"metadata":{"name":"a"},"${name}":{${twice(count)}}}`

test('repeated fields are named up to a hundred, and as far as a person reads', () => {
  const found = duplicateFields(below(long, 300))
  expect(found.length).toBeLessThanOrEqual(100)
  expect(Math.max(...found.map(({ length }) => length))).toBeLessThanOrEqual(2_000)
  expect(duplicateFields(below('data', 300)).slice(0, 2)).toEqual(['data.0', 'data.1'])
})

test('one that is repeated a hundred thousand times is named once', () => {
  const all = Array.from({ length: 100_000 }, () => '"a":1').join()
  expect(duplicateFields(`{"data":{${all},"b":1,"b":2}}`)).toEqual(['data.a', 'data.b'])
})

test.each(['Strict', 'Warn'])('the answer is short: %s', async (validation) => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const unknown = Array.from({ length: 100_000 }, (_, at) => [`unknown${at}`, 1])
  const body = below(long, 300).replace(
    '{',
    `{${JSON.stringify(Object.fromEntries(unknown)).slice(1, -1)},`,
  )
  const options = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } } as const
  const answer = await stand.ask(`${path}?fieldValidation=${validation}`, options)
  expect(answer.code).toBe(validation === 'Strict' ? 400 : 201)
  expect(answer.text.length).toBeLessThan(500_000)
  expect((await stand.ask(path)).code).toBe(200)
})
