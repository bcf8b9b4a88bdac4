// A BGP session as its node reports it: the ordinary case, and what differs.
import type { BgpSession } from '../../src/core/model/bgpSession.ts'

export const bgpSession = (given: Partial<BgpSession> = {}): BgpSession => ({
  kind: 'BGPSession',
  name: `${given.node ?? 'a'}-${given.peer ?? 'tor'}`,
  bgpStatus: 'Established',
  bfdStatus: 'N/A',
  node: 'a',
  peer: 'tor',
  vrf: '',
  since: '2026-01-01T00:00:00Z',
  localAddress: '192.0.2.9',
  peerAddress: '192.0.2.1',
  peerPort: 179,
  localASN: 64512,
  peerASN: 64513,
  routesSent: 2,
  updatesReceived: 1,
  ...given,
})
