import { describe, expect, test } from 'vitest'
import { defaultTiming } from '../../../core/session/membership/timing.ts'
import { Vouching } from './vouching.ts'

const { beatMs, timeoutMs } = defaultTiming
const names = (count: number) => Array.from({ length: count }, (_, n) => `node-${n}`)

type Run = {
  readonly others: number
  /** Of the others, who beat or answer; the rest falls silent at 0. */
  readonly heard: number
  readonly lateMs?: number
}

/** How long after 0 it vouched at most, with every tick late by as much. */
function vouchedAfter({ others, heard, lateMs = 0 }: Run): number {
  let until = 0
  const vouching = new Vouching(defaultTiming, (untilMs) => {
    until = untilMs
  })
  const all = new Set(['own', ...names(others)])
  const hear = (now: number, from: readonly string[]) => {
    for (const node of from) vouching.heard(now, node)
  }
  for (let now = -2000; now < 10_000; now += beatMs + lateMs) {
    vouching.ticked(now, lateMs)
    vouching.vouch(now, { seen: all, expected: all })
    // What lies there is of the time before this tick.
    hear(now, now - lateMs < 0 ? names(others) : names(heard))
  }
  return until
}

describe('[R8.3] who is always late, and does not see dead whom it does not hear,', () => {
  const safeMs = timeoutMs + new Vouching(defaultTiming, () => undefined).safeDelayMs

  test.each<Run>([
    { others: 1, heard: 0, lateMs: 220 },
    { others: 2, heard: 0, lateMs: 20 },
    { others: 2, heard: 0, lateMs: 100 },
    { others: 2, heard: 0, lateMs: 220 },
    { others: 2, heard: 0, lateMs: 290 },
    { others: 3, heard: 1, lateMs: 220 },
    { others: 4, heard: 1, lateMs: 220 },
    { others: 5, heard: 2, lateMs: 220 },
    { others: 50, heard: 24, lateMs: 220 },
  ])('is silent before others take over: $heard of $others, $lateMs ms late', (run) => {
    expect(vouchedAfter(run)).toBeLessThan(safeMs)
  })

  test.each<Run>([
    { others: 0, heard: 0 },
    { others: 0, heard: 0, lateMs: 220 },
    { others: 1, heard: 1, lateMs: 220 },
    { others: 2, heard: 1, lateMs: 100 },
    { others: 4, heard: 2, lateMs: 200 },
    { others: 50, heard: 25, lateMs: 20 },
    // On time it sees that itself; and others may hear whom it cannot.
    { others: 2, heard: 0 },
    { others: 50, heard: 1, lateMs: 4 },
  ])('goes on, on time or with enough of them: $heard of $others, $lateMs ms late', (run) => {
    expect(vouchedAfter(run)).toBeGreaterThan(9_900)
  })
})

test('who slept hears for three beats what the others made of it', () => {
  const until: number[] = []
  const vouching = new Vouching(defaultTiming, (untilMs) => until.push(untilMs))
  for (const now of [0, 500, 540, 580, 620])
    vouching.vouch(now, { seen: new Set(), expected: new Set() })
  expect(until).toEqual([0, 620].map((now) => now + timeoutMs - beatMs))
})
