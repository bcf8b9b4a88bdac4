// How are the figures shown? As one Markdown page with targets, results and method.
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

/** Measured once on a similar machine with 2 shared cores; not in this run. */
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
    'client',
    'last status',
    'ratio',
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
    ['what', 'requested in', 'done after', 'requests'],
    [
      row(`${whole(deleted.count)} of ${whole(most)} deleted`, deleted),
      row(`${whole(admitted.count)} addressed after a pool was enlarged`, admitted),
    ],
  )
}

function startText(): string {
  const { command, env } = shipped()
  const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  return [...settings, command.join(' ')].join('\n')
}

/** The targets, set before anything was measured. */
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
    ['', 'target', 'measured'],
    [
      ...[...new Set(ours.map(({ count }) => count))].map((count) => [
        `${whole(count)} Services, time compared with bare writes`,
        'within 1.3x',
        `${median(ours.filter((one) => one.count === count).map(toBare)).toFixed(2)}x`,
      ]),
      ['writes per Service: Address, status, event', '1, 1, 1', writes.join(', ')],
      [`peak RSS with ${whole(most)}`, 'under 120 MB', megabytes(last?.peakRssMb ?? 0)],
      ['created while it runs, p99 until addressed', 'under 100 ms', delay(live, 0.99)],
      ['restart, from lists read to working', 'under 2 s', seconds(workingMs(canary))],
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
One run on one kube-apiserver 1.36.3 with etcd 3.6, which waits for the disk. Everything runs on the
machine that measures. Apart from memory and CPU time, all figures are observed from outside by watches.
Requests are the API server's own count, without watches and leases. Memory is the kernel's VmHWM. Made
by \`make bench\`; \`node bench/kube/run.ts --services N\` is a quick run. \`METALLB_CONTROLLER\` names a
binary of MetalLB's controller to compare with. Berth runs from \`dist/\` in a process of its own,
webhooks included, as the Deployment starts it:

\`\`\`
${startText()}
\`\`\`

${wantedTable(figures)}

## The server alone

A client without any logic sends the controller's writes: it creates an Address, then patches the
status of its Service, for a number of Services at a time. It discards the answers.

${bareTable(bare)}

The server creates ${whole(createdPerSecond)} LoadBalancer Services a second.

## Services that exist when the controller starts

From the start of the process to the last status, compared with the same number of bare writes at the
best concurrency right before it. The table at the top shows the median of several rounds. One pool of
a /14. Events are written last.

${fillTable(figures)}

${fillLines(figures)}

## Restart with ${whole(again.count)} Services that have their addresses

| start to lists read | lists read to a new Service's address | CPU | peak RSS | writes |
| --- | --- | --- | --- | --- |
| ${seconds(again.listedMs)} | ${seconds(workingMs(canary))} | ${seconds(again.cpuMs)} | ${megabytes(again.peakRssMb)} | ${requestText(writesIn(again.requests))} |

All requests: ${requestText(again.requests)}. The new Service was created while no controller ran.

## Services created while it runs

As fast as the server creates them, 4 at a time; from when a watch first shows a Service to when it
shows its address.

${liveTable(figures.live)}

## With many addresses in use

${changeTable(figures)}

The peak RSS of the process after all of this was ${megabytes(costAtEnd.peakRssMb)}.
`
}
