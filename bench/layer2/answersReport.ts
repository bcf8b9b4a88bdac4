// How are the times of answers shown? As one Markdown page with the target.

export type Load = {
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly lost: number
  readonly perSecond: number
}
export type Who = 'kernel' | 'berth'
export type Protocol = 'ARP' | 'NDP'
/** Together, the kernel answers inside the client's system call; apart is as with two machines. */
type Cores = 'apart' | 'together'
export type Row = {
  readonly protocol: Protocol
  readonly cores: Cores
  readonly addresses: number
  readonly who: Who
  readonly load: Load
}

/** Limits relative to the kernel's median, and to our own with one address. */
const [wantedFactor, flatFactor] = [3, 1.5] as const

type Cells = readonly string[]
const lines = (all: readonly Cells[]): string =>
  all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')

export function table(rows: readonly Row[]): string {
  const head = ['', 'cores', 'addresses', 'who', 'p50 µs', 'p99 µs', 'max µs', 'lost', 'a second']
  const cells = rows.map(({ protocol, cores, addresses, who, load }) => [
    protocol,
    cores,
    addresses.toLocaleString('en'),
    who,
    load.p50.toFixed(1),
    load.p99.toFixed(0),
    load.max.toFixed(0),
    `${load.lost}`,
    load.perSecond.toLocaleString('en', { maximumFractionDigits: 0 }),
  ])
  return lines([head, head.map(() => '---'), ...cells])
}

const kinds = [
  ['ARP', 'apart'],
  ['ARP', 'together'],
  ['NDP', 'apart'],
  ['NDP', 'together'],
] as const

/** Medians: ours as a multiple of the kernel's, and how much each grows with the addresses. */
export function factors(rows: readonly Row[]): string {
  const counts = [...new Set(rows.map(({ addresses }) => addresses))]
  const head = [
    'p50, times the kernel',
    ...counts.map((count) => count.toLocaleString('en')),
    `at most ${wantedFactor}`,
    'Berth grows',
    'the kernel grows',
    'flat',
  ]
  const cells = kinds.map(([protocol, cores]) => {
    const medians = (who: Who): number[] =>
      rows
        .filter((row) => row.protocol === protocol && row.cores === cores && row.who === who)
        .map(({ load }) => load.p50)
    const [ours, kernel] = [medians('berth'), medians('kernel')]
    const found = ours.map((p50, at) => p50 / (kernel[at] ?? Number.NaN))
    const grown = (all: readonly number[]): number => Math.max(...all) / (all[0] ?? Number.NaN)
    return [
      `${protocol}, ${cores}`,
      ...found.map((factor) => factor.toFixed(1)),
      verdict(found.every((factor) => factor <= wantedFactor)),
      ...[ours, kernel].map((all) => `${grown(all).toFixed(1)}x`),
      verdict(grown(ours) <= flatFactor),
    ]
  })
  return lines([head, head.map(() => '---'), ...cells])
}

const verdict = (isMet: boolean): string => (isMet ? 'met' : 'missed')

export const page = (told: { readonly machine: string; readonly rows: readonly Row[] }): string =>
  `# Figures: answers on layer 2

${told.machine}
Made by \`node bench/layer2/answers.ts\` (root, ip, taskset, gcc). Three namespaces: a client, one
host whose kernel has the addresses, and one that answers for them as the speaker does. A tool in C
sends one request at a time and waits for its answer, over all the addresses in turn. Kernel and Berth
alternate within the same minute, and each figure is the median of the rounds (\`max\` the largest,
\`lost\` the sum). \`A second\` is the number of answers to a flood of requests. Both families are
announced at the same time, so that "10,000" is 20,000 addresses.

*Apart*: client and responder run on different cores, as on two machines, and each frame wakes the
other core. *Together*: both run on one core, and the kernel answers inside the client's own system
call without a context switch, which no program can do. The target is a median within
${wantedFactor} times the kernel's, and flat: at most ${flatFactor} times that with one address. *Apart* is the case of
a request from another machine. The growth with NDP is in the kernel, and in its own answers too: every
address has a multicast group, and the kernel walks their list for each frame.

${factors(told.rows)}

${table(told.rows)}
`
