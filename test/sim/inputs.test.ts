// Does whatever comes in leave the program standing? With one seed; the soak takes others.
import fc from 'fast-check'
import { test } from 'vitest'
import { inputs } from './inputs.ts'

test.each(inputs)('$title', ({ property, share }) => {
  fc.assert(property, { seed: 20_260_101, numRuns: 60 * Math.min(share, 20) })
})
