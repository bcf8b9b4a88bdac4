// Thousands of field managers of one object. The attacker holds a token of the embedded API for a
// namespace. Afterwards: an object has at most a thousand, and a write takes time that grows with what
// they own together.
// Before: 26,000 of them held up the event loop for 26 seconds, and every later write for another 2.
import { expect, onTestFinished, test } from 'vitest'
import { ApiStand } from '../build/apiStand.ts'

const many = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at))
const maps = '/api/v1/namespaces/default/configmaps'
const json = { 'Content-Type': 'application/json' }

const manager = (operation: string) => (at: number) => ({
  ...{ manager: `m${at}`, operation, apiVersion: 'v1', fieldsType: 'FieldsV1' },
  fieldsV1: { 'f:data': { [`f:${at}`]: {} } },
})

async function whole(): Promise<ApiStand> {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  return stand
}
const countOf = (answer: { readonly json: { readonly metadata: object } }): number =>
  Object(answer.json.metadata)['managedFields'].length

test.each(['Update', 'Apply'])('20,000 that %s are not taken over', async (operation) => {
  const stand = await whole()
  const managedFields = many(20_000, manager(operation))
  const body = { metadata: { name: 'a', managedFields }, data: { a: 'b' } }
  const made = await stand.ask(maps, { method: 'POST', body, headers: json })
  expect([made.code, countOf(made)]).toEqual([201, 1])
  const change = { ...body, data: { a: 'c' } }
  const put = await stand.ask(`${maps}/a`, { method: 'PUT', body: change, headers: json })
  expect([put.code, countOf(put)]).toEqual([200, 1])
})

test('one more than a thousand may not apply, and those that are there may', async () => {
  const stand = await whole()
  const managedFields = many(1000, manager('Apply'))
  const body = { metadata: { name: 'a', managedFields }, data: { a: 'b' } }
  await stand.ask(maps, { method: 'POST', body, headers: json })
  const apply = (who: string) =>
    stand.ask(`${maps}/a?fieldManager=${who}&force=true`, {
      method: 'PATCH',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { [who]: 'x' } },
      headers: { 'Content-Type': 'application/apply-patch+yaml' },
    })
  expect((await apply('m7')).code).toBe(200)
  const refused = await apply('another')
  expect([refused.code, refused.json.message]).toEqual([400, expect.stringMatching('at most 1000')])
})
