import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { monotonicMs } from '../../monotonic.ts'
import { newDeadline } from './deadline.ts'

test('answering is allowed only between an extension and its deadline', () => {
  const deadline = newDeadline()
  expect(deadline.isAhead()).toBe(false)
  deadline.extend(monotonicMs() + 60_000)
  expect(deadline.isAhead()).toBe(true)
  deadline.extend(monotonicMs() - 1)
  expect(deadline.isAhead()).toBe(false)
})

test('threads that share the buffer share the deadline', () => {
  const deadline = newDeadline()
  const other = newDeadline(deadline.buffer)
  deadline.extend(monotonicMs() + 60_000)
  expect(other.isAhead()).toBe(true)
})

test('the clock is the same on every thread', async () => {
  const text =
    "require('worker_threads').parentPort.postMessage(Number(process.hrtime.bigint()) / 1e6)"
  const before = monotonicMs()
  const there = await new Promise<number>((resolve) => {
    new Worker(text, { eval: true }).once('message', resolve)
  })
  expect(there).toBeGreaterThanOrEqual(before)
  expect(there).toBeLessThanOrEqual(monotonicMs())
})
