// Which session does a BGPPeer ask this node for, and when is it another one? (M6.4, M6.8)
import type { Peer } from '../../../core/model/announcing.ts'
import { isSame } from '../../../core/model/sameView.ts'
import { type Family, familyOf, type Ip, parseIp } from '../../../core/net/ip.ts'
import { isOfLink } from '../../../core/net/linkLocal.ts'
import { sessionTermsOf } from '../../../core/policy/announce/sessionTerms.ts'
import type { SessionOptions } from '../../../core/session/bgp/agreed.ts'

export type PeerPlan = {
  /** Of the BGPPeer. */
  readonly name: string
  readonly options: SessionOptions
  readonly address: Ip
  readonly port: number
  readonly source: Ip | undefined
  readonly routerId: Ip | undefined
  readonly ttl: number
  /** What comes with a lower one is dropped; absent: nothing is. */
  readonly leastTtl?: number
  /** Whether the peer must be in a subnet of this node. */
  readonly isOneHop: boolean
  readonly vrf: string
  /** The interface that the address is of, where it is one of a link; '' otherwise. */
  readonly link: string
  readonly password: 'none' | 'inline' | 'secret'
  /** Its name, where the password is in one. */
  readonly secret: string
}

/** As MetalLB's own engine has it. */
const usualHoldSeconds = 90
/** As FRR has it. */
const restartSeconds = 120

type PeerLocation = {
  /** The interface that the peer is on, where that is known. */
  readonly link: string
  /** The router that is heard there. */
  readonly heard: Ip | undefined
}

const nowhere: PeerLocation = { link: '', heard: undefined }

/** Undefined where there is no address to dial. */
export function planOf(peer: Peer, { link, heard } = nowhere): PeerPlan | undefined {
  const address = peer.interface === '' ? ipIn(peer.peerAddress) : heard
  if (address === undefined) return undefined
  const localAsn = peer.localASN || peer.myASN
  const isInternal = peer.dynamicASN === 'internal' || peer.peerASN === localAsn
  const { isPassive, hasGtsm, staleSeconds } = sessionTermsOf(peer)
  const isOneHop = hasGtsm || (!isInternal && !peer.ebgpMultiHop)
  return {
    name: peer.name,
    options: {
      localAsn,
      peerAsn: peerAsnOf(peer),
      families: familiesOf(peer, address),
      ...timersOf(peer),
      retrySeconds: peer.connectMs === undefined ? undefined : peer.connectMs / 1000,
      restartSeconds: peer.enableGracefulRestart === true ? restartSeconds : undefined,
      ...(staleSeconds !== undefined && { staleSeconds }),
      ...(peer.interface !== '' && { hopsBySix: true }),
      ...(isPassive && { isPassive }),
    },
    address,
    port: peer.peerPort,
    source: ipIn(peer.sourceAddress),
    routerId: ipIn(peer.routerID),
    ttl: isOneHop && !hasGtsm ? 1 : 255,
    ...(hasGtsm && { leastTtl: 255 }),
    isOneHop,
    vrf: peer.vrf,
    link: isOfLink(address) ? link : '',
    ...passwordOf(peer),
  }
}

/** Where its password is. */
export const passwordOf = (peer: Peer): Pick<PeerPlan, 'password' | 'secret'> => ({
  password: peer.hasPassword ? 'inline' : peer.passwordSecret === '' ? 'none' : 'secret',
  secret: peer.passwordSecret,
})

/** Other pauses and another password apply to the session that is there (R8.9). */
export const needsNewSession = (before: PeerPlan, after: PeerPlan): boolean =>
  !isSame(fixedIn(before), fixedIn(after))

function fixedIn({ options, password, secret: _, ...plan }: PeerPlan) {
  const { keepaliveSeconds: __, retrySeconds: ___, ...fixed } = options
  return { ...plan, ...fixed, hasPassword: password !== 'none' }
}

const ipIn = (text: string): Ip | undefined => {
  const ip = parseIp(text)
  return ip.ok ? ip.value : undefined
}

const peerAsnOf = ({ dynamicASN, peerASN }: Peer): SessionOptions['peerAsn'] =>
  dynamicASN === 'internal' || dynamicASN === 'external' ? dynamicASN : peerASN

const familiesOf = (peer: Peer, address: Ip): readonly Family[] =>
  peer.dualStackAddressFamily || peer.interface !== '' ? ['IPv4', 'IPv6'] : [familyOf(address)]

/** M6.4, in whole seconds where the wire has no other. */
function timersOf({
  holdMs,
  keepaliveMs,
}: Peer): Pick<SessionOptions, 'holdSeconds' | 'keepaliveSeconds'> {
  const keepaliveSeconds = keepaliveMs === undefined ? undefined : keepaliveMs / 1000
  const wanted = holdMs ?? (keepaliveMs === undefined ? usualHoldSeconds * 1000 : 3 * keepaliveMs)
  return { holdSeconds: Math.min(65_535, Math.floor(wanted / 1000)), keepaliveSeconds }
}
