// What is a node told to announce on layer 2, and what does it report?
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'

export type Announcement = {
  readonly address: Ip
  /** Names, including interfaces that appear later; 'all' for every one that may announce. */
  readonly interfaces: readonly string[] | 'all'
  /** 'probe' if no node in the cluster announced it before; otherwise it is known to be ours. */
  readonly start: 'probe' | 'burst'
  /** Announce even if another machine has the address. */
  readonly shouldAnnounceAnyway?: boolean
}

/**
 * Someone else answers for our address: a machine that is not a speaker, or a peer for too long.
 * Or two peers answer for an address that is not ours.
 */
export type Sighting = {
  readonly kind: 'foreign-owner' | 'two-owners'
  readonly address: Ip
  readonly interface: string
  readonly mac: Mac
  /** The second of the two peers. */
  readonly beside?: Mac
  /** False if it was seen before we announced, so that we do not; and for two peers. */
  readonly isAnnounced: boolean
}

/** This node now answers for the address. */
export type Started = {
  readonly kind: 'started'
  readonly address: Ip
  readonly interface: string
}

export type Effect =
  | Sighting
  | Started
  | { readonly kind: 'send'; readonly port: number; readonly frame: Uint8Array }
  /** The solicited-node group of an address; every join is matched by a leave. */
  | { readonly kind: 'join' | 'leave'; readonly port: number; readonly group: Uint8Array }

/** Since the last time they were taken. */
export type Counts = { requests: number; responses: number; gratuitous: number }
export type Counted = Readonly<Counts> & { readonly address: Ip }
