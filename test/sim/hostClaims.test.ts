// Does no address go to two hosts, whatever happens between any two steps of a claim? Two leaders, late
// watches, a leader that ends, hosts that go and come back under their name; at rest nothing is left
// over and nobody waits beside a free address. The soak takes other seeds.
import { test } from 'vitest'
import { hostHistory, hostTroubles } from './hostHistory.ts'

/** The last ones found what the others do not. */
const found = [40, 54, 112, 114, 130, 151, 206, 281]
const seeds = [...Array.from({ length: 6 }, (_, index) => index + 1), ...found]

test.each(hostTroubles)('$title', async ({ run }) => {
  for (const seed of seeds) await hostHistory({ ...run, seed })
})
