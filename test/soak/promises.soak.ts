// Do the promises hold with seeds that nobody has tried? As many runs as BERTH_SOAK_RUNS says; what
// was run, and with which seeds, goes to docs/bench/soak.md.
import fc from 'fast-check'
import { afterAll, test } from 'vitest'
import { explanations } from '../sim/explanations.ts'
import { inputs } from '../sim/inputs.ts'
import { type Promised, promises } from '../sim/properties.ts'
import { splits } from '../sim/splits.ts'
import { type Soaked, writePart } from './soakPage.ts'
import { firstSeed } from './soakSeed.ts'

const runs = Number(process.env['BERTH_SOAK_RUNS'] ?? 50_000)
const withShare = (all: readonly Promised[], share: number) =>
  all.map((promised) => ({ ...promised, share }))
const all = [
  ...withShare(promises, 1),
  ...withShare(explanations, 0.2),
  ...withShare(splits, 0.02),
  ...inputs,
]
const soaked: Soaked[] = []

test.each(all.map((one, index) => ({ ...one, seed: firstSeed + index })))(
  '$title, seed $seed',
  ({ title, property, share, seed }) => {
    const start = performance.now()
    const details = fc.check(property, { seed, numRuns: Math.ceil(runs * share) })
    const seconds = (performance.now() - start) / 1000
    const outcome = details.failed ? `failed, path ${details.counterexamplePath}` : 'held'
    soaked.push({ title, seed, runs: details.numRuns, seconds, outcome })
    if (!details.failed) return
    throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance })
  },
)

const about = `\`BERTH_SOAK_RUNS\` is how many histories, \`BERTH_SOAK_SEED\` the first seed.

A run of the first is a history of up to 51 steps (objects applied, changed and deleted, restarts);
after each of them every promise is checked: no address held twice, nobody moved by another's
change, the fence of tenants, quotas, nobody waiting for what could be had, the Address objects, the
words of every condition, and every index against one computed from the objects alone. The second
applies one set of objects in two orders. Then every Service is explained at every moment, and a
cluster of speakers is cut in two in virtual time. The rest feed parsers, decoders and admission with real
input that was damaged.`

afterAll(() => writePart({ heading: 'Histories and damaged input', about, soaked }))
