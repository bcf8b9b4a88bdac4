// Does a claim hold whatever happens between any two of its steps? Two leaders, late watches, a
// leader that ends, users who change their minds: no address is ever shown by two Services that may
// not share it (P1), none is taken from who did not change (P2), and at rest all is recorded.
import { test } from 'vitest'
import { history } from './claimHistory.ts'

const first = Array.from({ length: 40 }, (_, index) => index + 1)

/** Some seeds are there because they show what becomes of it without a certain guard. */
test.each([
  {
    title: '[P1] one leader with late watches',
    seeds: [...first, 86],
    leaders: 1,
    kills: 0,
    pools: 2,
    lost: 0,
  },
  {
    title: '[P1] two leaders at once',
    seeds: [...first, 45, 125],
    leaders: 2,
    kills: 0,
    pools: 2,
    lost: 0,
  },
  {
    title: '[R3.12] two leaders while a pool comes and goes',
    seeds: [...first, 239],
    leaders: 2,
    kills: 0,
    pools: 8,
    lost: 0,
  },
  {
    title: '[P1] leaders that end between any two steps',
    seeds: [...first, 116],
    leaders: 1,
    kills: 4,
    pools: 4,
    lost: 0,
  },
  {
    title: '[P1] two leaders, and one answer in five is lost',
    seeds: first,
    leaders: 2,
    kills: 0,
    pools: 4,
    lost: 2,
  },
])(
  '$title',
  async ({ seeds, ...run }) => {
    for (const seed of seeds) await history({ ...run, seed })
  },
  60_000,
)
