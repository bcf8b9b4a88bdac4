// Is it seen that two nodes announce one address, for as long as they do? On a real API, with speakers
// that do not see each other.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { berth, folderOf } from '../build/terminal.ts'
import { core, verbs } from './cluster.ts'
import { type Cluster, pool, startCluster } from './controllers.ts'
import { kubeconfigFor } from './harness.ts'
import {
  advertisement,
  aNode,
  isReady,
  Ring,
  type RunningSpeaker,
  runSpeaker,
  served,
  settle,
  speakerVerbs,
} from './speakers.ts'
import { until } from './waits.ts'

const isHere = inject('kube') !== undefined
const ip = '192.0.2.14'
let cluster: Cluster
let api: ReturnType<typeof speakerVerbs>
let running: readonly RunningSpeaker[] = []
const ring = new Ring()

beforeAll(async () => {
  if (!isHere) return
  cluster = await startCluster()
  api = speakerVerbs(cluster.admin)
  await verbs(cluster.admin, core('namespaces')).create({ metadata: { name: 'shop' } })
  for (const name of ['node-a', 'node-b']) await api.nodes.create(aNode(name))
  await api.pools.create(pool('lan', ['192.0.2.0/24']))
  await api.advertisements.create(advertisement('lan'))
})
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()))
  await cluster?.stop()
})

const ownersOf = () => running.filter((one) => one.answers().includes(ip))
/** How often it was reported as new. */
const reports = (one: RunningSpeaker) =>
  one.writes().filter((text) => /^POST .*\/servicel2statuses$/.test(text)).length

async function attention(): Promise<unknown> {
  const config = folderOf({ kubeconfig: kubeconfigFor(cluster.kube, 'admin') })
  const { out } = await berth(['status', '-o', 'json', '--kubeconfig', `${config}/kubeconfig`])
  return (JSON.parse(out) as { readonly attention: unknown }).attention
}

describe.skipIf(!isHere)('two owners', () => {
  test('[R8.5] of one address are listed for as long as both announce it', async () => {
    ring.split()
    running = ['node-a', 'node-b'].map((node) => runSpeaker(cluster.kube, { ring, node }))
    await Promise.all(running.map(isReady))
    await served(cluster.admin, 'shop', { name: 'web', ip })
    await until('both answer', () => ownersOf()[1])
    // Each takes the other for dead, and clears what it reported.
    await until(
      'both have reported again',
      () => running.every((one) => reports(one) > 1) || undefined,
    )
    const message = 'node-a and node-b announce it'
    const both = [{ word: 'two-owners', object: 'Service/shop/web', message }]
    const listed = JSON.stringify(both)
    await until(
      'both are listed',
      async () => JSON.stringify(await attention()) === listed || undefined,
    )
    // Nobody clears the second report: it would be gone by now.
    await settle()
    expect(await attention()).toEqual(both)
    ring.mend()
    await until('one answers and is reported', async () => {
      const { items } = await api.statuses.list()
      return (items.length === 1 && ownersOf().length === 1) || undefined
    })
    expect(await attention()).toEqual([])
  })
})
