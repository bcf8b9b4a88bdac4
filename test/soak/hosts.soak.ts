// Does no address go to two of two thousand hosts on six networks, on a real API server, with seeds that
// nobody has tried? BERTH_SOAK_HOSTS is how many there are; what was run goes to docs/bench/soak.md.
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Cluster, startCluster } from '../kube/controllers.ts'
import { churnHosts } from '../kube/hostChurn.ts'
import { installOpenstack } from '../kube/ipsetStand.ts'
import { type Soaked, writePart } from './soakPage.ts'
import { firstSeed } from './soakSeed.ts'

const hosts = Number(process.env['BERTH_SOAK_HOSTS'] ?? 2_000)
const isHere = inject('hasEngine')
const soaked: Soaked[] = []
let cluster: Cluster
let killed = 0

beforeAll(async () => {
  if (!isHere) return
  const controllers = ['garbage-collector-controller']
  cluster = await startCluster({ controllers, define: installOpenstack })
})
afterAll(async () => {
  await cluster?.stop()
  const heading = 'Hosts on a real API server'
  if (soaked.length > 0) writePart({ heading, about: about(), soaked })
})

test.skipIf(!isHere)(`${hosts} hosts on six networks, seed ${firstSeed}`, async () => {
  const start = performance.now()
  const churn = { namespace: 'many', hosts, steps: 2 * hosts, seed: firstSeed }
  const { kills, ...audit } = await churnHosts(cluster, churn)
  killed = kills
  const seconds = (performance.now() - start) / 1000
  const isHeld = JSON.stringify(audit) === JSON.stringify({ twice: [], wrong: [], unserved: 0 })
  const title = '[R12.5] hosts that come and go under two leaders'
  const outcome = isHeld ? 'held' : 'failed'
  soaked.push({ title, seed: firstSeed, runs: churn.steps, seconds, outcome })
  expect(audit).toEqual({ twice: [], wrong: [], unserved: 0 })
})

const about =
  () => `\`BERTH_SOAK_HOSTS\` is how many hosts (2,000 unless given), \`BERTH_SOAK_SEED\` the seed.

Each IPSet asks for an address on six networks, which have nine for ten of them. Twice as many changes as
there are hosts delete IPSets and make them again, some with a fixedIP. Two controllers serve them, each of
which takes itself for the leader and hears everything 100 ms late; they were killed ${killed} times at a
write, half of them once it was written. All the while everything in the API is listed: no address is
reserved, claimed or shown twice. In the end what is shown is reserved and claimed, and nobody waits beside a
free address.`
