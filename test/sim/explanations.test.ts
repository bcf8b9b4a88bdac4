// Is a decision the same whether or not somebody listens, and does the page say what it does? With
// fixed seeds; the soak takes others.
import fc from 'fast-check'
import { test } from 'vitest'
import { explanations } from './explanations.ts'

test.each(explanations.map((one, index) => ({ ...one, seed: 20_260_301 + index })))(
  '$title',
  ({ property, seed }) => {
    fc.assert(property, { seed, numRuns: 40 })
  },
)
