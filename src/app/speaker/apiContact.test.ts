// Proves when the API counts as reachable, and that it is polled only after a silence.
import { expect, test } from 'vitest'
import { newClock } from '../../../test/build/manualClock.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { ApiError, Fault } from '../../edge/kube/api/fault.ts'
import { ApiContact } from './apiContact.ts'

function stand() {
  const clock = newClock()
  const answers: unknown[] = []
  const calls: string[] = []
  const changes: boolean[] = []
  const api: Api = {
    async call({ path }) {
      calls.push(path)
      const next = answers.shift() ?? {}
      if (next instanceof Error) throw next
      return next
    },
    async *stream() {
      yield '{}'
    },
    close: () => undefined,
  }
  const contact = new ApiContact({
    clock,
    node: 'a',
    changed: () => changes.push(contact.isThere),
  })
  return { clock, answers, calls, changes, contact, api: contact.noted(api) }
}

const refused = (code: number): ApiError =>
  new ApiError({ request: '', code, reason: '', message: '', status: {}, retryAfterMs: undefined })

test('[R8.2] the API is lost after 30 s without an answer and back with the first one', async () => {
  const { clock, contact, api, changes } = stand()
  expect(contact.isThere).toBe(false)
  await api.call({ method: 'GET', path: '/' })
  clock.advance(29_999)
  expect(contact.isThere).toBe(true)
  clock.advance(1)
  expect(contact.isThere).toBe(false)
  for await (const _ of api.stream({ method: 'GET', path: '/' }));
  expect(contact.isThere).toBe(true)
  expect(changes).toEqual([true])
})

test.each([
  { of: 'a refusal', error: refused(404), isThere: true },
  { of: 'a conflict', error: refused(409), isThere: true },
  { of: 'an internal server error', error: refused(503), isThere: false },
  { of: 'a refused credential', error: refused(401), isThere: false },
  { of: 'no answer', error: new Fault('reset'), isThere: false },
])('$of: $isThere', async ({ error, isThere }) => {
  const { contact, api, answers } = stand()
  answers.push(error)
  await expect(api.call({ method: 'GET', path: '/' })).rejects.toBe(error)
  expect(contact.isThere).toBe(isThere)
})

test('the node reads its own Node once, and again only after a silence', async () => {
  const { clock, contact, api, answers, calls } = stand()
  answers.push({ metadata: { uid: 'node-uid' } })
  const end = new AbortController()
  const running = contact.run(api, end.signal)
  const turn = async () => {
    for (let at = 0; at < 20; at++) await Promise.resolve()
  }
  await turn()
  expect([calls, contact.nodeUid]).toEqual([['/api/v1/nodes/a'], 'node-uid'])
  for (let second = 0; second < 9; second++) {
    clock.advance(1_000)
    await turn()
  }
  expect(calls).toHaveLength(1)
  clock.advance(1_000)
  await turn()
  expect(calls).toHaveLength(2)
  end.abort()
  clock.advance(10_000)
  await running
})
