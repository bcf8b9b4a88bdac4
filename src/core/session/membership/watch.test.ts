import { expect, test } from 'vitest'
import { defaultTiming } from './timing.ts'
import { Watch } from './watch.ts'

const { timeoutMs, beatMs } = defaultTiming

function watchOf(...sequences: number[]): Watch {
  const watch = new Watch(0)
  for (const [at, sequence] of sequences.entries()) {
    watch.beat(at * beatMs, { incarnation: 1, sequence }, defaultTiming)
  }
  return watch
}

test.each([
  ['one beat', [1], timeoutMs],
  ['beats in order', [1, 2, 3], 2 * beatMs + timeoutMs],
  ['one that came twice', [1, 2, 2], beatMs + timeoutMs],
  ['one that was overtaken', [1, 3, 2], beatMs + timeoutMs + beatMs],
  ['one that got lost: one more is waited for', [1, 2, 4], 2 * beatMs + timeoutMs + beatMs],
])('%s', (_, sequences, deadline) => {
  expect(watchOf(...sequences).deadline).toBe(deadline)
})

test('a new process counts from the start, the old one no more', () => {
  const watch = watchOf(100)
  expect(watch.beat(50, { incarnation: 2, sequence: 1 }, defaultTiming)).toBe(true)
  expect(watch.beat(60, { incarnation: 1, sequence: 101 }, defaultTiming)).toBe(false)
  expect(watch.deadline).toBe(50 + timeoutMs)
})

test('it contradicts while it hears, and shortly before it would accuse no more', () => {
  const watch = watchOf(1)
  expect(watch.isHeard(timeoutMs - beatMs / 2 - 1)).toBe(true)
  expect(watch.isHeard(timeoutMs - beatMs / 2)).toBe(false)
  watch.refuted(timeoutMs, defaultTiming)
  expect(watch.isHeard(timeoutMs)).toBe(false)
})

test('what is refuted again and again without a beat is accused ever less often', () => {
  const watch = watchOf(1)
  const holds = Array.from({ length: 9 }, () => {
    const now = watch.deadline
    watch.refuted(now, defaultTiming)
    return watch.deadline - now
  })
  expect(holds).toEqual([680, 1360, 2720, 5440, 10_880, 21_760, 30_000, 30_000, 30_000])
  const now = watch.deadline
  watch.beat(now, { incarnation: 1, sequence: 2 }, defaultTiming)
  expect(watch.deadline - now).toBeLessThanOrEqual(timeoutMs + 4 * beatMs)
})

test('false accusations make it patient for a minute, within bounds', () => {
  const watch = watchOf(1)
  for (let times = 0; times < 10; times++) watch.regret(100)
  watch.beat(100, { incarnation: 1, sequence: 2 }, defaultTiming)
  expect(watch.deadline).toBe(100 + timeoutMs + 4 * beatMs)
  watch.beat(70_000, { incarnation: 1, sequence: 3 }, defaultTiming)
  expect(watch.deadline).toBe(70_000 + timeoutMs)
})
