// How are the figures shown? One Markdown page: what was wanted, what came out, and how.
import { type BareRun, pairsPerSecond } from './bare.ts'
import { type Cost, shipped } from './daemon.ts'
import type { Canary, Changed, Fill, Live, Restart } from './measures.ts'
import { type Requests, writesIn } from './requests.ts'

export type Round = { readonly bare: BareRun; readonly fills: readonly Fill[] }
export type Figures = {
  readonly most: number
  readonly createdPerSecond: number
  readonly bare: readonly BareRun[]
  readonly rounds: readonly Round[]
  readonly again: Restart
  readonly canary: Canary
  readonly live: Live
  readonly deleted: Changed
  readonly admitted: Changed
  readonly costAtEnd: Cost
  readonly isMetallbRun: boolean
}
type Row = readonly string[]

const seconds = (ms: number): string =>
  ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`
const megabytes = (value: number): string => `${value.toFixed(0)} MB`
const whole = (value: number): string => Math.round(value).toLocaleString('en')
const times = (one: number, other: number): string => `${(one / other).toFixed(2)}x`

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const requestText = (requests: Requests): string =>
  [...requests].map(([what, count]) => `${whole(count)} ${what}`).join(', ') || 'none'

const total = (requests: Requests): number =>
  [...requests.values()].reduce((sum, count) => sum + count, 0)

function bareTable(runs: readonly BareRun[]): string {
  return table(
    ['at a time', 'Services a second', 'writes a second'],
    runs.map((run) => [
      String(run.atOnce),
      whole(pairsPerSecond(run)),
      whole(2 * pairsPerSecond(run)),
    ]),
  )
}

/** Measured once on a machine like ours, of 2 shared cores; not in this run. */
const metallbThen: readonly Row[] = [
  ['5,000', 'MetalLB 0.16.1, quoted', '66 s', '', '', '22,000', '37 s', '138 MB'],
  ['10,000', 'MetalLB 0.16.1, quoted', '306 s', '', '', '', '167 s', '201 MB'],
]

function fillTable({ rounds, isMetallbRun }: Figures): string {
  const rows = rounds.flatMap(({ bare, fills }) => [
    [whole(bare.count), 'bare writes', seconds(bare.ms), '1', '', whole(2 * bare.count), '', ''],
    ...fills.map((one) => [
      whole(one.count),
      one.name,
      seconds(one.statusMs),
      times(one.statusMs, bare.ms),
      seconds(one.eventMs),
      whole(total(one.requests)),
      seconds(one.cpuMs),
      megabytes(one.peakRssMb),
    ]),
  ])
  const head = [
    'Services',
    'who',
    'last status',
    'to bare',
    'last event',
    'requests',
    'CPU',
    'peak RSS',
  ]
  return table(head, [...rows, ...(isMetallbRun ? [] : metallbThen)])
}

function fillLines({ rounds }: Figures): string {
  return rounds
    .flatMap(({ fills }) => fills)
    .map(
      ({ name, count, requests, events, firstStatusMs }) =>
        `- ${name}, ${whole(count)}: ${requestText(requests)}; ${whole(events)} events seen; ` +
        `the first status after ${seconds(firstStatusMs)}.`,
    )
    .join('\n')
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN

const delay = ({ delaysMs }: Live, share: number): string =>
  `${quantile(delaysMs, share).toFixed(0)} ms`

function liveTable(live: Live): string {
  const { delaysMs, perSecond, requests } = live
  const at = (share: number) => delay(live, share)
  return table(
    ['Services', 'created a second', 'p50', 'p99', 'max', 'requests'],
    [[whole(delaysMs.length), whole(perSecond), at(0.5), at(0.99), at(1), requestText(requests)]],
  )
}

function changeTable({ deleted, admitted, most }: Figures): string {
  const row = (what: string, { askedMs, afterMs, requests }: Changed): Row => [
    what,
    seconds(askedMs),
    seconds(afterMs),
    requestText(requests),
  ]
  return table(
    ['what', 'asking took', 'done after', 'requests'],
    [
      row(`${whole(deleted.count)} of ${whole(most)} deleted`, deleted),
      row(`a pool's range let ${whole(admitted.count)} in`, admitted),
    ],
  )
}

function startText(): string {
  const { command, env } = shipped()
  const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  return [...settings, command.join(' ')].join('\n')
}

/** What was asked for before anything was measured. */
function wantedTable({ rounds, again, canary, live, most }: Figures): string {
  const ours = rounds.flatMap(({ bare, fills }) =>
    fills.filter(({ name }) => name === 'Berth').map((one) => ({ ...one, bareMs: bare.ms })),
  )
  const last = ours.at(-1)
  const writes = ['POST addresses', 'PATCH services/status', 'POST events'].map((what) =>
    ((last?.requests.get(what) ?? 0) / (last?.count ?? 1)).toFixed(2),
  )
  const writesAgain = total(writesIn(again.requests))
  return table(
    ['', 'wanted', 'measured'],
    [
      ...[...new Set(ours.map(({ count }) => count))].map((count) => [
        `${whole(count)} Services, time beside bare writes`,
        'within 1.3x',
        `${median(ours.filter((one) => one.count === count).map(toBare)).toFixed(2)}x`,
      ]),
      ['writes a Service: Address, status, event', '1, 1, 1', writes.join(', ')],
      [`peak RSS with ${whole(most)}`, 'under 120 MB', megabytes(last?.peakRssMb ?? 0)],
      ['created while it runs, p99 to the address', 'under 100 ms', delay(live, 0.99)],
      ['restart, from lists in to working', 'under 2 s', seconds(workingMs(canary))],
      ['restart, writes', 'none', whole(writesAgain)],
    ],
  )
}

const toBare = ({ statusMs, bareMs }: { statusMs: number; bareMs: number }) => statusMs / bareMs

const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((one, other) => one - other),
    0.5,
  )

const workingMs = ({ addressedMs, listedMs }: Canary): number => Math.max(0, addressedMs - listedMs)

export function page(machine: string, figures: Figures): string {
  const { again, canary, bare, createdPerSecond, costAtEnd } = figures
  return `# Figures: the controller

${machine}
One run on one kube-apiserver 1.36.3 with etcd 3.6 that waits for the disk, all on the machine that
measures too. Everything but memory and processor time is seen from outside, by watches; requests are
the API server's own count, without watches and leases; memory is the kernel's VmHWM. Made by
\`make bench\`; \`node bench/kube/run.ts --services N\` is a quick run. \`METALLB_CONTROLLER\` names a
binary of MetalLB's controller to run beside it. Ours is \`dist/\` in a process of its own, webhooks
included, as the Deployment starts it:

\`\`\`
${startText()}
\`\`\`

${wantedTable(figures)}

## The server alone

A client that has nothing to decide sends what the controller would: it creates an Address, then
patches the status of its Service, so many Services at a time. It throws the answers away.

${bareTable(bare)}

The server creates ${whole(createdPerSecond)} LoadBalancer Services a second.

## Services that exist when the controller starts

From the start of the process to the last status, beside as many bare writes at the best number at a
time right before it; of several turns the median counts. One pool of a /14. Events follow behind.

${fillTable(figures)}

${fillLines(figures)}

## Restart with ${whole(again.count)} Services that have their addresses

| start to lists in | lists in to a new Service's address | CPU | peak RSS | writes |
| --- | --- | --- | --- | --- |
| ${seconds(again.listedMs)} | ${seconds(workingMs(canary))} | ${seconds(again.cpuMs)} | ${megabytes(again.peakRssMb)} | ${requestText(writesIn(again.requests))} |

All requests: ${requestText(again.requests)}. The new Service was created while nobody ran.

## Services created while it runs

As fast as the server creates them, 4 at a time; from when a Service is first seen to when its
address is.

${liveTable(figures.live)}

## Where much is held already

${changeTable(figures)}

After all of this the process has had ${megabytes(costAtEnd.peakRssMb)} at most.
`
}
