// Does a side without the majority fall silent before the other one takes over (R8.3)? With fixed
// seeds; the soak takes others.
import fc from 'fast-check'
import { test } from 'vitest'
import { splits } from './splits.ts'

test.each(splits.map((split, index) => ({ ...split, seed: 20_261_101 + index })))(
  '$title',
  ({ property, seed }) => {
    fc.assert(property, { seed, numRuns: 10 })
  },
)
