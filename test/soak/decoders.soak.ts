// Does a decoder that reads from a network stand millions of inputs that nobody has tried?
// BERTH_FUZZ_INPUTS is how many.
import process from 'node:process'
import { firstSeed } from './soakSeed.ts'

process.env['BERTH_FUZZ_INPUTS'] ??= '5000000'
process.env['BERTH_SOAK_SEED'] ??= String(firstSeed)
await import('../security/gossipFuzz.test.ts')
