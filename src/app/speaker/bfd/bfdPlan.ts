// Which BFD session does a BGPPeer ask for? As its BFDProfile says, with FRR's defaults (M1.6).
import type { BfdProfile, Peer } from '../../../core/model/announcing.ts'
import { familyOf } from '../../../core/net/ip.ts'
import type { OwnAddress } from '../../../edge/host/ownAddresses.ts'
import { isOnLink } from '../bgp/nextHops.ts'
import type { PeerPlan } from '../bgp/peerPlan.ts'
import type { BfdPlan } from './bfdMessages.ts'

type Asked = {
  readonly peer: Peer
  readonly plan: PeerPlan
  readonly profile: BfdProfile
  readonly own: readonly OwnAddress[]
}

const usual = { intervalMs: 300, echoMs: 50, multiplier: 3, minimumTtl: 254 } as const
/** GTSM (RFC 5881 §5): whoever is not on the link cannot send it. */
const onLinkTtl = 255

/** As FRR has it: several hops with ebgpMultiHop, and inside one AS for a peer off the link. */
export function bfdPlanOf({ peer, plan, profile, own }: Asked): BfdPlan {
  const { address, source } = plan
  const device = plan.link || plan.vrf
  const isSingle = plan.isOneHop || (isOnLink(address, own) && !peer.ebgpMultiHop)
  const echo = profile.echoMode && isSingle ? echoTargetOf(plan, own) : undefined
  const hops = isSingle ? 'single' : 'multiple'
  const leastTtl = isSingle ? onLinkTtl : (profile.minimumTtl ?? usual.minimumTtl)
  return {
    key: [address, source ?? '', device, hops].join(' '),
    target: { peer: address, source, device, hops, leastTtl },
    timers: {
      txMicros: 1000 * (profile.transmitInterval ?? usual.intervalMs),
      rxMicros: 1000 * (profile.receiveInterval ?? usual.intervalMs),
      multiplier: profile.detectMultiplier ?? usual.multiplier,
      isPassive: profile.passiveMode,
      echoMicros: echo === undefined ? 0 : 1000 * (profile.echoInterval ?? usual.echoMs),
    },
    echo,
  }
}

/** RFC 5881 §4: IPv4, on the link that the peer is on. */
function echoTargetOf({ address, source }: PeerPlan, own: readonly OwnAddress[]) {
  if (familyOf(address) !== 'IPv4') return undefined
  const [here] = own.filter((one) => isOnLink(address, [one]))
  return here && { interface: here.interface, address: source ?? here.address }
}
