// What does a speaker cost? Memory, idle CPU and writes to the API, with few and many Services.
// `--services 1000` measures one size; a run of all three writes docs/bench/speaker.md. Needs root,
// ip, nft and curl, and `npm run build` before.
import { readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readLab } from '../../src/app/lab/labFolder.ts'
import { isAlive } from '../../src/edge/host/process.ts'
import { labNamed, run } from '../../test/lab/namespaces.ts'
import { create, pool, service, type Written } from '../../test/lab/objects.ts'
import { machine } from '../machine.ts'
import { type Cost, costTable, page } from './costReport.ts'
import { stopDataPath } from './ground.ts'

const root = join(import.meta.dirname, '../..')
/** A lab of its own, so that other benchmarks do not remove it. */
const lab = labNamed('cost')
const nodes = ['node-1', 'node-2', 'node-3']
const lost = 'node-2'
const sizes = [1, 1_000, 10_000]
/** Objects are sent in batches of this size. */
const heap = 500
const idleMs = 60_000
/** Pause after a change before anything is measured. */
const restMs = 60_000
const lookMs = 3_000

const { values } = parseArgs({ options: { services: { type: 'string', multiple: true } } })
const say = (text: string): void => {
  const load = loadavg()[0]?.toFixed(1)
  process.stderr.write(`${(performance.now() / 1000).toFixed(0)} s: ${text} (load ${load})\n`)
}

/** Built, as shipped; the lab starts it with the DaemonSet's options. */
function berth(...args: readonly string[]): void {
  const [word = '', ...rest] = args
  const command = [join(root, 'dist/main.js'), 'lab', word, '--name', lab.name, ...rest]
  const { status, err } = run([process.execPath, ...command])
  if (status !== 0) throw new Error(`berth lab ${args.join(' ')}: ${err}`)
}

const pidsOf = (role: string, machine?: string): readonly number[] =>
  readLab(lab.name)
    .tasks.filter((task) => task.role === role && (machine ?? task.machine) === task.machine)
    .filter(isAlive)
    .map(({ pid }) => pid)

async function measure(services: number): Promise<Cost> {
  berth('down')
  try {
    berth('up', '--nodes', '3', '--routers', '0', '--clients', '1')
    stopDataPath(readLab(lab.name))
    const before = await quiet(1)
    create(lab, pool({ name: 'many', addresses: '10.10.128.0/17' }))
    for (let first = 0; first < services; first += heap) {
      const count = Math.min(heap, services - first)
      create(lab, Array.from({ length: count }, (_, at) => withSlice(first + at)).flat())
      say(`${first + count} Services`)
    }
    const after = await quiet(services + 1)
    const written = difference(after, before)
    say(`all announced and reported: ${JSON.stringify(written)}`)
    await sleep(restMs)
    const [memory, idlePercent] = await Promise.all([memoryOf(nodes), idleOf(nodes)])
    return { services, announced: services, written, memory, idlePercent, ...(await lose(after)) }
  } finally {
    berth('down')
  }
}

/** One node fails and comes back, and then has everything to read at once. */
async function lose(before: Seen): Promise<Pick<Cost, 'moved' | 'movedWritten' | 'restarted'>> {
  const [had, others] = [announcedBy(lost), nodes.filter((node) => node !== lost)]
  berth('fail', 'node', lost)
  const after = await quiet(before.announced, others)
  say(`${had} moved`)
  const kept = seenBy(others)
  const writes = new Map([...before.byNode].filter(([node]) => node !== lost))
  const movedWritten = difference(kept, { ...before, byNode: writes })
  berth('heal')
  await quiet(after.announced)
  await sleep(restMs)
  return { moved: had, movedWritten, restarted: await memoryOf([lost]) }
}

type Writes = Readonly<Record<string, number>>
type Seen = { readonly announced: number; readonly byNode: ReadonlyMap<string, Writes> }

const metricsOf = (node: string): string =>
  lab.in(node, 'curl', '-s', '--noproxy', '*', 'http://127.0.0.1:9130/metrics').out
/** Counts Services, some of which have two addresses. */
const countIn = (text: string): number => {
  const line = /^metallb_speaker_announced\{.*?service="([^"]*)"/gm
  return new Set([...text.matchAll(line)].map(([, name]) => name)).size
}
const announcedBy = (node: string): number => countIn(metricsOf(node))

function seenBy(some: readonly string[]): Seen {
  const pages = some.map((node) => [node, metricsOf(node)] as const)
  return {
    announced: pages.reduce((sum, [, text]) => sum + countIn(text), 0),
    byNode: new Map(pages.map(([node, text]) => [node, writesIn(text)])),
  }
}

/** Writes about announcements, without a speaker's writes about itself. */
function writesIn(text: string): Writes {
  const line = /^berth_writes_total\{resource="([^"]*)",result="ok"\} (\d+)$/gm
  const all = [...text.matchAll(line)].map(([, what = '', count]) => [what, Number(count)] as const)
  return Object.fromEntries(all.filter(([what]) => /^(servicel2statuses|events)/.test(what)))
}

const sumOf = ({ byNode }: Seen, what: string): number =>
  [...byNode.values()].reduce((sum, writes) => sum + (writes[what] ?? 0), 0)

function difference(after: Seen, before: Seen): Cost['written'] {
  const of = (what: string): number => sumOf(after, what) - sumOf(before, what)
  return {
    objects: of('servicel2statuses'),
    statuses: of('servicel2statuses/status'),
    events: of('events'),
  }
}

/** Waits until that many are announced and nothing more is written about them. */
async function quiet(announced: number, some = nodes): Promise<Seen> {
  for (let [before, calm] = ['', 0]; ; ) {
    const seen = seenBy(some)
    const text = JSON.stringify([...seen.byNode])
    calm = text === before && seen.announced >= announced ? calm + 1 : 0
    if (calm === 2) return seen
    before = text
    await sleep(lookMs)
  }
}

/** Policy Local would need a health-check node port each, and there are only 2,768. */
function withSlice(index: number): readonly Written[] {
  const name = `many-${index}`
  const address = `10.10.${128 + Math.floor(index / 250)}.${(index % 250) + 1}`
  return [service({ name, address, policy: 'Cluster' }), slice(name)]
}

const slice = (name: string): Written => ({
  path: `/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/${name}`,
  body: {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace: 'default', labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: nodes.map((nodeName, at) => ({
      addresses: [`10.30.${11 + at}.2`],
      nodeName,
      conditions: { ready: true },
    })),
  },
})

/** The maximum over time of the largest of these speakers: some of it comes and goes. */
async function memoryOf(some: readonly string[]): Promise<Cost['memory']> {
  const pids = some.flatMap((node) => pidsOf('speaker', node))
  const looks: Cost['memory'][] = []
  for (const endMs = performance.now() + idleMs; performance.now() < endMs; await sleep(lookMs)) {
    looks.push(...pids.map(memoryOfOne))
  }
  const largest = looks.reduce((most, look) => (look.nowMb > most.nowMb ? look : most))
  return { ...largest, peakMb: Math.max(...looks.map(({ peakMb }) => peakMb)) }
}

const memoryOfOne = (pid: number): Cost['memory'] => ({
  nowMb: megabytes(pid, 'VmRSS'),
  peakMb: megabytes(pid, 'VmHWM'),
  ownMb: megabytes(pid, 'RssAnon'),
})

function megabytes(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
}

async function idleOf(some: readonly string[]): Promise<number> {
  const pids = some.flatMap((node) => pidsOf('speaker', node))
  const before = pids.map(ticksOf)
  await sleep(idleMs)
  const used = pids.map((pid, at) => ticksOf(pid) - (before[at] ?? 0))
  return (Math.max(...used) * tickMs * 100) / idleMs
}

const tickMs = 10

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

const where = machine()
const costs: Cost[] = []
for (const size of values.services?.map(Number) ?? sizes) {
  costs.push(await measure(size))
  process.stdout.write(`${costTable(costs)}\n\n`)
}
if (values.services === undefined) {
  writeFileSync(join(root, 'docs/bench/speaker.md'), page({ machine: where, costs }))
}
