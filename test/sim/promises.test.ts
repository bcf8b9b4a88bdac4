// Do the promises hold? With one seed, so that a check is the same every time; the soak takes others.
import fc from 'fast-check'
import { test } from 'vitest'
import { promises } from './properties.ts'

test.each(promises)('$title', ({ property }) => {
  fc.assert(property, { seed: 20_260_101, numRuns: 150 })
})
