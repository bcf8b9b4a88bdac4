// How are the layer-2 figures shown? As one Markdown page, with a table for each measure.
import type { Calm } from './calm.ts'
import type { Gaps } from './gap.ts'
import type { Many } from './many.ts'

export type Figures = {
  readonly machine: string
  readonly gaps: readonly Gaps[]
  readonly many: readonly Many[]
  readonly calm: readonly Calm[]
}

type Row = readonly string[]

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

/** Nearest rank. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN
}

export const gapTable = (gaps: readonly Gaps[]): string =>
  table(
    ['', 'losses', 'p50', 'p99', 'max'],
    gaps.map(({ name, gapsMs }) => [
      name,
      String(gapsMs.length),
      ...[50, 99, 100].map((percent) => seconds(percentile(gapsMs, percent))),
    ]),
  )

export const manyTable = (many: readonly Many[]): string =>
  table(
    [
      'Services',
      'moved',
      'first back',
      'last after the first',
      'announced',
      'frames',
      'RSS',
      'idle',
    ],
    many.map((one) => [
      ...[one.services, one.moved].map(String),
      ...[one.firstMs, one.spreadMs].map(seconds),
      ...[one.announced, one.frames].map(String),
      `${one.rssMb.toFixed(0)} MB`,
      `${one.idlePercent.toFixed(1)} %`,
    ]),
  )

export const calmTable = (calm: readonly Calm[]): string =>
  table(
    ['', 'takeovers', 'frames announced', 'declared dead', 'longest pause of the echo'],
    calm.map(({ what, takeovers, frames, accused, longestPauseMs }) => [
      what,
      ...[takeovers, frames, accused].map(String),
      longestPauseMs === 0 ? 'under 0.1 s' : seconds(longestPauseMs),
    ]),
  )

export const page = ({ machine, gaps, many, calm }: Figures): string => `# Figures: layer 2

${machine}
One run in \`berth lab\`: three nodes and a client on one bridge, all on the machine that measures. To
lose a node, its processes are killed (SIGKILL) and both its cables are pulled, in this order, within
milliseconds. Made by \`node bench/lab/failover.ts\`; options such as \`--part gap --losses 10\` make
quick runs. \`METALLB_SPEAKER\` names a binary of MetalLB's speaker to compare with.

## What a client notices when the announcing node is lost

The client sends to a UDP echo behind the address every 10 ms. The gap is the time from the last answer
of the lost node to the first answer of another. Target: p50 at most 0.4 s, max under 0.6 s; tuned,
faster than keepalived at 100 ms.

${gapTable(gaps)}

By default, Berth sends a heartbeat every 40 ms and gives up on a node after 340 ms; tuned, it is 20 ms
and 150 ms. With \`berth.dev/split: safe\`, the others wait until the lost node would have fallen silent
even if it were only cut off. MetalLB 0.16.1's speaker, measured on a similar machine, has p50 5.5 s and
max 7.4 s.

## With many Services, a third of them on the lost node

Observed by a client on the wire. Target: the last address within 0.2 s of the first, and announcements
only for addresses that moved. Each is announced in six rounds on both interfaces of its new node. RSS
is that of the largest speaker before the loss; idle is its share of one core right after the Services
were created. The process that writes the rules of the lab's data path is stopped first.

${manyTable(many)}

## Without a failure, nothing is taken over

${calmTable(calm)}

[speaker.md](speaker.md) has the memory, idle CPU time and API writes of a speaker,
[layer2Answers.md](layer2Answers.md) the time that an answer takes.
`
