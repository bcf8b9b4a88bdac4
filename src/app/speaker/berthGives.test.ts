// Proves when speakers ask for an Address: while the Lease says that adoption is done, and until
// nobody has renewed it for ten minutes.
import { expect, test } from 'vitest'
import { newClock } from '../../../test/build/manualClock.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { ApiError, Fault } from '../../edge/kube/api/fault.ts'
import { BerthGives } from './berthGives.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const refused = (code: number): ApiError =>
  new ApiError({ request: '', code, reason: '', message: '', status: {}, retryAfterMs: undefined })

type Lease = { readonly version: string; readonly adoption?: string; readonly ageS?: number }

const leaseOf = ({ version, adoption = 'done', ageS = 0 }: Lease) => ({
  metadata: { resourceVersion: version, annotations: { 'berth.dev/adoption': adoption } },
  spec: { renewTime: new Date(start - ageS * 1000).toISOString() },
})

function stand() {
  const clock = newClock()
  const answer: { is: Lease | Error } = { is: refused(404) }
  const changes: (boolean | undefined)[] = []
  const api: Api = {
    async call() {
      if (answer.is instanceof Error) throw answer.is
      return leaseOf(answer.is)
    },
    async *stream() {
      yield ''
    },
    close: () => undefined,
  }
  const gives = new BerthGives({
    clock,
    namespace: 'metallb-system',
    timestamp: () => new Date(start).toISOString(),
    log: () => undefined,
    changed: () => changes.push(gives.isHeld),
  })
  const stop = new AbortController()
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const seconds = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 10) {
      clock.advance(10_000)
      await turn()
    }
  }
  const run = async (first: Lease | Error): Promise<void> => {
    answer.is = first
    void gives.run(api, stop.signal)
    await turn()
  }
  return { gives, answer, changes, seconds, run }
}

test.each<{ of: string; first: Lease | Error; isHeld: boolean | undefined }>([
  { of: 'a Lease that is held', first: { version: '1' }, isHeld: true },
  { of: 'one before adoption is done', first: { version: '1', adoption: 'begun' }, isHeld: false },
  { of: 'one of an earlier version', first: { version: '1', adoption: '' }, isHeld: false },
  { of: 'one that was left nine minutes ago', first: { version: '1', ageS: 540 }, isHeld: true },
  { of: 'one that was left an hour ago', first: { version: '1', ageS: 3600 }, isHeld: false },
  { of: 'no Lease', first: refused(404), isHeld: false },
  { of: 'one that we may not read', first: refused(403), isHeld: false },
  { of: 'an API that does not answer', first: new Fault('reset'), isHeld: undefined },
])('[R8.13] $of: $isHeld', async ({ first, isHeld }) => {
  const { gives, run } = stand()
  await run(first)
  expect(gives.isHeld).toBe(isHeld)
})

test('[R8.13] it ends when nobody has renewed the Lease for ten minutes', async () => {
  const { gives, run, seconds, answer, changes } = stand()
  await run({ version: '1' })
  await seconds(590)
  expect(gives.isHeld).toBe(true)
  answer.is = { version: '2' }
  await seconds(590)
  expect(gives.isHeld).toBe(true)
  await seconds(30)
  expect(changes).toEqual([true, false])
})

test('[R8.13] an API that cannot be reached ends nothing', async () => {
  const { gives, run, seconds, answer } = stand()
  await run({ version: '1' })
  answer.is = new Fault('reset')
  await seconds(3600)
  answer.is = { version: '1' }
  await seconds(10)
  expect(gives.isHeld).toBe(true)
})
