// How fast do hosts of OpenStack get their addresses on a real API server, and how soon is a changed host
// answered for? Writes docs/bench/openstack.md. `--hosts N` makes a quick run that only prints.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { berthWith, type Cost } from '../kube/daemon.ts'
import { type Requests, requestsSince, requestsSoFar } from '../kube/requests.ts'
import { buildTown, type Town, upTo } from '../kube/town.ts'
import { machine } from '../machine.ts'
import { type BareHosts, bareHosts } from './bareHosts.ts'
import { measureNames, type Names } from './names.ts'
import { measureRealFiles, type RealFiles } from './realFiles.ts'
import { page } from './report.ts'
import { buildHosts, clearHosts, createHosts, hostName, SeenHosts } from './town.ts'

export type Filled = Cost & {
  readonly count: number
  readonly bare: BareHosts
  /** From the start of the process, where all hosts are there before. */
  readonly firstMs: number
  readonly allMs: number
  readonly doubled: number
  readonly requests: Requests
}
export type AtOnce = {
  readonly count: number
  /** All of them created, and from the first request to the first and the last Ready. */
  readonly createdMs: number
  readonly firstMs: number
  readonly allMs: number
  readonly doubled: number
  readonly requests: Requests
}
export type Again = {
  readonly count: number
  readonly requests: Requests
  /** A host that was made while no controller ran, from the start of the process. */
  readonly newMs: number
}
export type Figures = {
  readonly filled: readonly Filled[]
  readonly atOnce: AtOnce
  readonly again: Again
  readonly names: Names
  readonly realFiles: RealFiles | undefined
}

const output = fileURLToPath(new URL('../../docs/bench/openstack.md', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const berth = berthWith('--openstack=serve')
const atOnce = 32
/** What is written after the last status, events above all. */
const calmMs = 3_000

const say = (text: string): void => {
  const load = loadavg()[0]?.toFixed(1)
  process.stderr.write(`${(performance.now() / 1000).toFixed(0)} s: ${text} (load ${load})\n`)
}

type Ground = { readonly town: Town; readonly seen: SeenHosts }

async function emptied({ town, seen }: Ground): Promise<void> {
  await clearHosts(town)
  await seen.isEmpty()
}

/** First the bare client, then the controller, on the same hosts made again. */
async function filled(ground: Ground, count: number): Promise<Filled> {
  const { town, seen } = ground
  const numbers = upTo(0, count)
  await createHosts(town, numbers)
  const bare = await bareHosts(town, count, atOnce)
  say(`${count} hosts by a bare client in ${(bare.ms / 1000).toFixed(1)} s`)
  await emptied(ground)
  await createHosts(town, numbers)
  const before = await requestsSoFar(town.kube)
  const daemon = berth.start(town)
  await seen.isReady(numbers)
  const ready = [...seen.ready.values()].map((ms) => ms - daemon.startedMs)
  const [firstMs, allMs] = [Math.min(...ready), Math.max(...ready)]
  await sleep(calmMs)
  const requests = requestsSince(before, await requestsSoFar(town.kube), [])
  const cost = daemon.cost()
  await daemon.stop()
  say(`${count} hosts by Berth in ${(allMs / 1000).toFixed(1)} s, ${cost.peakRssMb.toFixed(0)} MB`)
  return { count, bare, firstMs, allMs, doubled: seen.doubled, requests, ...cost }
}

async function restarted({ town, seen }: Ground, count: number): Promise<Again> {
  const before = await requestsSoFar(town.kube)
  const first = berth.start(town)
  await first.ready()
  await sleep(calmMs)
  const requests = requestsSince(before, await requestsSoFar(town.kube), [])
  await first.stop()
  await createHosts(town, [count])
  const second = berth.start(town)
  await seen.isReady([count])
  const newMs = (seen.ready.get(hostName(count)) ?? 0) - second.startedMs
  await second.stop()
  return { count, requests, newMs }
}

async function allAtOnce(ground: Ground, count: number): Promise<AtOnce> {
  const { town, seen } = ground
  const daemon = berth.start(town)
  await daemon.ready()
  const before = await requestsSoFar(town.kube)
  const start = performance.now()
  const createdMs = await createHosts(town, upTo(0, count))
  await seen.isReady(upTo(0, count))
  const ready = [...seen.ready.values()].map((ms) => ms - start)
  await sleep(calmMs)
  const requests = requestsSince(before, await requestsSoFar(town.kube), ['POST ipsets'])
  await daemon.stop()
  const [firstMs, allMs] = [Math.min(...ready), Math.max(...ready)]
  say(`${count} hosts created at once: all Ready after ${(allMs / 1000).toFixed(1)} s`)
  return { count, createdMs, firstMs, allMs, doubled: seen.doubled, requests }
}

async function measure(sizes: readonly number[]): Promise<Figures> {
  const town = await buildTown()
  await buildHosts(town)
  const ground: Ground = { town, seen: new SeenHosts(town) }
  try {
    const [small = 0] = sizes
    const all: Filled[] = []
    for (const size of sizes) {
      await emptied(ground)
      all.push(await filled(ground, size))
    }
    const again = await restarted(ground, sizes.at(-1) ?? small)
    await emptied(ground)
    const created = await allAtOnce(ground, small)
    const realFiles = measureRealFiles()
    return { filled: all, atOnce: created, again, names: await measureNames(), realFiles }
  } finally {
    ground.seen.close()
    await town.stop()
  }
}

const { values } = parseArgs({ options: { hosts: { type: 'string' } } })
const sizes = values.hosts === undefined ? [1_000, 5_000] : [Number(values.hosts)]
const built = spawnSync('tsc', ['-b', 'src'], { cwd: root, stdio: 'inherit' })
if (built.status !== 0) throw new Error('building dist/ failed')
const told = machine()
const text = page(told, await measure(sizes))
if (values.hosts === undefined) writeFileSync(output, text)
process.stdout.write(text)
