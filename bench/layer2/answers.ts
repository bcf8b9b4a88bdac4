// How fast is an address answered for? Berth compared with the kernel, alternating within the same
// minute, with few and many addresses. Needs root, ip, taskset and gcc. A run of all counts writes
// docs/bench/layer2Answers.md; `--addresses 1000` measures one.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { fromBigInt, type Ip, parseIp, toBigInt } from '../../src/core/net/ip.ts'
import { machine } from '../machine.ts'
import {
  factors,
  type Load,
  type Protocol,
  page,
  type Row,
  table,
  type Who,
} from './answersReport.ts'

const { values } = parseArgs({ options: { addresses: { type: 'string', multiple: true } } })
const counts = values.addresses?.map(Number) ?? [1, 1_000, 10_000]
const [rounds, requests, floodSeconds] = [3, 1_000, 1]
const first: Readonly<Record<Protocol, string>> = { ARP: '10.9.0.1', NDP: 'fd00::9:0:1' }
const here = import.meta.dirname

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const names = { client: 'client', kernel: 'kernel', berth: 'berth' } as const
const spaceOf = (name: keyof typeof names): string => `berth-bench-${process.pid}-${name}`
const inside = (name: keyof typeof names, ...command: readonly string[]): readonly string[] => [
  'netns',
  'exec',
  spaceOf(name),
  ...command,
]

function build(folder: string): string {
  const tool = join(folder, 'arpload')
  run('gcc', '-O2', '-o', tool, join(here, 'arpload.c'))
  return tool
}

function raise(): void {
  for (const name of ['client', 'kernel', 'berth'] as const) {
    run('ip', 'netns', 'add', spaceOf(name))
    run('ip', ...inside(name, 'sysctl', '-qw', 'net.ipv6.conf.default.accept_dad=0'))
  }
  for (const who of ['kernel', 'berth'] as const) {
    const peer = ['peer', 'name', 'eth0', 'netns', spaceOf(who)]
    run('ip', '-n', spaceOf('client'), 'link', 'add', `to-${who}`, 'type', 'veth', ...peer)
    run('ip', '-n', spaceOf('client'), 'link', 'set', `to-${who}`, 'up')
    run('ip', '-n', spaceOf(who), 'link', 'set', 'eth0', 'up')
  }
}

function raze(): void {
  for (const name of ['client', 'kernel', 'berth'] as const) {
    try {
      run('ip', 'netns', 'del', spaceOf(name))
    } catch {
      // Some may not have been created.
    }
  }
}

/** Frames go to the receiver's core (RPS), or stay on the sender's. */
function place(cores: Row['cores']): void {
  const set = (name: keyof typeof names, link: string, core: string): void => {
    const file = `/sys/class/net/${link}/queues/rx-0/rps_cpus`
    run('ip', ...inside(name, 'sh', '-c', `echo ${cores === 'apart' ? core : 0} > ${file}`))
  }
  for (const who of ['kernel', 'berth'] as const) {
    set(who, 'eth0', '2')
    set('client', `to-${who}`, '1')
  }
}

function* addresses(text: string, count: number): Generator<Ip> {
  const ip = parseIp(text)
  if (!ip.ok) throw new Error(ip.why)
  const family = text.includes(':') ? 'IPv6' : 'IPv4'
  for (let at = 0n; at < BigInt(count); at++) yield fromBigInt(family, toBigInt(ip.value) + at)
}

function giveKernel(count: number): void {
  const lines = [...addresses(first.ARP, count), ...addresses(first.NDP, count)].map(
    (ip) => `addr replace ${ip}/${ip.includes(':') ? 128 : 32} dev eth0`,
  )
  const input = `${lines.join('\n')}\n`
  execFileSync('ip', ['-n', spaceOf('kernel'), '-batch', '-'], { input })
}

async function startBerth(count: number): Promise<ChildProcess> {
  const command = [process.execPath, join(here, 'answerer.ts'), first.ARP, first.NDP, `${count}`]
  const child = spawn('ip', inside('berth', ...command), { stdio: ['pipe', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', () => resolve())
    child.once('exit', () => reject(new Error('the process ended')))
  })
  return child
}

function measure(tool: string, at: { who: Who; protocol: Protocol; count: number }): Load {
  const asked = [
    `to-${at.who}`,
    first[at.protocol],
    `${at.count}`,
    `${requests}`,
    `${floodSeconds}`,
  ]
  return JSON.parse(run('ip', ...inside('client', 'taskset', '-c', '0', tool, ...asked)))
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Over all rounds: the median of each figure, and the maximum of `max`. */
function together(loads: readonly Load[]): Load {
  const of = (key: keyof Load): readonly number[] => loads.map((load) => load[key])
  return {
    p50: median(of('p50')),
    p99: median(of('p99')),
    max: Math.max(...of('max')),
    lost: of('lost').reduce((sum, lost) => sum + lost, 0),
    perSecond: median(of('perSecond')),
  }
}

function measureAll(tool: string, count: number): readonly Row[] {
  const rows: Row[] = []
  for (const cores of ['apart', 'together'] as const) {
    place(cores)
    for (const protocol of ['ARP', 'NDP'] as const) {
      const loads: Record<Who, Load[]> = { kernel: [], berth: [] }
      for (let round = 0; round < rounds; round++) {
        for (const who of ['kernel', 'berth'] as const) {
          loads[who].push(measure(tool, { who, protocol, count }))
        }
      }
      for (const who of ['kernel', 'berth'] as const) {
        rows.push({ protocol, cores, addresses: count, who, load: together(loads[who]) })
      }
    }
  }
  return rows
}

const where = machine()
const folder = mkdtempSync(join(tmpdir(), 'berth-bench-'))
try {
  const tool = build(folder)
  raise()
  const rows: Row[] = []
  for (const count of counts) {
    giveKernel(count)
    const berth = await startBerth(count)
    // The bursts end 4.4 s after the start.
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    rows.push(...measureAll(tool, count))
    berth.stdin?.end()
    await new Promise((resolve) => berth.once('exit', resolve))
  }
  process.stdout.write(`${factors(rows)}\n\n${table(rows)}\n`)
  if (values.addresses === undefined) {
    const file = join(here, '../../docs/bench/layer2Answers.md')
    writeFileSync(file, page({ machine: where, rows }))
  }
} finally {
  raze()
  rmSync(folder, { recursive: true })
}
