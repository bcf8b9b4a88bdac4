// Proves what is told of a session in each of its states.
import { expect, test } from 'vitest'
import type { Ip } from '../../../../core/net/ip.ts'
import type { Agreed } from '../../../../core/session/bgp/agreed.ts'
import { newSession, type Session } from '../../../../core/session/bgp/session.ts'
import { MessageCounts } from '../messageCounts.ts'
import type { NextHops } from '../nextHops.ts'
import type { PeerPlan } from '../peerPlan.ts'
import { sessionStatusOf } from './sessionStatus.ts'

const options: Parameters<typeof newSession>[0] = {
  ...{ localAsn: 64512, peerAsn: 'external', families: ['IPv4'], holdSeconds: 90 },
  ...{ keepaliveSeconds: undefined, retrySeconds: undefined, restartSeconds: undefined },
}
const plan: PeerPlan = {
  ...{ name: 'tor', options, address: '192.0.2.1' as Ip, port: 179, source: undefined, ttl: 1 },
  ...{ routerId: undefined, isOneHop: true, vrf: '', link: '', password: 'none', secret: '' },
}
const agreed: Agreed = {
  ...{ peerAsn: 64513, peerRouterId: '192.0.2.1' as Ip, isInternal: false, asSize: 4 },
  ...{ mostBytes: 4096, families: ['IPv4'], holdMs: 10_000, keepaliveMs: 10_000 / 3 },
  ...{ canRefresh: true, canRefreshEnhanced: false, keepsRoutes: true, needsHardReset: false },
}

const four = { IPv4: ['192.0.2.9' as Ip] }

const statusIn = (session: Partial<Session>, nextHops: NextHops = four) =>
  sessionStatusOf(
    {
      plan,
      session: { ...newSession(options), ...session },
      since: '2026-01-01T00:00:00Z',
      localAddress: '192.0.2.9' as Ip,
      nextHops,
      told: { sent: 3, pending: 0 },
      counts: new MessageCounts(),
    },
    'a',
  )

test('[R8.10] an established session says what was agreed', () => {
  expect(statusIn({ state: 'Established', agreed })).toMatchObject({
    bgpStatus: 'Established',
    bfdStatus: 'N/A',
    localAddress: '192.0.2.9',
    localASN: 64512,
    peerASN: 64513,
    routesSent: 3,
    agreed: {
      holdTime: '10s',
      keepaliveTime: '3.333s',
      peerRouterID: '192.0.2.1',
      families: ['IPv4'],
      capabilities: ['four-octet-as', 'route-refresh', 'graceful-restart'],
    },
  })
})

test('[R8.10] a family without a next hop is not among those that are sent', () => {
  const both = { ...agreed, families: ['IPv4', 'IPv6'], hopsBySix: true } as const
  const { agreed: told } = statusIn({ state: 'Established', agreed: both })
  expect(told?.families).toEqual(['IPv4'])
  expect(told?.capabilities).toContain('extended-next-hop')
})

test.each<{ state: Session['state']; says: string }>([
  { state: 'Idle', says: 'Idle' },
  { state: 'Active', says: 'Active' },
  { state: 'Connect', says: 'Active' },
  { state: 'OpenSent', says: 'Active' },
  { state: 'OpenConfirm', says: 'Active' },
])('[R8.10] $state is told as $says, with who ended the last one', ({ state, says }) => {
  const status = statusIn({ state, agreed, lastError: 'refused', endedBy: 'peer' })
  expect(status).toMatchObject({ bgpStatus: says, peerASN: 0 })
  expect(status.lastError).toEqual({ message: 'refused', endedBy: 'peer' })
  expect(status).not.toHaveProperty('agreed')
})
