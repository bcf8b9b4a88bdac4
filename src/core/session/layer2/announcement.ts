// What is a node told to announce on layer 2, and what does it tell about it?
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'

export type Announcement = {
  readonly address: Ip
  /** By name, also those that come later; 'all' that may announce. */
  readonly interfaces: readonly string[] | 'all'
  /** Probe when nobody in the cluster has announced it before; else it is known to be ours. */
  readonly start: 'probe' | 'burst'
  /** Even when another machine has it. */
  readonly shouldAnnounceAnyway?: boolean
}

/**
 * Another has our address: a machine that is no speaker, or a peer for too long. Or two
 * peers have one that is none of ours.
 */
export type Sighting = {
  readonly kind: 'foreign-owner' | 'two-owners'
  readonly address: Ip
  readonly interface: string
  readonly mac: Mac
  /** The second of two peers. */
  readonly beside?: Mac
  /** False when it was found before we began: then we do not begin; and for two others. */
  readonly isAnnounced: boolean
}

/** Answers go out from now on. */
export type Started = {
  readonly kind: 'started'
  readonly address: Ip
  readonly interface: string
}

export type Effect =
  | Sighting
  | Started
  | { readonly kind: 'send'; readonly port: number; readonly frame: Uint8Array }
  /** The solicited-node group of an address, as often as it is left. */
  | { readonly kind: 'join' | 'leave'; readonly port: number; readonly group: Uint8Array }

/** Since they were taken before. */
export type Counts = { requests: number; responses: number; gratuitous: number }
export type Counted = Readonly<Counts> & { readonly address: Ip }
