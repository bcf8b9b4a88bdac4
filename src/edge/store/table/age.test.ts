import { expect, test } from 'vitest'
import { ageOf } from './age.ts'
import { humanDuration } from './humanDuration.ts'

const [second, minute, hour, day, year] = [1, 60, 3600, 86_400, 365 * 86_400]

// The steps of k8s.io/apimachinery/pkg/util/duration.
test.each([
  [-2 * second, '<invalid>'],
  [-1.9 * second, '0s'],
  [0, '0s'],
  [1.9 * second, '1s'],
  [2 * minute - 1, '119s'],
  [2 * minute, '2m'],
  [2 * minute + 1, '2m1s'],
  [10 * minute - 1, '9m59s'],
  [10 * minute, '10m'],
  [3 * hour - 1, '179m'],
  [3 * hour, '3h'],
  [3 * hour + minute, '3h1m'],
  [8 * hour - 1, '7h59m'],
  [8 * hour, '8h'],
  [2 * day - 1, '47h'],
  [2 * day, '2d'],
  [2 * day + hour, '2d1h'],
  [8 * day - 1, '7d23h'],
  [8 * day, '8d'],
  [2 * year - 1, '729d'],
  [2 * year, '2y'],
  [2 * year + day, '2y1d'],
  [8 * year - 1, '7y364d'],
  [8 * year, '8y'],
])('%d seconds are %s', (seconds, text) => expect(humanDuration(seconds * 1000)).toBe(text))

test.each([
  ['', '<unknown>'],
  ['0001-01-01T00:00:00Z', '<unknown>'],
  ['2026-01-01T00:00:00Z', '60m'],
  ['2026-01-01T02:00:00+02:00', '60m'],
  ['2026-01-01T00:00:00.123456Z', '59m'],
  ['2026-01-01T02:00:00Z', '<invalid>'],
  ['2025-02-30T00:00:00Z', '<invalid>'],
  ['2025-01-01T24:00:00Z', '<invalid>'],
  ['2026-01-01', '<invalid>'],
  ['yesterday', '<invalid>'],
])('%s was %s ago', (text, age) => {
  expect(ageOf(text, Date.parse('2026-01-01T01:00:00Z'))).toBe(age)
})
