// Do GoBGP, ExaBGP and we read the same in messages that nobody has tried? BERTH_ORACLE_MESSAGES is how many,
// each way.
import { existsSync } from 'node:fs'
import process from 'node:process'
import { describe, test } from 'vitest'
import { checkRead, checkWritten } from '../bgp/oracle/checks.ts'
import { exabgpCodec, sentByExabgp } from '../bgp/oracle/exabgp.ts'
import { findOracle } from '../bgp/oracle/gobgp.ts'
import { firstSeed } from './soakSeed.ts'

const messages = Number(process.env['BERTH_ORACLE_MESSAGES'] ?? 1_000_000)
const atOnce = 20_000
const rounds = Array.from({ length: Math.ceil(messages / atOnce) }, (_, at) => firstSeed + at)
const oracle = findOracle()
const path = 'path' in oracle ? oracle.path : ''
const hasExabgp = existsSync('/usr/bin/exabgp')

describe.skipIf(path === '')('GoBGP', () => {
  test.each(rounds)('both ways, seed %i', (seed) => {
    checkWritten({ command: [path], seed, count: atOnce })
    checkRead({ command: [path], seed, count: atOnce })
  })
})

describe.skipIf(!hasExabgp)('ExaBGP', () => {
  test.each(rounds)('both ways, seed %i', (seed) => {
    checkWritten({ command: exabgpCodec, seed, count: atOnce })
    checkRead({ command: exabgpCodec, seed, count: atOnce, seen: sentByExabgp })
  })
})
