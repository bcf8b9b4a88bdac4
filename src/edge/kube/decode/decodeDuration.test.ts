import { expect, test } from 'vitest'
import { decodeDuration } from './decodeDuration.ts'

test.each([
  ['90s', 90_000],
  ['1m30s', 90_000],
  ['1h', 3_600_000],
  ['1.5h', 5_400_000],
  ['.5s', 500],
  ['1.s', 1000],
  ['500ms', 500],
  ['1.005s', 1005],
  ['2us3µs', 0.005],
  ['1ns', 0.000001],
  ['-2s', -2000],
  ['+2s', 2000],
  ['0', 0],
  ['-0', 0],
  ['0s', 0],
])('[M1.4] %s is %d ms', (text, ms) => {
  expect(decodeDuration(text)).toEqual({ ok: true, value: ms })
})

test.each(['', '90', 's', '1 s', '1s ', '1d', '1e3s', '--1s', '.s', '1m-30s', '9999999999h', 'x'])(
  '[M1.4] %j is not a duration',
  (text) => {
    expect(decodeDuration(text).ok).toBe(false)
  },
)
