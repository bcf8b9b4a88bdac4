// Does it matter to hosts when the program dies? `berth controller` killed with SIGKILL while it serves
// two hundred of them, and started again: nobody moves, nothing is given twice, nobody is forgotten.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { KubeObject } from './cluster.ts'
import { type Cluster, ownNamespace, startCluster } from './controllers.ts'
import { kubeconfigFor } from './harness.ts'
import {
  contradictions,
  type IpSetStand,
  installOpenstack,
  ipSet,
  isReady,
  newIpSetStand,
  reservedBy,
} from './ipsetStand.ts'
import { type Program, startProgram } from './program.ts'
import { until } from './waits.ts'

const isHere = inject('kube') !== undefined
const main = join(import.meta.dirname, '../../src/main.ts')
const hosts = 200
const networks = ['InternalApi', 'Storage', 'Tenant']
/** The number of statuses after which it is killed; it has at most 32 more on their way. */
const deaths = [1, 20, 40]
/** The Lease of a dead one lasts for 15 s. */
const patienceMs = 120_000

let cluster: Cluster
let stand: IpSetStand
let program: Program | undefined

beforeAll(async () => {
  if (!isHere) return
  cluster = await startCluster({ define: installOpenstack })
  stand = await newIpSetStand(cluster, 'killed', {
    networks: networks.map((name, at) => {
      const ends = { start: `172.${17 + at}.0.1`, end: `172.${17 + at}.1.250` }
      const subnet = { name: 'subnet1', cidr: `172.${17 + at}.0.0/16`, vlan: 20 + at }
      return { name, subnets: [{ ...subnet, allocationRanges: [ends] }] }
    }),
  })
})
afterAll(async () => {
  await program?.stop('SIGTERM')
  await cluster?.stop()
})

function start(): Program {
  const { kube } = cluster
  const kubeconfig = join(kube.folder, 'ipsets.kubeconfig')
  writeFileSync(kubeconfig, kubeconfigFor(kube, 'admin'))
  const flags = ['--port=0', '--health-probe-port=0', '--webhook-mode=disabled']
  const place = [`--kubeconfig=${kubeconfig}`, `--namespace=${ownNamespace}`]
  const args = [main, 'controller', '--openstack=serve', ...place, ...flags]
  return startProgram({ name: 'ipsets', path: process.execPath, args, folder: kube.folder })
}

/** By host: what it was told that it has. */
function toldTo(all: readonly KubeObject[]): ReadonlyMap<string, string> {
  return new Map(
    all.filter(isReady).map((one) => [
      one.metadata.name,
      reservedBy(one)
        .map(({ network, address }) => `${network} ${address}`)
        .join(', '),
    ]),
  )
}

async function allReady(): Promise<void> {
  const look = async () => {
    const { items } = await stand.ipSets.list()
    return items.filter(isReady).length === hosts || undefined
  }
  await until('all hosts are ready', look, patienceMs)
}

/** Killed the moment the API tells of so many statuses: a list would come too late. */
async function diesAfter(statuses: number): Promise<void> {
  const { metadata } = await stand.ipSets.list()
  const path = `/apis/network.openstack.org/v1beta1/namespaces/${stand.namespace}/ipsets`
  const query = { watch: 'true', resourceVersion: metadata.resourceVersion }
  const signal = AbortSignal.timeout(patienceMs)
  const dying = start()
  program = dying
  let seen = 0
  for await (const _ of cluster.admin.stream({ method: 'GET', path, query, signal })) {
    if (++seen === statuses) break
  }
  await dying.stop('SIGKILL')
  expect(seen).toBe(statuses)
}

test.skipIf(!isHere)(
  '[R12.5] killed in the middle, again and again, nothing is lost',
  async () => {
    const names = Array.from({ length: hosts }, (_, number) => `host-${number}`)
    await Promise.all(names.map((name) => stand.ipSets.create(ipSet(name, networks))))
    const told = new Map<string, string>()
    for (const statuses of deaths) {
      await diesAfter(statuses)
      for (const [name, what] of toldTo((await stand.ipSets.list()).items)) {
        expect(told.get(name) ?? what, `${name} before`).toBe(what)
        told.set(name, what)
      }
      expect((await contradictions(stand)).filter((one) => one.includes('twice'))).toEqual([])
    }
    expect(told.size).toBeLessThan(hosts)
    program = start()
    await allReady()
    const after = toldTo((await stand.ipSets.list()).items)
    expect([...told].filter(([name, what]) => after.get(name) !== what)).toEqual([])
    const atRest = async () => (await contradictions(stand)).length === 0 || undefined
    await until('nothing contradicts', atRest)
    // The lowest, each once: none is lost to a dead one.
    const lowest = networks.flatMap((network, at) =>
      names.map((_, number) => `${network} 172.${17 + at}.0.${number + 1}`),
    )
    const given = [...after.values()].flatMap((text) => text.split(', '))
    expect(given.sort()).toEqual(lowest.sort())
  },
  300_000,
)
