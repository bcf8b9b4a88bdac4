// Do routers end up with the right routes under seeds that nobody has tried? In virtual time;
// BERTH_BGP_RUNS is how many of each kind (1,000 unless given).
import process from 'node:process'
import { afterEach, beforeEach, test, vi } from 'vitest'
import { anythingHappens, linkFlaps, newTime, speakerRestarts } from '../sim/bgpRuns.ts'
import { firstSeed } from './soakSeed.ts'

const runs = Number(process.env['BERTH_BGP_RUNS'] ?? 1_000)
const seeds = Array.from({ length: runs }, (_, at) => firstSeed + at)

beforeEach(newTime)
afterEach(() => void vi.useRealTimers())

test.each(seeds)('anything happens, seed %i', anythingHappens)
test.each(seeds)('speakers restart, seed %i', speakerRestarts)
test.each(seeds)('a link flaps, seed %i', linkFlaps)
