// What have two speakers agreed on? What both offered in their OPENs (RFC 4271 §4.2, RFC 5492), or
// why there can be no session.
import type { Family, Ip } from '../../net/ip.ts'
import type { AsSize } from '../../wire/bgp/asPath.ts'
import { mostBytes } from '../../wire/bgp/header.ts'
import { type Read, refused } from '../../wire/bgp/notice.ts'
import type { Open } from '../../wire/bgp/open.ts'

/** The session as configured. */
export type SessionOptions = {
  readonly localAsn: number
  /** A number, or only whether it is ours. */
  readonly peerAsn: number | 'internal' | 'external'
  readonly families: readonly Family[]
  readonly holdSeconds: number
  /** Undefined: a third of the hold time. */
  readonly keepaliveSeconds: number | undefined
  /** Between two attempts; undefined: later each time. */
  readonly retrySeconds: number | undefined
  /** How long the peer keeps our routes while we are away; undefined: not at all. */
  readonly restartSeconds: number | undefined
  /** How long it may keep them beyond that, as a last choice; absent: not at all. */
  readonly staleSeconds?: number
  /** Whether the peer may be told of IPv4 routes through an address of IPv6. */
  readonly hopsBySix?: true
  /** We never dial: the peer does. */
  readonly isPassive?: true
}

export type Agreed = {
  readonly peerAsn: number
  readonly peerRouterId: Ip
  readonly isInternal: boolean
  readonly asSize: AsSize
  /** Of a message that we may send. */
  readonly mostBytes: number
  readonly families: readonly Family[]
  /** 0: nobody is missed. */
  readonly holdMs: number
  readonly keepaliveMs: number
  readonly canRefresh: boolean
  readonly canRefreshEnhanced: boolean
  /** Whether IPv4 routes go through an address of IPv6 (RFC 8950). */
  readonly hopsBySix?: true
  /** Whether the peer keeps our routes for a while after the connection ends (RFC 4724). */
  readonly keepsRoutes: boolean
  /** Whether it may keep them longer, as a last choice (RFC 9494). */
  readonly keepsLonger?: true
  /** Whether it does so after any NOTIFICATION but a Hard Reset (RFC 8538). */
  readonly needsHardReset: boolean
}

export function agree(options: SessionOptions, routerId: Ip, open: Open): Read<Agreed> {
  const { asn: peerAsn, routerId: peerRouterId, capabilities } = open
  const isInternal = peerAsn === options.localAsn
  if (!isExpected(options, peerAsn)) return refused(2, 2)
  // Only inside one AS must they differ (RFC 6286).
  if (isInternal && peerRouterId === routerId) return refused(2, 3)
  const theirs = capabilities.families ?? ['IPv4']
  const holdMs = Math.min(options.holdSeconds, open.holdSeconds) * 1000
  const restart = options.restartSeconds === undefined ? undefined : capabilities.restart
  const value = {
    peerAsn,
    peerRouterId,
    isInternal,
    asSize: capabilities.asn === undefined ? 2 : 4,
    mostBytes: capabilities.canExtend ? mostBytes.extended : mostBytes.usual,
    families: options.families.filter((family) => theirs.includes(family)),
    holdMs,
    keepaliveMs: keepaliveMsOf(options, holdMs),
    canRefresh: capabilities.canRefresh,
    canRefreshEnhanced: capabilities.canRefreshEnhanced,
    ...(options.hopsBySix && capabilities.canHopBySix && { hopsBySix: true as const }),
    keepsRoutes: restart !== undefined,
    ...(restart !== undefined &&
      options.staleSeconds !== undefined &&
      capabilities.staleSeconds !== undefined && { keepsLonger: true as const }),
    needsHardReset: restart?.survivesNotice === true,
  } as const
  return { ok: true, value }
}

export function keepaliveMsOf(options: SessionOptions, holdMs: number): number {
  const wantedMs = (options.keepaliveSeconds ?? options.holdSeconds / 3) * 1000
  return Math.min(wantedMs, holdMs / 3)
}

function isExpected({ localAsn, peerAsn }: SessionOptions, asn: number): boolean {
  if (peerAsn === 'internal') return asn === localAsn
  if (peerAsn === 'external') return asn !== localAsn
  return asn === peerAsn
}
