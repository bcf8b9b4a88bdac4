// How fast is the controller on a real API server? One run on one server, compared with the rate at
// which that server accepts the same writes; writes docs/bench/controller.md. `--services N` makes
// a quick run that only prints to standard output.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { until } from '../../test/kube/waits.ts'
import { machine } from '../machine.ts'
import { type BareRun, bareWrites } from './bare.ts'
import { inParallel } from './bareClient.ts'
import { berth, type Contender, metallb } from './daemon.ts'
import {
  createWhileRunning,
  creators,
  deleteMany,
  type Fill,
  fill,
  type Ground,
  letIn,
  restart,
  restartWithOneNew,
} from './measures.ts'
import { type Figures, page, type Round } from './report.ts'
import { Seen } from './seen.ts'
import { buildTown, clear, createService, readServices, setPool, upTo } from './town.ts'

const output = fileURLToPath(new URL('../../docs/bench/controller.md', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const usual = 10_000
/** Alternating with the bare client: the server's speed varies by a third within minutes. */
const turns = 5

const say = (text: string): void => {
  const load = loadavg()[0]?.toFixed(1)
  process.stderr.write(`${(performance.now() / 1000).toFixed(0)} s: ${text} (load ${load})\n`)
}

async function populate({ town, seen }: Ground, first: number, end: number): Promise<number> {
  const start = performance.now()
  await inParallel(creators, upTo(first, end), (number) => createService(town, number))
  const perSecond = ((end - first) * 1000) / (performance.now() - start)
  await until('all Services are seen', () => seen.came.size === end || undefined)
  say(`${end} Services created, ${perSecond.toFixed(0)} a second`)
  return perSecond
}

async function cleared({ town, seen }: Ground): Promise<void> {
  await clear(town)
  await until(
    'no Service has an address',
    () => seen.addressed.size + seen.claims.size === 0 || undefined,
  )
}

/** With few writes, only to find the best concurrency. */
async function concurrencies({ town }: Ground, most: number): Promise<BareRun[]> {
  const views = await readServices(town)
  const runs: BareRun[] = []
  let first = 0
  for (const atOnce of [1, 8, 16, 32]) {
    const count = Math.min(atOnce === 1 ? 200 : 1_000, Math.floor(most / 4))
    const some = views.slice(first, first + count)
    runs.push(await bareWrites(town, some, { atOnce, first }))
    first += count
  }
  return runs
}

const fastest = (runs: readonly BareRun[]): number =>
  runs.reduce((best, run) => (run.ms / run.count < best.ms / best.count ? run : best)).atOnce

async function round(
  ground: Ground,
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
  contenders: readonly Contender[],
): Promise<Round> {
  const { town } = ground
  const bare = await bareWrites(town, await readServices(town), { atOnce })
  say(`${count} with a bare client in ${(bare.ms / 1000).toFixed(1)} s`)
  const fills: Fill[] = []
  for (const contender of contenders) {
    await cleared(ground)
    const [figures, daemon] = await fill(ground, contender, count)
    await daemon.stop()
    fills.push(figures)
    const { statusMs, peakRssMb } = figures
    say(`${count} with ${contender.name} in ${(statusMs / 1000).toFixed(1)} s, ${peakRssMb} MB`)
  }
  return { bare, fills }
}

async function measure(most: number): Promise<Figures> {
  const town = await buildTown()
  const seen = new Seen(town.api)
  const ground: Ground = { town, seen }
  try {
    await setPool(town, 'town', ['10.0.0.0/14'])
    const binary = process.env['METALLB_CONTROLLER']
    // Berth comes last, so that later measures find its Addresses.
    const contenders = [...(binary === undefined ? [] : [metallb(binary)]), berth]
    const half = Math.floor(most / 2)
    const createdPerSecond = await populate(ground, 0, half)
    const bare = await concurrencies(ground, half)
    await cleared(ground)
    const atOnce = fastest(bare)
    say(`${atOnce} at a time is fastest`)
    const rounds: Round[] = []
    for (let turn = 0; turn < (most === usual ? turns : 1); turn++) {
      rounds.push(await round(ground, { count: half, atOnce }, contenders))
      await cleared(ground)
    }
    await populate(ground, half, most)
    rounds.push(await round(ground, { count: most, atOnce }, contenders))
    const again = await restart(ground, berth)
    say(`restarted, lists read after ${again.listedMs.toFixed(0)} ms`)
    const [canary, daemon] = await restartWithOneNew(ground, berth, most)
    say(`restarted, works after ${canary.addressedMs.toFixed(0)} ms`)
    const some = Math.min(1_000, half)
    const next = most + 1
    const live = await createWhileRunning(ground, [next, next + some])
    say(`${some} created while it runs`)
    const deleted = await deleteMany(ground, [0, some])
    say(`${some} deleted`)
    const admitted = await letIn(ground, [next + some, next + 2 * some])
    say(`${some} addressed after the pool was enlarged`)
    const costAtEnd = daemon.cost()
    await daemon.stop()
    const isMetallbRun = binary !== undefined
    return {
      most,
      createdPerSecond,
      bare,
      rounds,
      again,
      canary,
      live,
      deleted,
      admitted,
      costAtEnd,
      isMetallbRun,
    }
  } finally {
    seen.close()
    await town.stop()
  }
}

const { values } = parseArgs({ options: { services: { type: 'string' } } })
const most = Number(values.services ?? usual)
const built = spawnSync('tsc', ['-b', 'src'], { cwd: root, stdio: 'inherit' })
if (built.status !== 0) throw new Error('building dist/ failed')
const told = machine()
const text = page(told, await measure(most))
if (most === usual) writeFileSync(output, text)
process.stdout.write(text)
