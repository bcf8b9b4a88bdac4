// Does the controller keep its promises on a real API server, killed and doubled with seeds that
// nobody has tried? BERTH_SOAK_KILLS says how often; what was run goes to docs/bench/soak.md.
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { churnTwoLeaders, watches } from '../kube/churn.ts'
import { type Cluster, startCluster } from '../kube/controllers.ts'
import { newStand, type Stand } from '../kube/faultStand.ts'
import { type Kills, killBetweenWrites, killProgram, movesOf } from '../kube/killLoop.ts'
import { type Soaked, writePart } from './soakPage.ts'
import { firstSeed } from './soakSeed.ts'

type Soak = {
  readonly title: string
  readonly times: number
  readonly run: (stand: Stand, kills: Kills) => Promise<unknown>
}

const kills = Number(process.env['BERTH_SOAK_KILLS'] ?? 500)
const isHere = inject('hasEngine')
const deaths: string[] = []
const soaked: Soaked[] = []
let cluster: Cluster

/** Four in five within this process, where the very write can be chosen. */
const ofProgram = Math.round(kills / 5)
const soaks: Soak[] = [
  {
    title: '[P1, P2] killed between any two writes',
    times: kills - ofProgram,
    run: async (stand, times) => deaths.push(...(await killBetweenWrites(stand, times))),
  },
  { title: '[P1, P2] kill -9 of the program', times: ofProgram, run: killProgram },
  ...watches.map((lines) => ({
    title: `[P1] 200 changes under two leaders, ${lines.title}`,
    times: Math.round(kills / 100),
    async run(stand: Stand, { kills: times, seed }: Kills) {
      for (let at = 0; at < times; at++) {
        await churnTwoLeaders(stand, { lines, seed: seed + 2 * at, steps: 200 })
      }
    },
  })),
]

beforeAll(async () => {
  if (isHere) cluster = await startCluster()
})
afterAll(async () => {
  await cluster?.stop()
  const heading = 'Faults on a real API server'
  if (soaked.length > 0) writePart({ heading, about: about(), soaked })
})

const seedOf = (index: number): number => firstSeed + index * 1_000
const rows = soaks.map((soak, index) => ({ ...soak, index, seed: seedOf(index) }))

test.skipIf(!isHere).each(rows)('$title, $times times, seed $seed', async (row) => {
  const { title, times, seed, index, run } = row
  const start = performance.now()
  const stand = await newStand(cluster, index)
  const wrongs: unknown[] = []
  const note = (error: unknown) => wrongs.push(error)
  await run(stand, { kills: times, seed }).catch(note)
  await stand.end().then((found) => wrongs.push(...found), note)
  if (title.includes('P2')) wrongs.push(...movesOf(stand))
  const seconds = (performance.now() - start) / 1000
  const outcome = wrongs.length === 0 ? 'held' : 'failed'
  soaked.push({ title, seed, runs: times, seconds, outcome })
  expect(wrongs).toEqual([])
})

function about(): string {
  const count = (death: string) => deaths.filter((one) => one === death).length
  const writes = ['POST Address', 'PATCH Address', 'DELETE Address', 'PATCH Service']
  const died = writes.map((write) => {
    return `| ${write} | ${count(`before ${write}`)} | ${count(`after ${write}`)} |`
  })
  return `\`BERTH_SOAK_KILLS\` is how many kills, \`BERTH_SOAK_SEED\` the first seed.

Services come, change and go all the while. Every version of every Service is looked at: no address
is shown by two that may not share it, none is lost or changed by a Service that nobody changed; at
rest every address that is shown is recorded, and no other. Where those of the first row died:

| write | before it was sent | after |
| --- | --- | --- |
${died.join('\n')}`
}
