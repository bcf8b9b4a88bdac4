// How are the figures shown? As one Markdown page.
import type { Cost } from '../kube/daemon.ts'
import { type Requests, writesIn } from '../kube/requests.ts'
import type { Size } from './estate.ts'
import type { Bare, Changed, Settled } from './measures.ts'

export type Figures = {
  readonly size: Size
  readonly rounds: readonly { readonly bare: Bare; readonly settled: Settled }[]
  readonly again: Changed & Cost
  readonly edited: Changed
  readonly relabelled: Changed & { readonly count: number }
  readonly cost: Cost
}

const seconds = (ms: number): string =>
  ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`
const whole = (value: number): string => Math.round(value).toLocaleString('en')
const requestText = (requests: Requests): string =>
  [...requests].map(([what, count]) => `${whole(count)} ${what}`).join(', ') || 'none'
const total = (requests: Requests): number =>
  [...requests.values()].reduce((sum, count) => sum + count, 0)

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

export function page(machine: string, figures: Figures): string {
  const { size, rounds, again, edited, relabelled, cost } = figures
  const rows = rounds.map(
    ({ bare, settled }) =>
      `| ${whole(bare.writes)} in ${seconds(bare.ms)} | ${seconds(settled.addressedMs)} | ` +
      `${seconds(settled.readyMs)} | ${seconds(settled.writtenMs)} | ` +
      `${(settled.writtenMs / bare.ms).toFixed(2)}x | ` +
      `${whole(total(writesIn(settled.requests)))} | ${seconds(settled.cpuMs)} | ` +
      `${settled.peakRssMb.toFixed(0)} MB |`,
  )
  const ratio = median(rounds.map(({ bare, settled }) => settled.writtenMs / bare.ms))
  const services = size.tenants * size.services
  const last = rounds.at(-1)?.settled.requests ?? new Map()
  return `# Figures: many tenants

${machine}
One run on one kube-apiserver 1.36.3 with etcd 3.6, which waits for the disk; everything runs on the machine
that measures. ${size.tenants} tenants with ${size.networks} networks each (pool, L2Advertisement and attachment
for every network), and ${size.services} Services in the namespace of each: ${whole(services)} Services, which ask for
the same ${size.networks} names. Requests are the API server's own count, without watches and leases. Made by
\`node bench/tenants/run.ts\`; \`--tenants N\` is a quick run.

|  | target | measured |
| --- | --- | --- |
| all written, compared with the same writes bare (median) | within 1.3x | ${ratio.toFixed(2)}x |
| restart, writes | none | ${whole(total(writesIn(again.requests)))} |
| one tenant edited, writes | its objects only | ${whole(total(writesIn(edited.requests)))} |

## Settled

Tenants and Services are there when the controller starts. It is settled when every Service has its address
and every Tenant is Ready, and when everything is written, the Events too, from the start of the process.
Right before it a client without any logic sends the same writes, 32 at a time, and discards the answers: the
objects by server-side apply, an Address and a status for each Service, the statuses of pools and tenants, and
two Events for each Service. The ratio compares all writes with all writes.

| bare writes | last address | last Tenant Ready | all written | ratio | writes | CPU | peak RSS |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

Requests of the last round: ${requestText(last)}.

## One tenant edited

A network gets a longer range: its pool has it after ${seconds(edited.ms)}. Requests: ${requestText(edited.requests)}.

## Restart

Lists read after ${seconds(again.ms)}, ${seconds(again.cpuMs)} CPU. Requests: ${requestText(again.requests)}.

## ${whole(relabelled.count)} namespaces relabelled

They come to a tenant by its selector, and every tenth has a Service that waits for its pool. The last one has
its address ${seconds(relabelled.ms)} after the last label was written. Requests:
${requestText(relabelled.requests)}.

The peak RSS after all of this was ${cost.peakRssMb.toFixed(0)} MB.
`
}
