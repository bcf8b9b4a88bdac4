// How are the figures shown? One Markdown page; what was asked for stands beside what was measured.
import type { Figure, Memory } from './measure.ts'

export type Result = {
  readonly name: string
  readonly figures: readonly Figure[]
  readonly memory: Memory
}
type Row = readonly string[]

const seconds = (ms: number): string => {
  if (ms < 1) return `${(ms * 1000).toFixed(0)} µs`
  return ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`
}
const each = ({ ms, count }: Figure): string => seconds(ms / count)
const megabytes = (value: number): string => `${value.toFixed(0)} MB`

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Of MetalLB 0.16.1's allocator; nobody has waited for the last. */
const metallb: Readonly<Record<string, string>> = {
  '1,000': '0.46 s',
  '5,000': '12.7 s',
  '10,000': '54.9 s',
  '20,000': '270 s',
}

const sections: Readonly<Record<string, (result: Result) => string>> = {
  oneByOne: ({ figures, memory }) => `## One Service after another, from one /16

${table(
  ['Services', 'Berth', 'each', 'MetalLB 0.16.1'],
  figures.map((one) => [one.what, seconds(one.ms), each(one), metallb[one.what] ?? '']),
)}

A Service comes, it is decided, the decision counts from then on. The first thousand include what
the engine compiles on the way. With all ${figures.at(-1)?.what} in place the heap is
${megabytes(memory.heapMb)}. MetalLB's figures were measured on a machine like this one, its
allocator alone, without an API server; its search for a free address starts at the pool's first
address every time.
`,
  toAMillion: ({ figures, memory }) => `## To a million, from one /12

${table(
  ['Services', 'time', 'each, of those since the row above'],
  figures.map((one, index) => [one.what, seconds(one.ms), since(one, figures[index - 1])]),
)}

After a warm-up, so that only the size counts. At the end the heap is ${megabytes(memory.heapMb)}
and the peak of the process was ${megabytes(memory.peakRssMb)}, the views of the Services included.
`,
  ofFiftyTenants: ({ figures }) => `## Tenants and sharing

50 tenants with 200 Services each; four Services have one key and ports of their own, so they share.

${plain(figures)}
`,
  oneKeyOnePort: ({ figures }) => `## The worst of sharing, from one /16

All Services have one key and the same port: nobody can share, and that has to be found out.

${plain(figures)}
`,
  oneKeyOwnPorts: ({
    figures,
  }) => `One key, each Service with a port of its own: all on one address.

${plain(figures)}
`,
  oneKeyBothPorts: ({
    figures,
  }) => `One key, a port that all have and one of its own: nobody can share.

${plain(figures)}
`,
  poolEdit: ({ figures }) => `## Where much is held already

A range is added to the pool; everybody is looked at again and keeps what they have.

${plain(figures)}
`,
  start: ({
    figures,
  }) => `A start: Services with their addresses and the Address objects are read, nothing is to be written.

${plain(figures)}
`,
  churnOneLine: ({
    figures,
  }) => `A full /22 with 10,000 Services that wait; one holder goes, the oldest gets its address, a new one
waits.

${plain(figures, 'turns')}
`,
  churnOwnLines: ({
    figures,
  }) => `The same, when every one of the 10,000 has a sharing key of its own: no waiter stands for another, so
all of them are asked each time.

${plain(figures, 'turns')}
`,
}

const plain = (figures: readonly Figure[], what = 'Services'): string =>
  table(
    [what, 'time', 'each'],
    figures.map((one) => [one.what, seconds(one.ms), each(one)]),
  )

function since(one: Figure, before: Figure = { what: '', count: 0, ms: 0 }): string {
  return seconds((one.ms - before.ms) / (one.count - before.count))
}

function commandTable(results: readonly Result[]): string {
  const rows = results.map(({ name, figures, memory }) => [
    name,
    seconds(figures[0]?.ms ?? 0),
    megabytes(memory.peakRssMb),
  ])
  return `## The command, from the shell

${table(['command', 'time', 'peak memory'], rows)}

The 5,000 objects are 4,900 Services in 49 files, 45 pools with their advertisements, nodes and a
peer. Time and memory are those of the whole process, started as \`./berth\`.
`
}

export function page(machine: string, runs: number, results: readonly Result[]): string {
  const decisions = results.flatMap((result) => sections[result.name]?.(result) ?? [])
  const processes = results.filter(({ name }) => sections[name] === undefined)
  return `# Figures: decisions

${machine} The fastest of ${runs} runs, each in a process of its own. Made by \`node bench/run.ts\`.

${[...decisions, ...(processes.length > 0 ? [commandTable(processes)] : [])].join('\n')}`
}
