// How are the figures shown? As one Markdown page, with both servers side by side in each table.
import type { Addressed } from './addressed.ts'
import type { Many } from './many.ts'
import type { Memory } from './servers.ts'
import type { Operation } from './writes.ts'

export type WriteRate = {
  readonly goods: string
  readonly operation: Operation
  readonly clients: number
  readonly perSecond: number
}
export type Figures = {
  readonly name: string
  readonly startsMs: readonly number[]
  readonly fresh: Memory
  readonly rates: readonly WriteRate[]
  /** Sorted. */
  readonly watchMs: readonly number[]
  readonly many: Many
}
export type Report = {
  readonly about: string
  readonly objects: number
  readonly both: readonly [kube: Figures, berth: Figures]
  readonly addressed: readonly [kube: Addressed, berth: Addressed]
}
type Row = readonly string[]
/** The second value is Berth's; whether less or more is better depends on the row. */
type Pair = readonly [number, number]

const number = (value: number): string => Math.round(value).toLocaleString('en-GB')
const times = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)}x`
const time = (ms: number): string =>
  ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`
const megabytes = (value: number): string => `${value.toFixed(0)} MB`
const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
const partAt = (ordered: readonly number[], part: number): number =>
  ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * part))] ?? 0

const less = (what: string, [kube, berth]: Pair, shown = time): Row => [
  what,
  shown(kube),
  shown(berth),
  times(kube / berth),
]
const more = (what: string, [kube, berth]: Pair): Row => [
  what,
  number(kube),
  number(berth),
  times(berth / kube),
]

export function page({ about, objects, both, addressed }: Report): string {
  const names = both.map(({ name }) => name)
  const table = (what: string, rows: readonly Row[]): string => {
    const line = (cells: Row) => `| ${cells.join(' | ')} |`
    const head = [what, ...names, 'better by']
    return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
  }
  const pair = (of: (figures: Figures) => number): Pair => [of(both[0]), of(both[1])]
  const wholeMs = pair(({ many }) => middle(many.lists.map((one) => one.wholeMs)))
  const pagedMs = pair(({ many }) => middle(many.lists.map((one) => one.pagedMs)))
  return `# Figures: the embedded API

${about}
Both run on the same disk, one after the other in one run, and both wait for the disk before they
answer a write (etcd with fsync, SQLite with synchronous=FULL). \`berth up\` runs from dist/ as
\`--background\` starts it, including its controller. kube-apiserver and etcd run without a controller,
except in the last table. The client is the same, on the same two cores. Made by \`make bench\`.

## Durable writes a second

${table(
  '',
  both[0].rates.map((rate, index) => rateRow(rate, both[1].rates[index])),
)}

## From a write to 100 watchers

${table('', [
  less(
    'p50',
    pair(({ watchMs }) => partAt(watchMs, 0.5)),
  ),
  less(
    'p99',
    pair(({ watchMs }) => partAt(watchMs, 0.99)),
  ),
])}

## ${number(objects)} objects of 1 KB

${table('', [
  more(
    'created a second, 32 clients',
    pair(({ many }) => many.writesPerSecond),
  ),
  less('listed in one request', wholeMs),
  less('listed in pages of 500', pagedMs),
  less(
    'ready again after a restart',
    pair(({ many }) => many.readyMs),
  ),
])}

The median of ${both[0].many.lists.length} lists; etcd keeps running while kube-apiserver is restarted.

## Memory (RSS)

${table('', [
  memoryRow(
    'fresh',
    pair(({ fresh }) => fresh.nowMb),
  ),
  memoryRow(
    `with ${number(objects)} objects, after filling`,
    pair(({ many }) => many.filled.nowMb),
  ),
  memoryRow(
    'after the lists',
    pair(({ many }) => many.listed.nowMb),
  ),
  memoryRow(
    'peak so far',
    pair(({ many }) => many.listed.peakMb),
  ),
  memoryRow(
    'after the restart',
    pair(({ many }) => many.restarted.nowMb),
  ),
])}

The servers with ${number(objects)} objects have no others. The target for \`berth up\` with 100,000 is 320 MB.

## Start on an empty disk

${table('', [
  less(
    'ready, median of five',
    pair(({ startsMs }) => middle(startsMs)),
  ),
])}

## ${number(addressed[0].count)} Services created, until the last has its address

${table('', [
  less('from the first request', [addressed[0].ms, addressed[1].ms]),
  less('after the last was created', [addressed[0].afterMs, addressed[1].afterMs]),
])}
`
}

const memoryRow = (what: string, values: Pair): Row => less(what, values, megabytes)

function rateRow({ goods, operation, clients, perSecond }: WriteRate, ours?: WriteRate): Row {
  const what = `${operation} ${goods}, ${clients} client${clients === 1 ? '' : 's'}`
  return more(what, [perSecond, ours?.perSecond ?? 0])
}
