// What does BGP measure? MetalLB's figures under its names (M7.1), by peer and VRF.
import { counter, gauge } from '../../../edge/kube/serve/daemonMetrics.ts'
import type { Metric, Sample } from '../../../edge/kube/serve/metricsText.ts'
import type { Counted } from './messageCounts.ts'
import type { PeerSession } from './peerSession.ts'

type Figure = (session: PeerSession) => number

const total = (counted: Counted): number =>
  Object.values(counted).reduce((sum, count) => sum + count, 0)

const gauges: Readonly<Record<string, readonly [help: string, figure: Figure]>> = {
  session_up: [
    'Whether the session is established.',
    ({ session }) => Number(session.state === 'Established'),
  ],
  announced_prefixes_total: ['Prefixes that the peer has been told.', ({ told }) => told.sent],
  pending_prefixes_total: ['Changes that it has not been told.', ({ told }) => told.pending],
}
const counters: Readonly<Record<string, readonly [help: string, figure: Figure]>> = {
  updates_total: ['UPDATE messages sent.', ({ counts }) => counts.sent.UPDATE],
  updates_total_received: ['UPDATE messages received.', ({ counts }) => counts.received.UPDATE],
  opens_sent: ['OPEN messages sent.', ({ counts }) => counts.sent.OPEN],
  opens_received: ['OPEN messages received.', ({ counts }) => counts.received.OPEN],
  notifications_sent: ['NOTIFICATIONs sent.', ({ counts }) => counts.sent.NOTIFICATION],
  keepalives_sent: ['KEEPALIVEs sent.', ({ counts }) => counts.sent.KEEPALIVE],
  keepalives_received: ['KEEPALIVEs received.', ({ counts }) => counts.received.KEEPALIVE],
  route_refresh_sent: ['ROUTE-REFRESHs sent.', ({ counts }) => counts.sent['ROUTE-REFRESH']],
  total_sent: ['Messages sent.', ({ counts }) => total(counts.sent)],
  total_received: ['Messages received.', ({ counts }) => total(counts.received)],
}

export function bgpMetrics(sessions: readonly PeerSession[]): Metric[] {
  const samples = (figure: Figure): Sample[] =>
    sessions.map((session) => {
      const { address, port, vrf } = session.plan
      const peer = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
      return { labels: { peer, vrf }, value: figure(session) }
    })
  return [
    ...Object.entries(gauges).map(([name, [help, figure]]) =>
      gauge(`metallb_bgp_${name}`, help, samples(figure)),
    ),
    ...Object.entries(counters).map(([name, [help, figure]]) =>
      counter(`metallb_bgp_${name}`, help, samples(figure)),
    ),
  ]
}
