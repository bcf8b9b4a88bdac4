import { expect, test } from 'vitest'
import { SealingBudget } from './sealingBudget.ts'

test("a burst of one second's budget, then the steady rate; idle time saves up no more", () => {
  let now = 5
  const budget = new SealingBudget(100, () => now)
  const taken = () => Array.from({ length: 500 }, () => budget.take()).filter(Boolean).length
  expect(taken()).toBe(100)
  now += 9
  expect(taken()).toBe(0)
  now += 1
  expect(taken()).toBe(1)
  now += 60_000
  expect(taken()).toBe(100)
})
