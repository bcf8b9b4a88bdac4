// Where is the cluster plugged in (R6)? A Site: the network that it was built in, the addresses
// where it is now, and the move that waits to be committed.
import type { Ip } from '../net/ip.ts'
import type { Prefix } from '../net/range.ts'
import type { Occupying } from './elsewhere.ts'
import type { Labels } from './selector.ts'

/** The only name that a Site may have. */
export const siteName = 'cluster'

/** One address each for the API and for ingress. */
export type VipPair = {
  readonly apiVIP: Ip | undefined
  readonly ingressVIP: Ip | undefined
  readonly prefixLength: number | undefined
  readonly gateway: Ip | undefined
}

type SiteRoute = {
  readonly destination: Prefix
  /** Absent: the gateway of its family. */
  readonly nextHop: Ip | undefined
}

export type External = VipPair & {
  /** Of the other family. */
  readonly secondary: VipPair | undefined
  readonly interface: string
  readonly baseDomain: string
  readonly routes: readonly SiteRoute[]
  readonly announce: string
  /** The names of BGPPeers; empty for all. */
  readonly bgpPeers: readonly string[]
}

type Behind = {
  readonly namespace: string
  readonly selector: Labels
  readonly ports: readonly number[]
}

/** A change of `external` that is taken back unless somebody commits it in time (R6.10). */
type Move = {
  /** RFC 3339. */
  readonly commitBy: string
  /** What was there before; absent if the cluster had not arrived. */
  readonly before: External | undefined
}

export type Site = Occupying & {
  readonly kind: 'Site'
  readonly name: string
  readonly uid: string
  readonly createdAt: string
  readonly internalNetwork: Prefix | undefined
  readonly external: External | undefined
  readonly api: Behind
  readonly ingress: Behind
  readonly move: Move | undefined
  /** The commitBy of the move that was taken back; empty if none was. */
  readonly rolledBack: string
  readonly isGoing?: true
  /** Whether an annotation allows deletion with routes on the nodes. */
  readonly mayBeDeleted?: true
}

/** The move ran out of time, and nobody has asked for another since. */
export const isRolledBack = ({ move, rolledBack }: Site): boolean =>
  move !== undefined && move.commitBy === rolledBack

/** What counts: what is asked for, or what was there before a move that was taken back. */
export const externalOf = (site: Site): External | undefined =>
  isRolledBack(site) ? site.move?.before : site.external
