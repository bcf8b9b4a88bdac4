// How is shown what a speaker costs? One Markdown page, what was wanted beside what was found.

export type Memory = {
  readonly nowMb: number
  readonly peakMb: number
  /** Of `nowMb`, without the pages of files, which all processes of a machine share. */
  readonly ownMb: number
}
/** Made or deleted, reported on, and told as an event. */
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
  /** Of a speaker that came when everything was there. */
  readonly restarted: Memory
}

type Row = readonly string[]
const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const heads = [
  'Services',
  'RSS',
  'of it anonymous',
  'peak',
  'RSS after a restart',
  'of it anonymous',
  'peak',
  'idle',
  'writes for a new one',
  'for one that moves',
]

const most = { rssMb: 140, ownMb: 80, idlePercent: 3 } as const
const wanted = [
  'wanted',
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

/** One more or less than whole where a Service was written about twice. */
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

/** In words, what is not as wanted. */
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
    ? 'Every figure is as wanted.'
    : `Missed:\n${found.map((one) => `- ${one}`).join('\n')}`
}

export const page = (told: { readonly machine: string; readonly costs: readonly Cost[] }): string =>
  `# Figures: what a speaker costs

${told.machine}
Made by \`node bench/lab/cost.ts\` in \`berth lab\` with three nodes and the embedded API, all on
one machine; \`--services 1000\` is a run of one size. The speakers run as built, with the options of
the DaemonSet, and share the Services among them: each knows all, and announces a third. Every
Service has one address and one EndpointSlice with an endpoint on each node.

RSS is the most in the second minute after the last change; anonymous memory is the part of it that
belongs to the process alone, the rest are pages of Node's program, which all processes of a machine
share. \`Peak\` is the most since the process began (VmHWM). Idle is over the same minute, as a part of
one core; on a machine that others use it depends on the minute by a third. Each figure is that of
the largest of the three speakers. A speaker after a restart has come when everything was there.
Writes are what all speakers wrote about announcements, divided by how many there were: the object
and its status for a new one; for one that moves, the deletion of the lost node's object as well.

${costTable(told.costs)}

${missed(told.costs)}

With one Service, anonymous memory is two heaps of JavaScript, that of the speaker and that of the
thread that answers, with the code in them. From the smallest size to the largest, each further
Service adds ${perServiceKb(told.costs).toFixed(1)} KB of RSS.
`

function perServiceKb(costs: readonly Cost[]): number {
  const [first, last] = [costs[0], costs.at(-1)]
  if (first === undefined || last === undefined) return Number.NaN
  const grownMb = last.memory.nowMb - first.memory.nowMb
  return (grownMb * 1024) / (last.services - first.services)
}
