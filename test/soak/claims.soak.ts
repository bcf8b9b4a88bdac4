// Does a claim hold whatever happens between any two of its steps, with seeds that nobody has tried?
// BERTH_SOAK_CLAIMS says how many histories of each kind; what was run goes to docs/bench/soak.md.
import { afterAll, expect, test } from 'vitest'
import { history, troubles } from '../sim/claimHistory.ts'
import { hostHistory, hostTroubles } from '../sim/hostHistory.ts'
import { type Soaked, writePart } from './soakPage.ts'
import { firstSeed } from './soakSeed.ts'

const runs = Number(process.env['BERTH_SOAK_CLAIMS'] ?? 2000)
const soaked: Soaked[] = []

const histories = [
  ...troubles.map(({ title, run }) => ({
    title,
    live: (seed: number) => history({ ...run, seed }),
  })),
  ...hostTroubles.map(({ title, run }) => ({
    title: `hosts: ${title}`,
    live: (seed: number) => hostHistory({ ...run, seed }),
  })),
]

test.each(histories.map((one, index) => ({ ...one, seed: firstSeed + runs * index })))(
  '$title, seed $seed',
  async ({ title, live, seed }) => {
    const start = performance.now()
    let failed: unknown
    let done = 0
    for (; done < runs && failed === undefined; done++) {
      failed = await live(seed + done).then(undefined, (error) => error)
    }
    const seconds = (performance.now() - start) / 1000
    const outcome = failed === undefined ? 'held' : `failed, seed ${seed + done - 1}`
    soaked.push({ title, seed, runs: done, seconds, outcome })
    expect(failed).toBeUndefined()
  },
)

const about = `\`BERTH_SOAK_CLAIMS\` is how many histories of each, \`BERTH_SOAK_SEED\` the first seed.

In a history, leaders claim addresses while watches come late, answers are lost, leaders end between
any two steps, and Services and pools come and go. After each step no address is shown by two
Services that may not share it, and none is taken from a Service that did not change. Hosts of OpenStack
come and go in the same way: none of their addresses is claimed, reserved or shown twice.`

afterAll(() => writePart({ heading: 'Claims', about, soaked }))
