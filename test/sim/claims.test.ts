// Does a claim hold whatever happens between any two of its steps? Two leaders, late watches, a
// leader that ends, users who change their minds: no address is ever shown by two Services that may
// not share it (P1), none is taken from who did not change (P2), and at rest all is recorded. The
// soak takes other seeds.
import { test } from 'vitest'
import { history, troubles } from './claimHistory.ts'

const seeds = Array.from({ length: 16 }, (_, index) => index + 1)

test.each(troubles)('$title', async ({ run }) => {
  for (const seed of seeds) await history({ ...run, seed })
})
