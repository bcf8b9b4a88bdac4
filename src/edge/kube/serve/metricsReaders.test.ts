import { expect, test } from 'vitest'
import type { ApiRequest } from '../api/client.ts'
import { ApiError } from '../api/fault.ts'
import { metricsReaders } from './metricsReaders.ts'

type Holder = { readonly name: string; readonly mayRead: boolean }

/** An API server that knows these tokens; what it was asked is counted. */
function stand(holders: Readonly<Record<string, Holder>>) {
  const state = { nowMs: 0, asked: 0, isForbidden: false, until: Promise.resolve() }
  const said: string[] = []
  const call = async ({ path, body }: ApiRequest): Promise<unknown> => {
    state.asked++
    await state.until
    if (state.isForbidden) {
      const refusal = { request: `POST ${path}`, code: 403, reason: 'Forbidden' }
      const message = 'may not create'
      throw new ApiError({ ...refusal, message, status: undefined, retryAfterMs: undefined })
    }
    const { spec } = body as { spec: { token?: string; user?: string } }
    if (path.endsWith('/tokenreviews')) {
      const holder = holders[spec.token ?? '']
      if (holder === undefined) return { status: { authenticated: false } }
      return { status: { authenticated: true, user: { username: holder.name, groups: [] } } }
    }
    const holder = Object.values(holders).find(({ name }) => name === spec.user)
    return { status: { allowed: holder?.mayRead === true } }
  }
  const readers = metricsReaders({
    api: { call },
    clock: { nowMs: () => state.nowMs },
    log: (entry) => said.push(String(entry['message'])),
  })
  const ask = async (authorization: string, method = 'GET', from = '10.0.0.1') =>
    (await readers({ method, path: '/metrics', authorization, from }))?.status ?? 200
  return { state, said, ask }
}

const holders = {
  good: { name: 'prometheus', mayRead: true },
  poor: { name: 'somebody', mayRead: false },
}

test.each([
  { header: 'Bearer good', status: 200 },
  { header: 'bearer  good', status: 200 },
  { header: 'Bearer poor', status: 403 },
  { header: 'Bearer other', status: 401 },
  { header: '', status: 401 },
  { header: 'Bearer ', status: 401 },
  { header: 'Basic good', status: 401 },
  { header: 'Bearer good poor', status: 401 },
])('"$header" is answered with $status', async ({ header, status }) => {
  expect(await stand(holders).ask(header)).toBe(status)
})

test('without a token nobody is asked', async () => {
  const { state, ask } = stand(holders)
  await ask('')
  expect(state.asked).toBe(0)
})

test('an answer counts for a minute, a refusal for ten seconds', async () => {
  const { state, ask } = stand(holders)
  for (const header of ['Bearer good', 'Bearer poor']) await ask(header)
  expect(state.asked).toBe(4)
  state.nowMs = 9_999
  for (const header of ['Bearer good', 'Bearer poor']) await ask(header)
  expect(state.asked).toBe(4)
  state.nowMs = 10_000
  for (const header of ['Bearer good', 'Bearer poor']) await ask(header)
  expect(state.asked).toBe(6)
  state.nowMs = 60_000
  await ask('Bearer good')
  expect(state.asked).toBe(8)
})

test('the same token asked for twice at once is reviewed once', async () => {
  const { state, ask } = stand(holders)
  expect(await Promise.all([ask('Bearer good'), ask('Bearer good')])).toEqual([200, 200])
  expect(state.asked).toBe(2)
})

test('another verb is another question', async () => {
  const { state, ask } = stand(holders)
  await ask('Bearer good')
  await ask('Bearer good', 'HEAD')
  expect(state.asked).toBe(4)
})

test('guessed tokens do not push out those who were let in', async () => {
  const { state, ask } = stand(holders)
  await ask('Bearer good')
  for (let guess = 0; guess < 1_000; guess++) await ask(`Bearer guess-${guess}`)
  const before = state.asked
  await ask('Bearer good')
  expect(state.asked).toBe(before)
})

test('of ever new tokens a few are reviewed at a time, and who was let in before still is', async () => {
  const { state, ask } = stand(holders)
  await ask('Bearer good')
  state.nowMs = 60_000
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  state.until = promise
  const guesses = Array.from({ length: 1_000 }, (_, guess) =>
    ask(`Bearer guess-${guess}`, 'GET', `10.0.1.${guess % 100}`),
  )
  const [again, both] = [ask('Bearer good'), ask('Bearer good')]
  expect(state.asked).toBe(2 + 32 + 1)
  resolve()
  const statuses = await Promise.all(guesses)
  expect(statuses.filter((status) => status === 401)).toHaveLength(32)
  expect(statuses.filter((status) => status === 503)).toHaveLength(1_000 - 32)
  expect(await Promise.all([again, both])).toEqual([200, 200])
  expect(await ask('Bearer guess-999')).toBe(401)
})

test('without the right to ask nobody is let in, it is said once, and not remembered', async () => {
  const { state, said, ask } = stand(holders)
  state.isForbidden = true
  expect([await ask('Bearer good'), await ask('Bearer good')]).toEqual([500, 500])
  expect(said).toHaveLength(1)
  state.isForbidden = false
  expect(await ask('Bearer good')).toBe(200)
})
