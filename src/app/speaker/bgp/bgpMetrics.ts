// What does BGP measure? MetalLB's figures under its names (M7.1), by peer and VRF.
import { counter, gauge } from '../../../edge/kube/serve/daemonMetrics.ts'
import type { Metric, Sample } from '../../../edge/kube/serve/metricsText.ts'
import type { Counted } from './messageCounts.ts'

type Counts = {
  readonly sent: Counted
  readonly received: Counted
  /** Absent if it is not reported. */
  readonly malformed?: number
}

/** Measures of a session, whichever program runs it. */
export type MeasuredBgp = {
  readonly plan: { readonly address: string; readonly port: number; readonly vrf: string }
  readonly session: { readonly state: string }
  readonly told: { readonly sent: number; readonly pending: number }
  /** Undefined if it is not counted. */
  readonly counts: Counts | undefined
}

type Figure = (session: MeasuredBgp) => number
type Count = (counts: Counts) => number

const total = (counted: Counted): number =>
  Object.values(counted).reduce((sum, count) => sum + count, 0)

const gauges: Readonly<Record<string, readonly [help: string, figure: Figure]>> = {
  session_up: [
    'Whether the session is established.',
    ({ session }) => Number(session.state === 'Established'),
  ],
  announced_prefixes_total: ['Prefixes that the peer has been told.', ({ told }) => told.sent],
  pending_prefixes_total: [
    'Changes that the peer has not been told yet.',
    ({ told }) => told.pending,
  ],
}
const counters: Readonly<Record<string, readonly [help: string, count: Count]>> = {
  updates_total: ['UPDATE messages sent.', ({ sent }) => sent.UPDATE],
  updates_total_received: ['UPDATE messages received.', ({ received }) => received.UPDATE],
  opens_sent: ['OPEN messages sent.', ({ sent }) => sent.OPEN],
  opens_received: ['OPEN messages received.', ({ received }) => received.OPEN],
  notifications_sent: ['NOTIFICATIONs sent.', ({ sent }) => sent.NOTIFICATION],
  keepalives_sent: ['KEEPALIVEs sent.', ({ sent }) => sent.KEEPALIVE],
  keepalives_received: ['KEEPALIVEs received.', ({ received }) => received.KEEPALIVE],
  route_refresh_sent: ['ROUTE-REFRESHs sent.', ({ sent }) => sent['ROUTE-REFRESH']],
  total_sent: ['Messages sent.', ({ sent }) => total(sent)],
  total_received: ['Messages received.', ({ received }) => total(received)],
}

const help = 'UPDATE messages with errors that did not end the session (RFC 7606).'

export function bgpMetrics(sessions: readonly MeasuredBgp[]): Metric[] {
  const sampled = (session: MeasuredBgp, value: number): Sample => {
    const { address, port, vrf } = session.plan
    const peer = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
    return { labels: { peer, vrf }, value }
  }
  const counted = sessions.flatMap((one) =>
    one.counts === undefined ? [] : ([[one, one.counts]] as const),
  )
  const malformed = counted.flatMap(([one, its]) =>
    its.malformed === undefined ? [] : [sampled(one, its.malformed)],
  )
  const counts = counted.length > 0 || sessions.length === 0 ? Object.entries(counters) : []
  return [
    ...Object.entries(gauges).map(([name, [help, figure]]) =>
      gauge(
        `metallb_bgp_${name}`,
        help,
        sessions.map((one) => sampled(one, figure(one))),
      ),
    ),
    ...counts.map(([name, [help, count]]) =>
      counter(
        `metallb_bgp_${name}`,
        help,
        counted.map(([one, its]) => sampled(one, count(its))),
      ),
    ),
    ...(malformed.length === 0
      ? []
      : [counter('berth_bgp_malformed_updates_total', help, malformed)]),
  ]
}
