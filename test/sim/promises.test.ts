// Do the promises hold? With fixed seeds, so that a check is the same every time; the soak takes
// others. A failure prints its seed and the shortest history that shows it.
import fc from 'fast-check'
import { test } from 'vitest'
import { promises } from './properties.ts'

const seeded = promises.map((promised, index) => ({ ...promised, seed: 20_260_101 + index }))

test.each(seeded)('$title', ({ property, seed }) => {
  fc.assert(property, { seed, numRuns: 80 })
})
