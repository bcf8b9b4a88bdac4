import { expect, test } from 'vitest'
import { matches } from './selector.ts'

const where = (operator: string) => ({
  matchLabels: {},
  matchExpressions: [{ key: 'constructor', operator, values: [] }],
})

test.each([
  ['Exists', {}, false],
  ['DoesNotExist', {}, true],
  ['Exists', { constructor: 'a' }, true],
  ['DoesNotExist', { constructor: 'a' }, false],
])('a label may be called as what every object has: %s of %j is %s', (operator, labels, answer) => {
  expect(matches(where(operator), labels as Record<string, string>)).toBe(answer)
})
