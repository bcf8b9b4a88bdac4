// To whom does the speaker hand its sessions and routes where FRR has them? To one of these.
import type { BfdProfile } from '../../../core/model/announcing.ts'
import type { NodeView } from '../../../core/model/node.ts'
import type { Fitting, FrrPeer } from '../../../core/policy/frr/frrRouters.ts'
import type { FrrSaid } from './frrShown.ts'

export type FrrAsked = {
  readonly node: NodeView
  /** Those of this node, by name. */
  readonly peers: readonly FrrPeer[]
  /** By name. */
  readonly profiles: readonly BfdProfile[]
}

export type FrrOutput = {
  /** Which of the peers it can have, and what it cannot do. */
  fit(peers: readonly FrrPeer[]): Fitting
  /**
   * Makes it so where it is not. Returns what is wrong on FRR's side, '' for nothing; throws where
   * it cannot be written. Is called again and again, also when nothing has changed.
   */
  write(asked: FrrAsked): Promise<string>
  /** Whether FRR has applied the last write, if that is known. Throws if it cannot be read. */
  hasTaken(node: string): Promise<boolean>
  /** How its sessions are; undefined while it never said. Throws where it cannot be asked. */
  said(node: string): Promise<FrrSaid | undefined>
}
