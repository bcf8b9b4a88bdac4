// How fast do routes reach a router, and leave it? Berth beside BIRD, to BIRD and to FRR, in turn
// within the same minutes. Needs root, ip, bird and frr. A run of all counts writes
// docs/bench/bgp.md; `--routes 1000` measures one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { machine } from '../machine.ts'
import {
  type Contest,
  clear,
  type Receiver,
  raise,
  type Sender,
  startBerth,
  startBird,
  startBirdSender,
  startFrr,
} from './contest.ts'

const rounds = 3
const { values } = parseArgs({ options: { routes: { type: 'string', multiple: true } } })
const counts = values.routes?.map(Number) ?? [10_000, 100_000]
const receivers = { BIRD: startBird, FRR: startFrr } as const
const senders = { Berth: startBerth, BIRD: startBirdSender } as const
type To = keyof typeof receivers
type From = keyof typeof senders
type Took = { readonly announcedMs: number; readonly withdrawnMs: number; readonly cpuMs: number }
type Row = Pick<Contest, 'count' | 'attributes'> & { to: To; from: From; took: Took }

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

async function timed(receiver: Receiver, count: number, begin: () => void): Promise<number> {
  const startMs = performance.now()
  begin()
  while (receiver.routes() !== count) {
    if (performance.now() - startMs > 60_000) throw new Error(`not ${count} routes in a minute`)
    await sleep(5)
  }
  return performance.now() - startMs
}

async function contest(to: To, from: From, given: Contest): Promise<Took> {
  const receiver = await receivers[to](given.folder)
  let sender: Sender | undefined
  try {
    sender = await senders[from](given)
    const before = sender.cpuMs()
    const announcedMs = await timed(receiver, given.count, () => sender?.announce())
    const withdrawnMs = await timed(receiver, 0, () => sender?.withdraw())
    return { announcedMs, withdrawnMs, cpuMs: sender.cpuMs() - before }
  } finally {
    sender?.stop()
    receiver.stop()
    await sleep(300)
  }
}

async function measured(folder: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const count of counts) {
    for (const attributes of ['equal', 'different'] as const) {
      for (const to of ['BIRD', 'FRR'] as const) {
        const all: Record<From, Took[]> = { Berth: [], BIRD: [] }
        for (let round = 0; round < rounds; round++) {
          for (const from of ['Berth', 'BIRD'] as const) {
            all[from].push(await contest(to, from, { folder, count, attributes }))
          }
        }
        for (const from of ['Berth', 'BIRD'] as const) {
          const of = (figure: keyof Took) => median(all[from].map((took) => took[figure]))
          const took = { announcedMs: of('announcedMs'), withdrawnMs: of('withdrawnMs') }
          rows.push({ count, attributes, to, from, took: { ...took, cpuMs: of('cpuMs') } })
          process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`)
        }
      }
    }
  }
  return rows
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

function tableOf(rows: readonly Row[]): string {
  const head = ['routes', 'attributes', 'to', 'from', 'announced', 'withdrawn', 'computing']
  const cells = rows.map(({ count, attributes, to, from, took }) => [
    ...[count.toLocaleString('en'), attributes, to, from],
    ...[seconds(took.announcedMs), seconds(took.withdrawnMs), seconds(took.cpuMs)],
  ])
  const all = [head, head.map(() => '---'), ...cells]
  return all.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

const page = (about: string, rows: readonly Row[]): string => `# Figures: BGP

${about}
Made by \`node bench/bgp/run.ts\` (root, ip, bird, frr). A sender and a receiver in two namespaces, one
session that is up. \`Announced\`: from the order to the sender, which has no routes then, until the
receiver has all; \`withdrawn\`: from the order until it has none. The receiver is asked over
its control socket, about every 20 ms. \`Computing\` is the sender's processor time for both. Each figure
is the median of ${rounds} rounds, in which the senders alternate. Where both senders take as long, and
compute for less, the receiver is the limit. With different attributes each route has a community of
its own, and so a message of its own.

${tableOf(rows)}
`

const about = machine()
const folder = mkdtempSync(join(tmpdir(), 'berth-bgp-'))
try {
  raise()
  const rows = await measured(folder)
  const file = join(import.meta.dirname, '../../docs/bench/bgp.md')
  if (values.routes === undefined) writeFileSync(file, page(about, rows))
  else process.stdout.write(`${tableOf(rows)}\n`)
} finally {
  clear()
  rmSync(folder, { recursive: true, force: true })
}
