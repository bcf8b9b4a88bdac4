// Does everything that reads from a network stand millions of inputs that nobody has tried?
// BERTH_FUZZ_INPUTS is how many for each decoder, BERTH_FUZZ_SECONDS how long each may take.
import process from 'node:process'
import { afterAll, test } from 'vitest'
import { decoders } from '../security/fuzz/decoders.ts'
import { fuzz } from '../security/fuzz/fuzz.ts'
import { fuzzGossip } from '../security/fuzz/gossipReader.ts'
import { type Soaked, writePart } from './soakPage.ts'
import { firstSeed } from './soakSeed.ts'

const inputs = Number(process.env['BERTH_FUZZ_INPUTS'] ?? 5_000_000)
const mostSeconds = Number(process.env['BERTH_FUZZ_SECONDS'] ?? Number.POSITIVE_INFINITY)
const soaked: Soaked[] = []

/** What broke it is in the failure, as hex: it belongs in test/security/fuzz/finds.json. */
async function soak(
  title: string,
  seed: number,
  run: () => Promise<{ readonly inputs: number }>,
): Promise<void> {
  const began = performance.now()
  let [runs, outcome] = [0, 'failed']
  try {
    runs = (await run()).inputs
    outcome = 'held'
  } finally {
    const seconds = (performance.now() - began) / 1000
    soaked.push({ title, seed, runs, seconds, outcome })
  }
}

test.each(decoders.map((decoder, index) => ({ ...decoder, seed: firstSeed + index })))(
  '$name, seed $seed',
  ({ seed, ...decoder }) => {
    return soak(decoder.name, seed, () => fuzz(decoder, { inputs, seed, mostSeconds }))
  },
)

const behind = 'messages under the seal, heard by a speaker'
test(behind, () =>
  soak(behind, firstSeed, async () => fuzzGossip({ inputs, seed: firstSeed, mostSeconds })),
)

const bound = Number.isFinite(mostSeconds)
  ? `This run was bounded to ${mostSeconds} seconds for each.`
  : 'This run was not bounded in time.'

const about = `\`BERTH_FUZZ_INPUTS\` is how many inputs (5,000,000 unless given), \`BERTH_FUZZ_SECONDS\` the
most time for each decoder, \`BERTH_SOAK_SEED\` the first seed. ${bound}

Each input is real input in which up to four pieces were changed, cut out, repeated or taken from
another one; checksums and lengths are set right in seven of eight. It must be taken or refused,
nothing else. What broke a decoder is kept in \`test/security/fuzz/finds.json\` and tried by every
\`make check\`.`

afterAll(() => {
  if (soaked.length > 0) writePart({ heading: 'What comes from a network', about, soaked })
})
