// How are the figures shown? As one Markdown page with targets, results and method.
import { type Requests, writesIn } from '../kube/requests.ts'
import type { Figures, Filled } from './run.ts'

type Row = readonly string[]

const seconds = (ms: number): string =>
  ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`
const whole = (value: number): string => Math.round(value).toLocaleString('en')
const megabytes = (value: number): string => `${value.toFixed(0)} MB`
const times = (one: number, other: number): string => `${(one / other).toFixed(2)}x`
const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Events too. */
const count = (requests: Requests): number =>
  [...writesIn(requests).values()].reduce((sum, some) => sum + some, 0)
const requestText = (requests: Requests): string =>
  [...requests].map(([what, some]) => `${whole(some)} ${what}`).join(', ') || 'none'

function targets({ filled, atOnce, again, names, realFiles }: Figures): string {
  const rows = filled.flatMap((one) => [
    [
      `${whole(one.count)} hosts, time beside bare writes`,
      'within 1.3x',
      times(one.allMs, one.bare.ms),
    ],
    [
      `${whole(one.count)} hosts, writes for each`,
      'at most 2.2',
      (count(one.requests) / one.count).toFixed(2),
    ],
    [`${whole(one.count)} hosts, first Ready after the start`, 'within 1 s', seconds(one.firstMs)],
  ])
  return table(
    ['', 'target', 'measured'],
    [
      ...rows,
      [
        `${whole(atOnce.count)} created while it runs, first Ready`,
        'within 1 s',
        seconds(atOnce.firstMs),
      ],
      ['addresses that two hosts have', '0', whole(doubledIn({ filled, atOnce }))],
      [
        'restart, writes',
        'none',
        whole(count(again.requests)) === '0' ? 'none' : whole(count(again.requests)),
      ],
      [
        `a host that was made meanwhile, ${whole(again.count)} others, Ready after the start`,
        'within 1 s',
        seconds(again.newMs),
      ],
      ['a changed host is answered for, p99', 'under 200 ms', seconds(at(names.changesMs, 0.99))],
      ['lint of real files', 'under 10 s', lintText(realFiles)],
    ],
  )
}

const lintText = (real: Figures['realFiles']): string =>
  real === undefined ? 'not measured: they are not here' : seconds(at(real.ms, 0.5))

const doubledIn = ({ filled, atOnce }: Pick<Figures, 'filled' | 'atOnce'>): number =>
  [...filled, atOnce].reduce((sum, { doubled }) => sum + doubled, 0)

const fillRows = (one: Filled): readonly Row[] => [
  [whole(one.count), 'bare writes', '', seconds(one.bare.ms), '1', '', ''],
  [
    whole(one.count),
    'Berth',
    seconds(one.firstMs),
    seconds(one.allMs),
    times(one.allMs, one.bare.ms),
    seconds(one.cpuMs),
    megabytes(one.peakRssMb),
  ],
]

export function page(machine: string, figures: Figures): string {
  const { filled, atOnce, again, names, realFiles } = figures
  return `# Figures: addresses and names for OpenStack

${machine}
One run on one kube-apiserver 1.36.3 with etcd 3.6, which waits for the disk; everything runs on the machine
that measures. Each host asks for an address on each of five networks. Times are seen from outside by a
watch; requests are the API server's own count, without watches and leases; memory is the kernel's VmHWM.
Berth runs from \`dist/\` as the Deployment starts it, with \`--openstack=serve\`. Made by \`node
bench/openstack/run.ts\`; \`--hosts N\` is a quick run.

${targets(figures)}

## Hosts that exist when the controller starts

From the start of the process, compared with a client without any logic that sends the same writes, 32 at a
time: blocks of 256 addresses, then for each host its Reservation and its status.

${table(['hosts', 'client', 'first Ready', 'all Ready', 'ratio', 'CPU', 'peak RSS'], filled.flatMap(fillRows))}

Requests:
${filled.map((one) => `- ${whole(one.count)}: ${requestText(one.requests)}`).join('\n')}

## Hosts that are created while it runs

${whole(atOnce.count)} hosts, 16 at a time. Creating alone took ${seconds(atOnce.createdMs)}; from the first
request on, the first host was Ready after ${seconds(atOnce.firstMs)} and the last after ${seconds(atOnce.allMs)}.
Requests: ${requestText(atOnce.requests)}.

infra-operator took 201 s for 1,000 such hosts on a similar machine, with none Ready before 105 s, five writes
for each, and 10 hosts that shared all their addresses with another. It was not run again here.

## Restart

With ${whole(again.count)} hosts that have their addresses: ${requestText(again.requests)}. A host that was made
while no controller ran was Ready ${seconds(again.newMs)} after the start of the process.

## Names

On \`berth up\` with 1,000 hosts in 20 DNSData: from the request that gives a host another address to the first
answer with it, ${names.changesMs.length} times: p50 ${seconds(at(names.changesMs, 0.5))}, p99 ${seconds(at(names.changesMs, 0.99))},
longest ${seconds(at(names.changesMs, 1))}.

dnsmasq killed with SIGKILL, ${names.gapsMs.length} times: from the kill to the first answer of the next one p50
${seconds(at(names.gapsMs, 0.5))}, longest ${seconds(at(names.gapsMs, 1))}.

## Files

\`berth lint\` of ${whole(realFiles?.files ?? 0)} YAML files that users of OpenStack on Kubernetes have, from the start of
the process to its end, ${realFiles?.ms.length ?? 0} times: ${(realFiles?.ms ?? []).map(seconds).join(', ') || 'not measured'}.
`
}
