// What does a whole speaker with BGP do? `--part many`: a start with 5,000 Services, one Service from the
// API to wire and kernel, memory and writes with 10,000 Services and four routers; `--part layer2`: the
// memory without BGP; `--part bird`: one Service with BIRD. Each prints lines of
// docs/bench/bgp.md. Needs root, ip, tcpdump and frr, and `npm run build` before.
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { until } from '../../test/kube/waits.ts'
import { labNamed } from '../../test/lab/namespaces.ts'
import { create } from '../../test/lab/objects.ts'
import {
  berthLab,
  type Ground,
  labName,
  newGround,
  speakersOf,
  startIn,
  stopDataPath,
} from '../lab/ground.ts'
import { machine } from '../machine.ts'
import { addressOf, poolFor, servedBy } from './services.ts'

const { values } = parseArgs({
  options: {
    part: { type: 'string', default: 'many' },
  },
})
const lab = labNamed(labName)
const nowMs = (): number => performance.timeOrigin + performance.now()
const say = (text: string): void => {
  process.stdout.write(`${text} (load ${loadavg()[0]?.toFixed(1)})\n`)
}
const sorted = (some: readonly number[]) => [...some].sort((one, other) => one - other)
const figures = (some: readonly number[]): string => {
  const all = sorted(some)
  const at = (part: number) => (all[Math.floor((all.length - 1) * part)] ?? 0).toFixed(0)
  return `p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, max ${at(1)} ms of ${all.length}`
}

/** Objects are sent in batches of this size. */
const heap = 500

function fill(first: number, last: number): void {
  for (let at = first; at < last; at += heap) {
    const count = Math.min(heap, last - at)
    create(lab, Array.from({ length: count }, (_, index) => servedBy(at + index)).flat())
  }
}

const vtysh = (line: string): string => {
  const folder = `/run/berth-lab/${labName}/routers/router-1`
  return lab.in('router-1', 'vtysh', '--vty_socket', folder, '-d', 'bgpd', '-c', line).out
}
/** That router-1 has from node-1. */
const routes = (): number =>
  Number(/"pfxRcd": *(\d+)/.exec(vtysh('show bgp ipv4 unicast summary json'))?.[1] ?? 0)

async function untilRoutes(count: number): Promise<number> {
  const isSo = () => (routes() >= count ? true : undefined)
  await until(`${count} routes`, isSo, 400_000)
  return nowMs()
}

const pidOf = (ground: Ground): number => speakersOf(ground, 'node-1')[0]?.pid ?? 0

/** Of the process, from the kernel's own figure. */
function startedMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
  const [up = ''] = readFileSync('/proc/uptime', 'utf8').split(' ')
  return nowMs() - Number(up) * 1000 + ticks * 10
}

async function starts(ground: Ground, count: number): Promise<void> {
  const took: number[] = []
  for (let round = 0; round < 3; round++) {
    process.kill(pidOf(ground), 'SIGKILL')
    await until('no route', () => (routes() === 0 ? true : undefined), 30_000)
    berthLab('heal')
    const doneMs = await untilRoutes(count)
    took.push(doneMs - startedMs(pidOf(ground)))
  }
  say(`start with ${count} Services to the last route in FRR: ${figures(took)}`)
}

type Line = { readonly atMs: number; readonly text: string }

/** Lines of a program, each with when it came, or what it says itself of when. */
function lines(place: string, command: readonly string[], atMs: (text: string) => number) {
  const found: Line[] = []
  const child = startIn(place, command)
  if (child.stdout === null) throw new Error('no pipe')
  createInterface(child.stdout).on('line', (text) => found.push({ text, atMs: atMs(text) }))
  return { found, child }
}

async function oneByOne(first: number, count: number): Promise<void> {
  const kubeconfig = `/run/berth-lab/${labName}/api/kubeconfig`
  const script = join(import.meta.dirname, 'serviceWatch.ts')
  const watch = lines(
    'control',
    [process.execPath, script, kubeconfig],
    (text) => (JSON.parse(text) as { atMs: number }).atMs,
  )
  // An UPDATE: a KEEPALIVE is shorter.
  const filter = 'src host 10.10.0.11 and dst host 10.10.0.1 and tcp dst port 179 and greater 100'
  const wire = lines(
    'node-1',
    ['tcpdump', '-tt', '-l', '-n', '--immediate-mode', '-i', 'eth0', filter],
    (text) => Number(text.split(' ')[0]) * 1000,
  )
  const kernel = lines('router-1', ['ip', '-o', 'monitor', 'route'], nowMs)
  await sleep(3_000)
  const took: { wire: number; kernel: number }[] = []
  try {
    for (let at = first; at < first + count; at++) {
      const before = wire.found.length
      watch.child.stdin?.write(`${at}\n`)
      const address = addressOf(at)
      const of = (some: readonly Line[]) => some.find(({ text }) => text.includes(`${address} `))
      const inKernel = await until(address, () => of(kernel.found), 20_000)
      const told = watch.found.find(({ text }) => text.includes(`"${address}"`))
      const sent = wire.found[before]
      if (told === undefined || sent === undefined) continue
      took.push({ wire: sent.atMs - told.atMs, kernel: inKernel.atMs - told.atMs })
      await sleep(150)
    }
  } finally {
    for (const { child } of [watch, wire, kernel]) child.kill()
  }
  say(`one Service, watch event to wire: ${figures(took.map((one) => one.wire))}`)
  say(`one Service, watch event to the router's kernel: ${figures(took.map((one) => one.kernel))}`)
}

function cost(ground: Ground): void {
  const status = readFileSync(`/proc/${pidOf(ground)}/status`, 'utf8')
  const mb = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024).toFixed(0)
  const metrics = lab.in('node-1', 'curl', '-s', '--noproxy', '*', 'http://127.0.0.1:9130/metrics')
  const written = metrics.out.matchAll(/^berth_writes_total\{resource="([^"]*)".*\} ([1-9]\d*)$/gm)
  say(`memory: RSS ${mb('VmRSS')} MB, anonymous ${mb('RssAnon')} MB`)
  say(`written: ${[...written].map(([, what, count]) => `${what} ${count}`).join(', ')}`)
}

async function many(): Promise<void> {
  const ground = newGround('--nodes', '1', '--routers', '4', '--bgp')
  try {
    stopDataPath(ground.lab())
    create(lab, poolFor('bgp'))
    fill(0, 5_000)
    await untilRoutes(5_000)
    await starts(ground, 5_000)
    await oneByOne(5_000, 50)
    fill(5_050, 10_000)
    await untilRoutes(10_000)
    await sleep(30_000)
    say('10,000 Services, four routers:')
    cost(ground)
  } finally {
    ground.down()
  }
}

async function layer2(): Promise<void> {
  const ground = newGround('--nodes', '1')
  try {
    stopDataPath(ground.lab())
    create(lab, poolFor('layer2'))
    fill(0, 10_000)
    const announced = () =>
      lab
        .in('node-1', 'curl', '-s', '--noproxy', '*', 'http://127.0.0.1:9130/metrics')
        .out.match(/^metallb_speaker_announced\{/gm)?.length ?? 0
    await until('all of them', () => (announced() >= 10_000 ? true : undefined), 400_000)
    await sleep(30_000)
    say('10,000 Services, layer 2 alone:')
    cost(ground)
  } finally {
    ground.down()
  }
}

/** FRR waits 50 ms before it chooses a way, and 10 ms more before the kernel gets it. */
async function bird(): Promise<void> {
  const ground = newGround('--nodes', '1', '--routers', '1', '--bgp', '--router-kind', 'bird')
  try {
    create(lab, poolFor('bgp'))
    say('with BIRD:')
    await oneByOne(0, 50)
  } finally {
    ground.down()
  }
}

const parts: Readonly<Record<string, () => Promise<void>>> = { many, layer2, bird }
say(machine())
await parts[values.part]?.()
