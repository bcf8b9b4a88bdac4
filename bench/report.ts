// How are the figures shown? As one Markdown page, with a table for each measure.
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

/** Of MetalLB 0.16.1's allocator; the last row would take too long. */
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

/** `each` counts only the Services since the row above, so that growth shows. */
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
    heading: 'One Service at a time, from one /16',
    table: besideMetallb,
    after: ({ heapMb }) =>
      'Services are added and decided one at a time, and each decision affects the next. The first\n' +
      `thousand include JIT compilation. At the end the heap is ${megabytes(heapMb)}. The figures of\n` +
      "MetalLB are those of MetalLB 0.16.1's allocator alone, measured on a similar machine: it starts\n" +
      "at the pool's first address every time.",
  },
  toAMillion: {
    heading: 'Up to a million, from one /12',
    table: stretches,
    after: ({ heapMb, peakRssMb }) =>
      'After a warm-up, so that only the size matters. At the end the heap is\n' +
      `${megabytes(heapMb)}, including the views of the Services; the peak RSS was\n` +
      `${megabytes(peakRssMb)}.`,
  },
  ofFiftyTenants: {
    heading: 'Tenants and sharing',
    before:
      '50 tenants with 200 Services each; groups of four Services have one key and different ports, so\n' +
      'they share an address.',
  },
  oneKeyOnePort: {
    heading: 'Worst case of sharing, from one /16',
    before:
      'All Services have one key and the same port, so none can share, and Berth has to find that out.',
  },
  oneKeyOwnPorts: {
    before: 'One key, each Service with its own port: all share one address.',
  },
  oneKeyBothPorts: {
    before: 'One key, one common port and one port of its own: none can share.',
  },
  poolEdit: {
    heading: 'With many addresses in use',
    before: 'A range is added to the pool; every Service is checked again and keeps its address.',
  },
  start: {
    before:
      'A start: Services with addresses and their Address objects are read; nothing is written.',
  },
  churnOneLine: {
    before:
      'A full /22 and 10,000 waiting Services; a holder is deleted, the oldest waiting Service gets its\n' +
      'address, and a new one waits.',
    table: plain('turns'),
  },
  churnOwnLines: {
    before:
      'The same, with a separate sharing key for each of the 10,000, so that each is checked by itself.',
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
  return `## Commands, from the shell

${table(['command', 'time', 'computing', 'peak memory'], rows)}

The 5,000 objects are 4,900 Services in 49 files, 45 pools with their advertisements, nodes and a
peer. The figures are those of the whole process, started as \`./berth\`.`
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
\`computing\` is the CPU time of the deciding thread (for a command: of all its threads), and \`each\` is
that divided by the count; the rest of the time is spent waiting for a CPU. Made by \`make bench\`.

${parts.join('\n\n')}
`
}
