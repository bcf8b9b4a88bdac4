// Do routers end up with exactly the routes that a node announces, whatever happens to the link, to them
// and to the speaker? The soak takes seeds that nobody has tried.
import { afterEach, beforeEach, test, vi } from 'vitest'
import { anythingHappens, linkFlaps, newTime, speakerRestarts } from './bgpRuns.ts'

beforeEach(newTime)
afterEach(() => void vi.useRealTimers())

const seeds = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

test.each(seeds(24))(
  '[R8.7] no route stays that should be gone, none leaves: seed %i',
  anythingHappens,
)
test.each(seeds(12))('[R8.12] no restart takes a route from who keeps it: seed %i', speakerRestarts)
test.each(seeds(6))('[R8.9] a link that is cut for a while costs nothing: seed %i', linkFlaps)
