// What does a node report of one session? The states in which it is only being tried are one: which
// of them it is changes many times a minute while a router is away.
import type { BgpAgreed, BgpSessionStatus } from '../../../../core/model/bgpSession.ts'
import type { Agreed } from '../../../../core/session/bgp/agreed.ts'
import { mostBytes } from '../../../../core/wire/bgp/header.ts'
import type { NextHops } from '../nextHops.ts'
import type { PeerSession } from '../peerSession.ts'

type Reported = Pick<
  PeerSession,
  'plan' | 'session' | 'since' | 'localAddress' | 'nextHops' | 'told' | 'counts'
>

export function sessionStatusOf(
  reported: Reported,
  node: string,
  bfdStatus = 'N/A',
): BgpSessionStatus {
  const { plan, session, since, localAddress, told, counts } = reported
  const { state, agreed, lastError, endedBy = 'connection' } = session
  const isUp = state === 'Established'
  const { localAsn, peerAsn } = plan.options
  return {
    bgpStatus: isUp || state === 'Idle' ? state : 'Active',
    bfdStatus,
    node,
    peer: plan.name,
    vrf: plan.vrf,
    since,
    localAddress: localAddress ?? '',
    peerAddress: plan.address,
    peerPort: plan.port,
    localASN: localAsn,
    peerASN: isUp && agreed ? agreed.peerAsn : typeof peerAsn === 'number' ? peerAsn : 0,
    ...(isUp && agreed && { agreed: agreedOn(agreed, reported.nextHops) }),
    routesSent: told.sent,
    updatesReceived: counts.received.UPDATE,
    ...(lastError !== '' && { lastError: { message: lastError, endedBy } }),
  }
}

const agreedOn = (agreed: Agreed, nextHops: NextHops): BgpAgreed => ({
  holdTime: secondsText(agreed.holdMs),
  keepaliveTime: secondsText(agreed.keepaliveMs),
  peerRouterID: agreed.peerRouterId,
  families: agreed.families.filter((family) => nextHops[family] !== undefined),
  capabilities: [
    ...(agreed.asSize === 4 ? ['four-octet-as'] : []),
    ...(agreed.canRefresh ? ['route-refresh'] : []),
    ...(agreed.canRefreshEnhanced ? ['enhanced-route-refresh'] : []),
    ...(agreed.mostBytes === mostBytes.extended ? ['extended-message'] : []),
    ...(agreed.hopsBySix ? ['extended-next-hop'] : []),
    ...(agreed.keepsRoutes ? ['graceful-restart'] : []),
    ...(agreed.keepsLonger ? ['long-lived-graceful-restart'] : []),
  ],
})

const secondsText = (ms: number): string => `${Math.round(ms) / 1000}s`
