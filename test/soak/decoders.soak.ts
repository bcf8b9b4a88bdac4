// Does everything that reads from a network stand millions of inputs that nobody has tried?
// BERTH_FUZZ_INPUTS is how many for each decoder, BERTH_FUZZ_SECONDS how long each may take, and
// BERTH_FUZZ_DECODERS which of them, by name with semicolons between.
import process from 'node:process'
import { afterAll, test } from 'vitest'
import { decoders } from '../security/fuzz/decoders.ts'
import { fuzzOnAllCores } from '../security/fuzz/fuzzOnAllCores.ts'
import { type Soaked, writePart } from './soakPage.ts'
import { firstSeed } from './soakSeed.ts'

const inputs = Number(process.env['BERTH_FUZZ_INPUTS'] ?? 5_000_000)
const mostSeconds = Number(process.env['BERTH_FUZZ_SECONDS'] ?? Number.POSITIVE_INFINITY)
const soaked: Soaked[] = []

const only = process.env['BERTH_FUZZ_DECODERS']?.split(';')
const chosen = decoders.filter(({ name }) => only === undefined || only.includes(name))

test.each(chosen.map(({ name }, index) => ({ name, seed: firstSeed + index })))(
  '$name, seed $seed',
  async ({ name, seed }) => {
    const began = performance.now()
    let [runs, outcome] = [0, 'failed']
    try {
      const bounded = Number.isFinite(mostSeconds) ? { mostSeconds } : {}
      runs = (await fuzzOnAllCores(name, { inputs, seed, ...bounded })).inputs
      outcome = 'held'
    } finally {
      const seconds = (performance.now() - began) / 1000
      soaked.push({ title: name, seed, runs, seconds, outcome })
    }
  },
)

const about = `\`BERTH_FUZZ_INPUTS\` is how many inputs (5,000,000 unless given), \`BERTH_FUZZ_SECONDS\` the
most time for each decoder, \`BERTH_FUZZ_DECODERS\` which of them, by name with semicolons between, and
\`BERTH_SOAK_SEED\` the first seed. One process runs on each core. What was not run lately stays in the
table.

Each input is real input in which up to four pieces were changed, cut out, repeated or taken from
another one; checksums and lengths are set right in seven of eight. It must be taken or refused,
nothing else. What broke a decoder is added to \`test/security/fuzz/finds.json\`, which every
\`make check\` tries.`

afterAll(() => {
  const heading = 'What comes from a network'
  if (soaked.length > 0) writePart({ heading, about, soaked, keepsOthers: true })
})
