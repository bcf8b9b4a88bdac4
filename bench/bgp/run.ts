// How fast do routes reach a router, and leave it? Berth beside BIRD and GoBGP, to BIRD and to FRR, in turn
// within the same minutes. Needs root, ip, bird, frr and the GoBGP of test/bgp. Prints a
// table of docs/bench/bgp.md; `--routes 10000` measures one count, `--attributes equal` one sort, `--to BIRD`
// one receiver. A round that fails is told and left out of its median.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { machine } from '../machine.ts'
import type { Contest, Receiver, Sender } from './contest.ts'
import { hasGobgp, startGobgpSender } from './gobgpSender.ts'
import { clear, raise } from './ground.ts'
import { startBird, startFrr } from './receivers.ts'
import { startBerth, startBirdSender } from './senders.ts'

const { values } = parseArgs({
  options: {
    routes: { type: 'string', multiple: true },
    attributes: { type: 'string', multiple: true },
    to: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '3' },
  },
})
const rounds = Number(values.rounds)
const counts = values.routes?.map(Number) ?? [10_000, 100_000]
const sorts = (['equal', 'different'] as const).filter(
  (sort) => values.attributes?.includes(sort) ?? true,
)
const receivers = { BIRD: startBird, FRR: startFrr } as const
const senders = { Berth: startBerth, BIRD: startBirdSender, GoBGP: startGobgpSender } as const
type To = keyof typeof receivers
type From = keyof typeof senders
type Took = {
  readonly announcedMs: number
  readonly withdrawnMs: number
  /** Of the sender, and of the receiver. */
  readonly cpuMs: number
  readonly receiverMs: number
}
type Row = Pick<Contest, 'count' | 'attributes'> & { to: To; from: From; took: Took }
const froms: readonly From[] = hasGobgp ? ['Berth', 'BIRD', 'GoBGP'] : ['Berth', 'BIRD']
const tos = (['BIRD', 'FRR'] as const).filter((to) => values.to?.includes(to) ?? true)

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

async function timed(receiver: Receiver, count: number, begin: () => unknown): Promise<number> {
  const startMs = performance.now()
  void begin()
  for (;;) {
    const has = await receiver.routes()
    if (has === count) return performance.now() - startMs
    const isLate = performance.now() - startMs > 120_000
    if (isLate) throw new Error(`${has} routes after two minutes, not ${count}`)
    await sleep(2)
  }
}

async function contest(to: To, from: From, given: Contest): Promise<Took> {
  const receiver = await receivers[to](given.folder)
  let sender: Sender | undefined
  try {
    sender = await senders[from](given)
    if ((await receiver.routes()) !== 0)
      throw new Error(`${from} has announced before it was asked`)
    const [before, receiverBefore] = [sender.cpuMs(), receiver.cpuMs()]
    const announcedMs = await timed(receiver, given.count, () => sender?.announce())
    const withdrawnMs = await timed(receiver, 0, () => sender?.withdraw())
    const receiverMs = receiver.cpuMs() - receiverBefore
    return { announcedMs, withdrawnMs, cpuMs: sender.cpuMs() - before, receiverMs }
  } finally {
    await sender?.stop()
    await receiver.stop()
  }
}

/** Undefined where it failed: the rest of an hour's figures does not depend on one round. */
async function tried(to: To, from: From, given: Contest): Promise<Took | undefined> {
  try {
    return await contest(to, from, given)
  } catch (error) {
    const { count, attributes } = given
    const what = `${count} ${attributes} routes from ${from} to ${to}`
    process.stderr.write(`${what}: ${error instanceof Error ? error.message : error}\n`)
    return undefined
  }
}

async function measured(folder: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const count of counts) {
    for (const attributes of sorts) {
      for (const to of tos) {
        const all: Record<From, Took[]> = { Berth: [], BIRD: [], GoBGP: [] }
        for (let round = 0; round < rounds; round++) {
          for (const from of froms) {
            const took = await tried(to, from, { folder, count, attributes })
            if (took !== undefined) all[from].push(took)
          }
        }
        for (const from of froms.filter((one) => all[one].length > 0)) {
          const of = (figure: keyof Took) => median(all[from].map((took) => took[figure]))
          const took = {
            ...{ announcedMs: of('announcedMs'), withdrawnMs: of('withdrawnMs') },
            ...{ cpuMs: of('cpuMs'), receiverMs: of('receiverMs') },
          }
          rows.push({ count, attributes, to, from, took })
          process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`)
        }
      }
    }
  }
  return rows
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(3)} s`

function tableOf(rows: readonly Row[]): string {
  const head = [
    ...['routes', 'attributes', 'to', 'from', 'announced', 'x BIRD', 'withdrawn'],
    ...['sender computes', 'receiver computes'],
  ]
  const cells = rows.map(({ count, attributes, to, from, took }) => {
    const bird = rows.find(
      (one) =>
        one.from === 'BIRD' &&
        one.count === count &&
        one.attributes === attributes &&
        one.to === to,
    )
    const times = bird === undefined ? '-' : (took.announcedMs / bird.took.announcedMs).toFixed(1)
    return [
      ...[count.toLocaleString('en'), attributes, to, from],
      ...[seconds(took.announcedMs), times, seconds(took.withdrawnMs)],
      ...[seconds(took.cpuMs), seconds(took.receiverMs)],
    ]
  })
  const all = [head, head.map(() => '---'), ...cells]
  return all.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

const folder = mkdtempSync(join(tmpdir(), 'berth-bgp-'))
try {
  process.stdout.write(`${machine()}\n\n`)
  raise()
  process.stdout.write(`${tableOf(await measured(folder))}\n`)
} finally {
  clear()
  rmSync(folder, { recursive: true, force: true })
}
