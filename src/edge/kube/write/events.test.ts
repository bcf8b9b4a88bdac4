import { expect, test } from 'vitest'
import { service } from '../../../../test/build/announcing.ts'
import type { ApiRequest } from '../api/client.ts'
import { ApiError } from '../api/fault.ts'
import { Events } from './events.ts'

type Sent = { readonly request: ApiRequest; readonly end: (error?: unknown) => void }

/** An API that answers when it is told to. */
function stand(isBusy: () => boolean = () => false, sleep = async () => undefined) {
  const sent: Sent[] = []
  const call = (request: ApiRequest) =>
    new Promise<unknown>((resolve, reject) => {
      const end = (error?: unknown) => (error === undefined ? resolve({}) : reject(error))
      sent.push({ request, end })
    })
  const api = {
    call,
    async *stream() {
      yield* []
    },
    close: () => undefined,
  }
  const view = service('web', [])
  const events = new Events({
    api,
    component: 'metallb-controller',
    instance: 'berth',
    timestamp: () => '2026-01-02T03:04:05Z',
    mayWrite: () => true,
    isBusy,
    sleep,
  })
  const say = (message: string) => {
    const said = { type: 'Normal', reason: 'IPAllocated', message } as const
    events.say(view, [said])
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { events, sent, say, settle }
}

/** Sleep that ends when it is told to. */
function newRounds() {
  const sleeping: (() => void)[] = []
  const sleep = () =>
    new Promise<undefined>((resolve) => {
      sleeping.push(() => resolve(undefined))
    })
  const pass = async (count: number): Promise<void> => {
    for (let round = 0; round < count; round++) {
      for (const wake of sleeping.splice(0)) wake()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { sleep, pass }
}

const messages = (sent: readonly Sent[]) =>
  sent.map(({ request: { body } }) => (body as { message: string }).message)

test('an event says what happened to which Service, under a name of its own', () => {
  const { sent, say } = stand()
  say('one')
  say('two')
  expect(sent[0]?.request).toMatchObject({
    method: 'POST',
    path: '/api/v1/namespaces/default/events',
    body: {
      involvedObject: { kind: 'Service', namespace: 'default', name: 'web' },
      type: 'Normal',
      reason: 'IPAllocated',
      message: 'one',
      source: { component: 'metallb-controller' },
      firstTimestamp: '2026-01-02T03:04:05Z',
    },
  })
  const names = sent.map(({ request: { body } }) => {
    return (body as { metadata: { name: string } }).metadata.name
  })
  expect(names[0]).toMatch(/^web\./)
  expect(names[0]).not.toBe(names[1])
})

test('they wait while there is more to write than may be under way, and then trickle', async () => {
  let isBusy = true
  const rounds = newRounds()
  const { events, sent, say } = stand(() => isBusy, rounds.sleep)
  for (let number = 0; number < 20; number++) say(String(number))
  await rounds.pass(99)
  expect(sent).toHaveLength(0)
  await rounds.pass(1)
  expect(messages(sent)).toEqual(['0'])
  sent[0]?.end()
  await rounds.pass(2)
  expect(messages(sent)).toEqual(['0', '1'])
  isBusy = false
  sent[1]?.end()
  await rounds.pass(2)
  expect(sent).toHaveLength(2 + 8)
  expect(events.isQuiet).toBe(false)
})

test('those that waited follow at once when nothing else does', async () => {
  let isBusy = true
  const rounds = newRounds()
  const { sent, say, settle } = stand(() => isBusy, rounds.sleep)
  say('one')
  isBusy = false
  say('two')
  await rounds.pass(1)
  await settle()
  expect(messages(sent)).toEqual(['one', 'two'])
})

test('a refusal is final, trouble is not, and neither stops the next', async () => {
  const { events, sent, say, settle } = stand()
  const fault = (code: number) =>
    new ApiError({
      request: 'POST',
      code,
      reason: '',
      message: '',
      status: undefined,
      retryAfterMs: undefined,
    })
  say('refused')
  say('troubled')
  sent[0]?.end(fault(403))
  await settle()
  for (const at of [1, 2]) {
    sent[at]?.end(fault(503))
    await settle()
  }
  sent[3]?.end()
  await settle()
  expect(messages(sent)).toEqual(['refused', 'troubled', 'troubled', 'troubled'])
  expect(events.isQuiet).toBe(true)
})
