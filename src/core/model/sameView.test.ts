import { expect, test } from 'vitest'
import { isSame } from './sameView.ts'

test.each([
  [{ a: [1n, 'b'], c: undefined }, { c: undefined, a: [1n, 'b'] }, true],
  [{ a: undefined }, {}, false],
  [{ a: undefined }, { b: undefined }, false],
  [{ a: 1n }, { a: 2n }, false],
  [['a', 'b'], ['b', 'a'], false],
  [[], {}, false],
  [undefined, {}, false],
  [null, {}, false],
  [undefined, undefined, true],
])('%o and %o: %s', (one, other, same) => {
  expect([isSame(one, other), isSame(other, one)]).toEqual([same, same])
})
