// Does a claim hold whatever happens between any two of its steps? Two leaders, late watches, a
// leader that ends, users who change their minds: no address is ever shown by two Services that may
// not share it (P1), none is taken from who did not change (P2), and at rest all is recorded.
import { test } from 'vitest'
import { history } from './claimHistory.ts'

const seeds = Array.from({ length: 40 }, (_, index) => index + 1)
const calm = { leaders: 1, kills: 0, pools: 2, lost: 0 }

test.each([
  { title: '[P1] one leader with late watches', run: calm },
  { title: '[P1] two leaders at once', run: { ...calm, leaders: 2 } },
  {
    title: '[R3.12] two leaders while a pool comes and goes',
    run: { ...calm, leaders: 2, pools: 8 },
  },
  { title: '[P1] leaders that end between any two steps', run: { ...calm, kills: 4, pools: 4 } },
  {
    title: '[P1] two leaders, and one answer in five is lost',
    run: { ...calm, leaders: 2, pools: 4, lost: 2 },
  },
])(
  '$title',
  async ({ run }) => {
    for (const seed of seeds) await history({ ...run, seed })
  },
  60_000,
)
