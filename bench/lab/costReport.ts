// How is the cost of a speaker shown? As one Markdown page with targets and results.

export type Memory = {
  readonly nowMb: number
  readonly peakMb: number
  /** The part of `nowMb` without file pages, which all processes of a machine share. */
  readonly ownMb: number
}
/** Objects created or deleted, status writes, and events. */
export type Written = {
  readonly objects: number
  readonly statuses: number
  readonly events: number
}

export type Cost = {
  readonly services: number
  readonly announced: number
  readonly written: Written
  readonly memory: Memory
  readonly idlePercent: number
  readonly moved: number
  readonly movedWritten: Written
  /** Of a speaker that started when all Services were in place. */
  readonly restarted: Memory
}

type Row = readonly string[]
const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const heads = [
  'Services',
  'RSS',
  'of which anonymous',
  'peak',
  'RSS after a restart',
  'of which anonymous',
  'peak',
  'idle',
  'writes per new announcement',
  'per moved one',
]

const most = { rssMb: 140, ownMb: 80, idlePercent: 3 } as const
const wanted = [
  'target',
  `under ${most.rssMb} MB`,
  `under ${most.ownMb} MB`,
  '',
  `under ${most.rssMb} MB`,
  `under ${most.ownMb} MB`,
  '',
  `under ${most.idlePercent} %`,
  '2 + 1 event',
  '3 + 1 event',
]

const mb = (value: number): string => `${value.toFixed(0)} MB`

/** Not a whole number if a Service was written about twice. */
function writes({ objects, statuses, events }: Written, count: number): string {
  if (count === 0) return 'none moved'
  const each = (value: number): string => String(Number((value / count).toFixed(2)))
  return `${each(objects + statuses)} + ${each(events)} ${each(events) === '1' ? 'event' : 'events'}`
}

export const costTable = (costs: readonly Cost[]): string =>
  table(heads, [
    wanted,
    ...costs.map(({ services, announced, memory, restarted, idlePercent, ...more }) => [
      services.toLocaleString('en'),
      ...[memory, restarted].flatMap(({ nowMb, ownMb, peakMb }) => [nowMb, ownMb, peakMb].map(mb)),
      `${idlePercent.toFixed(1)} %`,
      writes(more.written, announced),
      writes(more.movedWritten, more.moved),
    ]),
  ])

/** The missed targets, in words. */
function missed(costs: readonly Cost[]): string {
  const found = costs.flatMap(({ services, memory, restarted, idlePercent }) => {
    const rss = Math.max(memory.nowMb, restarted.nowMb)
    const own = Math.max(memory.ownMb, restarted.ownMb)
    const at = `with ${services.toLocaleString('en')} Services`
    return [
      ...(rss < most.rssMb ? [] : [`RSS ${at}: ${mb(rss)}, not under ${most.rssMb} MB`]),
      ...(own < most.ownMb ? [] : [`anonymous ${at}: ${mb(own)}, not under ${most.ownMb} MB`]),
      ...(idlePercent < most.idlePercent
        ? []
        : [`idle ${at}: ${idlePercent.toFixed(1)} %, not under ${most.idlePercent} %`]),
    ]
  })
  return found.length === 0
    ? 'All targets are met.'
    : `Missed targets:\n${found.map((one) => `- ${one}`).join('\n')}`
}

export const page = (told: { readonly machine: string; readonly costs: readonly Cost[] }): string =>
  `# Figures: what a speaker costs

${told.machine}
Made by \`node bench/lab/cost.ts\` in \`berth lab\` with three nodes and the embedded API, all on
one machine; \`--services 1000\` runs a single size. The speakers run as built, with the options of the
DaemonSet. Each knows all Services and announces a third of them. Every Service has one address and one
EndpointSlice with an endpoint on each node.

RSS is the maximum in the second minute after the last change. Anonymous memory is the part that
belongs to the process alone; the rest are pages of Node's program, which all processes of a machine
share. \`Peak\` is the maximum since the process started (VmHWM). Idle is the share of one core in the
same minute; on a shared machine it varies by a third. Each figure is that of the largest of the three
speakers. After a restart, a speaker finds all Services in place. Writes are those of all speakers about
announcements, divided by the number of announcements: the object and its status for a new one, and the
deletion of the lost node's object for one that moves.

${costTable(told.costs)}

${missed(told.costs)}

With one Service, anonymous memory is mostly two JavaScript heaps with their code, one of the speaker
and one of its answering thread. From the smallest size to the largest, each further Service adds
${perServiceKb(told.costs).toFixed(1)} KB of RSS.
`

function perServiceKb(costs: readonly Cost[]): number {
  const [first, last] = [costs[0], costs.at(-1)]
  if (first === undefined || last === undefined) return Number.NaN
  const grownMb = last.memory.nowMb - first.memory.nowMb
  return (grownMb * 1024) / (last.services - first.services)
}
