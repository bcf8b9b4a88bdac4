// Does the embedded API keep what it acknowledged, killed with a seed that nobody has tried?
// BERTH_SOAK_KILLS says how often; what was run goes to docs/bench/soak.md.
import { afterAll, expect, test } from 'vitest'
import { newData } from '../up/berth.ts'
import { killAgainAndAgain } from '../up/killLoop.ts'
import { type Soaked, writePart } from './soakPage.ts'
import { firstSeed } from './soakSeed.ts'

const kills = Number(process.env['BERTH_SOAK_KILLS'] ?? 500)
const soaked: Soaked[] = []
let told = ''

test(`kill -9 of berth up, ${kills} times, seed ${firstSeed}`, async () => {
  const start = performance.now()
  const plan = { kills, seed: firstSeed }
  const failed = await killAgainAndAgain(newData(), plan).then(
    ({ acknowledged, duringStart, relists }) => {
      const kinds = `${duringStart} of the kills while it started, ${relists} relists`
      told = `In all ${acknowledged} writes, ${kinds}`
    },
    (error: unknown) => error,
  )
  const seconds = (performance.now() - start) / 1000
  const outcome = failed === undefined ? 'held' : 'failed'
  const title = 'kill -9 of `berth up`'
  soaked.push({ title, seed: firstSeed, runs: kills, seconds, outcome })
  expect(failed).toBeUndefined()
})

const about = (): string => `\`BERTH_SOAK_KILLS\` is how many kills, \`BERTH_SOAK_SEED\` the seed.

Six clients create, change and delete ConfigMaps and Services, count together and delete owners;
four watch. After each kill everything is compared with what was acknowledged: nothing is lost, half
there or made up, no version goes back, and no watch misses or repeats an event.
${told}.`

afterAll(() => {
  if (soaked.length > 0) writePart({ heading: 'The embedded API', about: about(), soaked })
})
