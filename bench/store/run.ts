// How does the embedded API compare with kube-apiserver and etcd, on the same disk and in one run?
// Writes docs/bench/store.md. `--objects N` makes a quick run that prints to standard output.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machine } from '../machine.ts'
import { address } from './addressed.ts'
import { boats, configMaps, defineBoats } from './goods.ts'
import { fill, list, type Many, settledMemory } from './many.ts'
import { type Figures, page, type WriteRate } from './report.ts'
import { berth, type Contender, kube, type Memory, type Server } from './servers.ts'
import { latencies } from './watches.ts'
import { create, type Operation, update } from './writes.ts'

const output = fileURLToPath(new URL('../../docs/bench/store.md', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const usual = 100_000
const [warmUp, listings, starts] = [300, 3, 5]

const say = (text: string): void => {
  const load = loadavg()[0]?.toFixed(1)
  process.stderr.write(`${(performance.now() / 1000).toFixed(0)} s: ${text} (load ${load})\n`)
}

/** As many as a slow server does in a few seconds. */
const countFor = (clients: number, most: number): number =>
  Math.min(most, clients === 1 ? 1_000 : 4_000)

async function writeRates(server: Server, most: number): Promise<WriteRate[]> {
  const rates: WriteRate[] = []
  for (const goods of [configMaps, boats]) {
    await create({ server, goods, clients: 8, count: warmUp })
    for (const operation of ['create', 'update'] as const satisfies readonly Operation[]) {
      for (const clients of [1, 8, 32]) {
        const count = countFor(clients, most)
        const write = operation === 'create' ? create : update
        const perSecond = await write({ server, goods, clients, count })
        rates.push({ goods: goods.name, operation, clients, perSecond })
        say(
          `${server.name}: ${operation} ${goods.name}, ${clients} clients: ${perSecond.toFixed(0)}/s`,
        )
      }
    }
  }
  return rates
}

async function load(server: Server, objects: number): Promise<Many> {
  const writesPerSecond = await fill(server, objects)
  const filled = await settledMemory(server)
  const lists = []
  for (let turn = 0; turn < listings; turn++) lists.push(await list(server))
  const listed = await settledMemory(server)
  const readyMs = await server.restart()
  const restarted = await settledMemory(server)
  say(`${server.name}: ${objects} objects, ready again after ${readyMs.toFixed(0)} ms`)
  return { writesPerSecond, filled, lists, listed, readyMs, restarted }
}

async function measure(contender: Contender, objects: number): Promise<Omit<Figures, 'many'>> {
  const startsMs: number[] = []
  let fresh: Memory = { nowMb: 0, peakMb: 0 }
  for (let turn = 1; turn < starts; turn++) {
    const server = await contender.start()
    startsMs.push(server.startedMs)
    await server.stop()
  }
  const server = await contender.start()
  startsMs.push(server.startedMs)
  say(`${contender.name}: ready after ${startsMs.map((ms) => ms.toFixed(0)).join(', ')} ms`)
  try {
    fresh = await settledMemory(server)
    await defineBoats(server)
    const rates = await writeRates(server, objects)
    const watchMs = await latencies(server, { watchers: 100, writes: Math.min(200, objects) })
    say(`${contender.name}: watched`)
    return { name: contender.name, startsMs, fresh, rates, watchMs }
  } finally {
    await server.stop()
  }
}

/** On a server that has nothing else: memory is that of these objects. */
async function carry({ start }: Contender, objects: number): Promise<Many> {
  const server = await start()
  try {
    return await load(server, objects)
  } finally {
    await server.stop()
  }
}

const { values } = parseArgs({ options: { objects: { type: 'string' } } })
const objects = Number(values.objects ?? usual)
const built = spawnSync('npx', ['tsc', '-b'], { cwd: root, encoding: 'utf8' })
if (built.status !== 0) throw new Error(`building dist/ failed: ${built.stdout}`)
const about = machine()
const whole = async (contender: Contender): Promise<Figures> => ({
  ...(await measure(contender, objects)),
  many: await carry(contender, objects),
})
const both: [Figures, Figures] = [await whole(kube), await whole(berth)]
const services = Math.ceil(objects / 10)
const addressed = [await address(kube, services), await address(berth, services)] as const
say(`${services} Services addressed in ${addressed.map(({ ms }) => ms.toFixed(0)).join(', ')} ms`)
const text = page({ about, objects, both, addressed })
if (values.objects === undefined) writeFileSync(output, text)
process.stdout.write(text)
