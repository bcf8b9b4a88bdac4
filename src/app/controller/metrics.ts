// What is measured? MetalLB's figures under its names (M7.1) and our own, all taken from the World
// when they are asked for. Pools and waiting Services are shown by the leader alone, so that sums
// over replicas are right.
import { remedies } from '../../core/model/reason.ts'
import type { ReadonlyWorld } from '../../core/model/world.ts'
import type { Family } from '../../core/net/ip.ts'
import {
  configMetrics,
  counter,
  gauge,
  one,
  processMetrics,
  requestMetrics,
} from '../../edge/kube/serve/daemonMetrics.ts'
import type { Metric, Sample } from '../../edge/kube/serve/metricsText.ts'
import type { Requests } from '../../edge/kube/serve/requests.ts'
import type { Controller } from './controller.ts'
import type { Troubles } from './troubles.ts'

export type MetricsParts = {
  readonly world: ReadonlyWorld
  readonly requests: Requests
  readonly isLeading: () => boolean
  /** Whether every list is in; while it is not, nothing is decided (R3.13). */
  readonly isIn: () => boolean
  /** Whether a MetalLB controller runs that has to go first. */
  readonly isWaiting: () => boolean
  /** One for each object of the configuration that does not count. */
  readonly complaints: () => readonly string[]
  readonly troubles: Pick<Troubles, 'parked' | 'failures'>
}

export const metricsOf = (controller: Controller, requests: Requests): MetricsParts => ({
  world: controller.world,
  requests,
  isLeading: () => controller.isLeading,
  isIn: () => controller.isIn,
  isWaiting: () => controller.waitsFor !== undefined,
  complaints: () => controller.complaints() ?? [],
  troubles: controller.troubles,
})

export function newMetrics(parts: MetricsParts): () => readonly Metric[] {
  const { world, requests, isLeading, isIn, isWaiting, complaints, troubles } = parts
  let wasIn = false
  return () => {
    wasIn ||= isIn()
    return [
      ...(isLeading() ? [...poolMetrics(world), waitingMetric(world), lostMetric(world)] : []),
      ...configMetrics({ wasIn, isIn: isIn(), ignored: complaints().length }),
      ...requestMetrics(requests),
      ...troubleMetrics(troubles),
      gauge('berth_leader', 'Whether this replica decides and writes.', [one(isLeading())]),
      gauge('berth_waits_for_metallb', "Whether MetalLB's controller keeps us from writing.", [
        one(isWaiting()),
      ]),
      ...processMetrics(),
    ]
  }
}

function troubleMetrics({ parked, failures }: MetricsParts['troubles']): Metric[] {
  const samples = [...failures].map(([decider, value]) => ({ labels: { decider }, value }))
  return [
    gauge('berth_parked_objects', 'Objects that a bug keeps from being decided.', [
      one(parked.length),
    ]),
    counter(
      'berth_decider_failures_total',
      'Decisions whose write failed and is retried.',
      samples,
    ),
  ]
}

const families = {
  addresses: ['IPv4', 'IPv6'],
  ipv4_addresses: ['IPv4'],
  ipv6_addresses: ['IPv6'],
} as const satisfies Record<string, readonly Family[]>

function poolMetrics(world: ReadonlyWorld): Metric[] {
  const pools = [...world.pools.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return Object.entries(families).flatMap(([addresses, counted]) => {
    const kind = counted.length === 1 ? `${counted[0]} addresses` : 'addresses'
    const ofEach = (count: (pool: string, family: Family) => bigint): Sample[] =>
      pools.map(({ name: pool }) => {
        const total = counted.reduce((sum, family) => sum + count(pool, family), 0n)
        return { labels: { pool }, value: Number(total) }
      })
    const ledger = (pool: string) => world.ledger.pool(pool)
    const capacity = ofEach((pool, family) => ledger(pool)?.capacity(family) ?? 0n)
    const held = ofEach((pool, family) => BigInt(ledger(pool)?.held(family) ?? 0))
    const name = `metallb_allocator_${addresses}`
    return [
      gauge(`${name}_total`, `Number of ${kind} in the pool.`, capacity),
      gauge(`${name}_in_use_total`, `Number of ${kind} of the pool in use.`, held),
    ]
  })
}

function lostMetric({ lost }: ReadonlyWorld): Metric {
  const samples = [...lost.all()].map(([pool, records]) => ({
    labels: { pool },
    value: records.length,
  }))
  const help = 'Addresses that are kept though their pool is gone.'
  return gauge('berth_lost_pool_addresses', help, samples)
}

/** From what the Services show. */
function waitingMetric(world: ReadonlyWorld): Metric {
  const counts = new Map(Object.keys(remedies).map((word) => [word, 0]))
  for (const service of world.services.values()) {
    const { addressed } = service
    if (addressed?.status !== 'False' || !world.isOurs(service)) continue
    const word = wordOf(addressed.reason)
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const samples = [...counts].map(([reason, value]) => ({ labels: { reason }, value }))
  return gauge('berth_waiting_services', 'Services that wait for an address.', samples)
}

/** The spelling of everything but conditions: PoolFull is pool-full. */
const wordOf = (inCondition: string): string =>
  inCondition.replace(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase()
