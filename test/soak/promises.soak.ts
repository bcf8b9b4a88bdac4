// Do the promises hold with seeds that nobody has tried? As many runs as BERTH_SOAK_RUNS says; what
// was run, and with which seeds, goes to docs/bench/soak.md. BERTH_SOAK_SEED repeats a soak.
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, test } from 'vitest'
import { inputs } from '../sim/inputs.ts'
import { together } from '../sim/properties.ts'
import { type Soaked, soakPage } from './soakPage.ts'

const runs = Number(process.env['BERTH_SOAK_RUNS'] ?? 50_000)
const firstSeed = Number(process.env['BERTH_SOAK_SEED'] ?? randomInt(2 ** 31 - 1_000))
const all = [...together.map((promised) => ({ ...promised, share: 1 })), ...inputs]
const soaked: Soaked[] = []
const startedAt = performance.now()

test.each(all.map((one, index) => ({ ...one, seed: firstSeed + index })))(
  '$title, seed $seed',
  ({ title, property, share, seed }) => {
    const start = performance.now()
    const details = fc.check(property, { seed, numRuns: runs * share })
    const seconds = (performance.now() - start) / 1000
    soaked.push({ title, seed, runs: details.numRuns, seconds, path: details.counterexamplePath })
    if (!details.failed) return
    throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance })
  },
)

afterAll(() => {
  const minutes = (performance.now() - startedAt) / 60_000
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync('docs/bench/soak.md', soakPage({ date, minutes, node: process.version, soaked }))
})
