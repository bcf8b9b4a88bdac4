import { expect, test } from 'vitest'
import { systemClock } from './clock.ts'

const never = new AbortController().signal

test('time only increases, by at least the time slept', async () => {
  const before = systemClock.nowMs()
  await systemClock.sleep(20, never)
  expect(systemClock.nowMs() - before).toBeGreaterThan(15)
})

test('an abort ends the sleep at once, without an error', async () => {
  const over = new AbortController()
  const sleeping = systemClock.sleep(3_600_000, over.signal)
  over.abort()
  await sleeping
  await systemClock.sleep(3_600_000, over.signal)
})
