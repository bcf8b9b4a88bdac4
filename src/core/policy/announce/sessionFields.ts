// What of a BGPPeer makes its session? Where any of it is another, the session is opened anew; all
// else applies to the one that is there (M6.4, M6.8, R8.9).
import type { Peer } from '../../model/announcing.ts'
import { type Family, familyOf, type Ip, parseIp } from '../../net/ip.ts'
import { sessionTermsOf } from './sessionTerms.ts'

/** What its two ends are, beside the peer's address. */
export type SessionEnds = {
  readonly port: number
  readonly source: Ip | undefined
  readonly routerId: Ip | undefined
  readonly ttl: number
  /** What comes with a lower one is dropped; absent: nothing is. */
  readonly leastTtl?: number
  /** Whether the peer must be in a subnet of this node. */
  readonly isOneHop: boolean
  readonly vrf: string
}

type SessionFields = SessionEnds & {
  readonly localAsn: number
  /** A number, or only whether it is ours. */
  readonly peerAsn: number | 'internal' | 'external'
  readonly families: readonly Family[]
  readonly holdSeconds: number
  /** How long the peer keeps our routes while we are away; undefined: not at all. */
  readonly restartSeconds: number | undefined
  readonly staleSeconds?: number
  readonly isPassive?: true
  /** Undefined for the router of the interface. */
  readonly address: Ip | undefined
  /** '' for none. */
  readonly interface: string
  readonly hasPassword: boolean
}

/** As MetalLB's own engine has it. */
const usualHoldSeconds = 90
/** As FRR has it. */
const restartSeconds = 120

export function sessionFieldsOf(peer: Peer): SessionFields {
  const localAsn = peer.localASN || peer.myASN
  const isInternal = peer.dynamicASN === 'internal' || peer.peerASN === localAsn
  const { isPassive, hasGtsm, staleSeconds } = sessionTermsOf(peer)
  const isOneHop = hasGtsm || (!isInternal && !peer.ebgpMultiHop)
  return {
    localAsn,
    peerAsn: peerAsnOf(peer),
    families: familiesOf(peer),
    holdSeconds: holdSecondsOf(peer),
    restartSeconds: peer.enableGracefulRestart === true ? restartSeconds : undefined,
    ...(staleSeconds !== undefined && { staleSeconds }),
    ...(isPassive && { isPassive }),
    address: peer.interface === '' ? ipIn(peer.peerAddress) : undefined,
    interface: peer.interface,
    port: peer.peerPort,
    source: ipIn(peer.sourceAddress),
    routerId: ipIn(peer.routerID),
    ttl: isOneHop && !hasGtsm ? 1 : 255,
    ...(hasGtsm && { leastTtl: 255 }),
    isOneHop,
    vrf: peer.vrf,
    hasPassword: peer.hasPassword || peer.passwordSecret !== '',
  }
}

const ipIn = (text: string): Ip | undefined => {
  const ip = parseIp(text)
  return ip.ok ? ip.value : undefined
}

const peerAsnOf = ({ dynamicASN, peerASN }: Peer): SessionFields['peerAsn'] =>
  dynamicASN === 'internal' || dynamicASN === 'external' ? dynamicASN : peerASN

function familiesOf(peer: Peer): readonly Family[] {
  const address = ipIn(peer.peerAddress)
  const isBoth = peer.dualStackAddressFamily || peer.interface !== ''
  return isBoth || address === undefined ? ['IPv4', 'IPv6'] : [familyOf(address)]
}

/** M6.4, in whole seconds: the wire has no other. */
function holdSecondsOf({ holdMs, keepaliveMs }: Peer): number {
  const wanted = holdMs ?? (keepaliveMs === undefined ? usualHoldSeconds * 1000 : 3 * keepaliveMs)
  return Math.min(65_535, Math.floor(wanted / 1000))
}
