// Do GoBGP and we read the same in messages that nobody has tried? BERTH_ORACLE_MESSAGES is how many,
// each way.
import process from 'node:process'
import { describe, test } from 'vitest'
import { checkRead, checkWritten } from '../bgp/oracle/checks.ts'
import { findOracle } from '../bgp/oracle/gobgp.ts'
import { firstSeed } from './soakSeed.ts'

const messages = Number(process.env['BERTH_ORACLE_MESSAGES'] ?? 1_000_000)
const atOnce = 20_000
const rounds = Array.from({ length: Math.ceil(messages / atOnce) }, (_, at) => firstSeed + at)
const oracle = findOracle()
const path = 'path' in oracle ? oracle.path : ''

describe.skipIf(path === '')('GoBGP', () => {
  test.each(rounds)('both ways, seed %i', (seed) => {
    checkWritten({ path, seed, count: atOnce })
    checkRead({ path, seed, count: atOnce })
  })
})
