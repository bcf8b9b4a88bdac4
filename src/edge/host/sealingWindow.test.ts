import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SealingWindow } from './sealingWindow.ts'

test('the first counter is new once, and earlier ones never', () => {
  const window = new SealingWindow(500)
  expect([499, 1, 500, 500, 499].map((counter) => window.isNew(counter))).toEqual([
    false,
    false,
    true,
    false,
    false,
  ])
})

test('gaps can be filled within the window but not behind it', () => {
  const window = new SealingWindow(1)
  window.isNew(1)
  expect(window.isNew(2000)).toBe(true)
  expect(window.isNew(2000 - 1023)).toBe(true)
  expect(window.isNew(2000 - 1024)).toBe(false)
  expect(window.isNew(2 ** 52)).toBe(true)
  expect(window.isNew(2000)).toBe(false)
})

test('it agrees with a full list of counters seen', () => {
  const counters = fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 200 })
  const property = fc.property(counters, (list) => {
    const [window, heard] = [new SealingWindow(1000), new Set<number>()]
    let highest = 999
    for (const counter of list) {
      const isNew = counter >= 1000 && counter > highest - 1024 && !heard.has(counter)
      expect(window.isNew(counter)).toBe(isNew)
      heard.add(counter)
      highest = Math.max(highest, counter)
    }
  })
  fc.assert(property)
})
