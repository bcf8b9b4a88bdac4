// What does a node say of one of its BGP sessions? In the words of frr-k8s where it has them.
import type { Family } from '../net/ip.ts'

/** As it stands in the API. */
export type BgpSessionStatus = {
  /** Established; Active while it is tried, Idle while it is not. */
  readonly bgpStatus: string
  /** N/A without BFD. */
  readonly bfdStatus: string
  readonly node: string
  /** Of the BGPPeer. */
  readonly peer: string
  /** Empty for none. */
  readonly vrf: string
  /** Since when it is established, or since when it is not: RFC 3339. */
  readonly since: string
  /** Empty until it is known. */
  readonly localAddress: string
  readonly peerAddress: string
  readonly peerPort: number
  readonly localASN: number
  /** 0 until it is known. */
  readonly peerASN: number
  /** What both sides agreed on; absent while there is no session. */
  readonly agreed?: BgpAgreed
  readonly routesSent: number
  /** UPDATE messages: routes that a router sends are counted and dropped. */
  readonly updatesReceived: number
  /** Why the last connection ended; absent before one has. */
  readonly lastError?: { readonly message: string; readonly endedBy: string }
}

export type BgpAgreed = {
  readonly holdTime: string
  readonly keepaliveTime: string
  readonly peerRouterID: string
  /** Those of routes that are sent. */
  readonly families: readonly Family[]
  readonly capabilities: readonly string[]
}

export type BgpSession = BgpSessionStatus & {
  readonly kind: 'BGPSession'
  readonly name: string
}

export const isEstablished = ({ bgpStatus }: Pick<BgpSession, 'bgpStatus'>): boolean =>
  bgpStatus === 'Established'

/** Whether routes of the family of the prefix go out; where nobody says so, they do. */
export const isSent = (prefix: string, session: Pick<BgpSession, 'agreed'> | undefined): boolean =>
  session?.agreed?.families.includes(prefix.includes(':') ? 'IPv6' : 'IPv4') ?? true
