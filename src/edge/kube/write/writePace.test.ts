// Proves that the server's Retry-After counts, that pressure halves the writes, and that success heals.
import { expect, test } from 'vitest'
import { ApiError, Fault } from '../api/fault.ts'
import { WritePace } from './writePace.ts'

const answer = (code: number, retryAfterMs?: number): ApiError =>
  new ApiError({ request: 'PATCH', code, reason: '', message: '', status: {}, retryAfterMs })

test('a conflict is tried again at once, then later and later', () => {
  const pace = new WritePace(() => 1)
  const waits = [1, 2, 3].map(() => pace.refused('shop/web', answer(409)))
  expect(waits[0]).toBe(0)
  expect(waits[2]).toBeGreaterThan(waits[1] ?? 0)
  expect(pace.most).toBe(32)
  pace.accepted('shop/web')
  expect(pace.refused('shop/web', answer(409))).toBe(0)
})

test.each([
  { fault: answer(429, 7_000), leastMs: 7_000, most: 16 },
  { fault: answer(500), leastMs: 1, most: 16 },
  { fault: new Fault('no answer'), leastMs: 1, most: 16 },
  { fault: answer(403), leastMs: 1, most: 32 },
])('$fault.message: waits, with $most at a time', ({ fault, leastMs, most }) => {
  const pace = new WritePace(() => 0)
  expect(pace.refused('shop/web', fault)).toBeGreaterThanOrEqual(leastMs)
  expect(pace.most).toBe(most)
})

test('one at a time is the least, and success leads back to 32', () => {
  const pace = new WritePace(() => 0)
  for (let times = 0; times < 20; times++) pace.refused('shop/web', answer(503))
  expect(pace.most).toBe(1)
  for (let times = 0; times < 1_000; times++) pace.accepted('shop/web')
  expect(pace.most).toBe(32)
})
