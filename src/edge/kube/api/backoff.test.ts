import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

test("half to all of a delay that doubles from 100 ms to 10 s, or the server's Retry-After", () => {
  expect([0, 1, 2, 20].map((failures) => backoffMs(failures, () => 1))).toEqual([
    100, 200, 400, 10_000,
  ])
  expect(backoffMs(1, () => 0)).toBe(100)
  expect(backoffMs(0, () => 1, 5000)).toBe(5000)
  const unit = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.nat(), unit, (failures, random) => {
      const wait = backoffMs(failures, () => random)
      expect(wait).toBeGreaterThanOrEqual(50)
      expect(wait).toBeLessThanOrEqual(10_000)
    }),
  )
})
