// How are the figures shown? One Markdown page, a table for each measure.
import type { Figure, Memory } from './measure.ts'

export type Result = {
  readonly name: string
  readonly figures: readonly Figure[]
  readonly memory: Memory
}
type Row = readonly string[]
type Section = {
  readonly heading?: string
  readonly before?: string
  readonly table?: (figures: readonly Figure[]) => string
  readonly after?: (memory: Memory) => string
}

const seconds = (ms: number): string => {
  if (ms < 1) return `${(ms * 1000).toFixed(ms < 0.01 ? 1 : 0)} µs`
  return ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`
}
const megabytes = (value: number): string => `${value.toFixed(0)} MB`

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const cells = ({ what, count, ms, cpuMs }: Figure): Row => [
  what,
  seconds(ms),
  seconds(cpuMs),
  seconds(cpuMs / count),
]
const plain = (what: string) => (figures: readonly Figure[]) =>
  table([what, 'time', 'computing', 'each'], figures.map(cells))

/** Of MetalLB 0.16.1's allocator; nobody has waited for the last row. */
const metallb: Readonly<Record<string, string>> = {
  '1,000': '0.46 s',
  '5,000': '12.7 s',
  '10,000': '54.9 s',
  '20,000': '270 s',
}
const besideMetallb = (figures: readonly Figure[]) =>
  table(
    ['Services', 'time', 'computing', 'each', 'MetalLB 0.16.1'],
    figures.map((figure) => [...cells(figure), metallb[figure.what] ?? '']),
  )

/** `each` only for those since the row above, so that one that grew would show. */
const stretches = (figures: readonly Figure[]) =>
  table(
    ['Services', 'time', 'computing', 'each since the row above'],
    figures.map((figure, index) => {
      const { count, cpuMs } = figures[index - 1] ?? { count: 0, cpuMs: 0 }
      const each = (figure.cpuMs - cpuMs) / (figure.count - count)
      return [...cells(figure).slice(0, 3), seconds(each)]
    }),
  )

const sections: Readonly<Record<string, Section>> = {
  oneByOne: {
    heading: 'One Service after another, from one /16',
    table: besideMetallb,
    after: ({ heapMb }) =>
      'A Service comes, it is decided, the decision counts from then on. The first thousand include\n' +
      `what the engine compiles on the way. With all in place the heap is ${megabytes(heapMb)}.\n` +
      "MetalLB's figures were measured on a machine like this one, MetalLB 0.16.1's allocator alone:\n" +
      "it starts at the pool's first address every time.",
  },
  toAMillion: {
    heading: 'To a million, from one /12',
    table: stretches,
    after: ({ heapMb, peakRssMb }) =>
      'After a warm-up, so that only the size counts. At the end the heap is\n' +
      `${megabytes(heapMb)}, the views of the Services included; the process had\n` +
      `${megabytes(peakRssMb)} at most.`,
  },
  ofFiftyTenants: {
    heading: 'Tenants and sharing',
    before:
      '50 tenants with 200 Services each; four Services have one key and ports of their own, so they\n' +
      'share an address.',
  },
  oneKeyOnePort: {
    heading: 'The worst of sharing, from one /16',
    before:
      'All Services have one key and the same port: nobody can share, and that has to be found out.',
  },
  oneKeyOwnPorts: {
    before: 'One key, each Service with a port of its own: all on one address.',
  },
  oneKeyBothPorts: {
    before: 'One key, a port that all have and one of its own: nobody can share.',
  },
  poolEdit: {
    heading: 'Where much is held already',
    before: 'A range is added to the pool; everybody is looked at again and keeps what they have.',
  },
  start: {
    before:
      'A start: Services with addresses and the Address objects are read; nothing is written.',
  },
  churnOneLine: {
    before:
      'A full /22 and 10,000 Services that wait; a holder goes, the oldest gets its address, a new\n' +
      'one waits.',
    table: plain('turns'),
  },
  churnOwnLines: {
    before:
      'The same, when each of the 10,000 has a sharing key of its own, so that none stands for another.',
    table: plain('turns'),
  },
}

function sectionText({ heading, before, table, after }: Section, result: Result): string {
  const parts = [
    heading === undefined ? undefined : `## ${heading}`,
    before,
    (table ?? plain('Services'))(result.figures),
    after?.(result.memory),
  ]
  return parts.filter((part) => part !== undefined).join('\n\n')
}

function commandText(results: readonly Result[]): string {
  const rows = results.map(({ name, figures, memory }) => [
    name,
    seconds(figures[0]?.ms ?? 0),
    seconds(figures[0]?.cpuMs ?? 0),
    megabytes(memory.peakRssMb),
  ])
  return `## The command, from the shell

${table(['command', 'time', 'computing', 'peak memory'], rows)}

The 5,000 objects are 4,900 Services in 49 files, 45 pools with their advertisements, nodes and a
peer. Everything is that of the whole process, started as \`./berth\`.`
}

export function page(machine: string, runs: number, results: readonly Result[]): string {
  const decisions = results.flatMap((result) => {
    const section = sections[result.name]
    return section === undefined ? [] : [sectionText(section, result)]
  })
  const commands = results.filter(({ name }) => sections[name] === undefined)
  const parts = [...decisions, ...(commands.length > 0 ? [commandText(commands)] : [])]
  return `# Figures: decisions

${machine}
The fastest of ${runs} runs, each in a process of its own.
\`computing\` is the processor time of the thread that decides (of a command: of all its
threads), \`each\` is that divided by the number; the rest is waiting for a processor. Made by
\`make bench\`.

${parts.join('\n\n')}
`
}
