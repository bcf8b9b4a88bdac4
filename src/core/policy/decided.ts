// What does a decider answer? Writes and Events, and by its kind what counts at once, or when to
// look again.
import type { NodeIntent } from '../model/ipam/nodeLedger.ts'
import type { Intent } from '../model/world.ts'
import type { Write } from '../model/write.ts'
import type { NodeDecision } from './claims.ts'
import type { EventWrite } from './decider.ts'

type Outcome = {
  readonly writes: readonly Write[]
  /** About the object that was decided. */
  readonly events?: readonly EventWrite[]
}
export type Kept = Outcome & {
  /** Look again after so many seconds, even if nothing changes. */
  readonly againInS?: number
  /** While nothing wakes it, after twice as long each time, up to this. */
  readonly againWithinS?: number
  readonly intent?: never
  readonly nodeIntent?: never
}
export type Claimed = Outcome & {
  /** Counts at once, before anything else is decided. */
  readonly intent?: Intent
  readonly againInS?: never
  readonly againWithinS?: never
  readonly nodeIntent?: never
}
export type Reserved = Outcome & {
  /** The same of an IPSet. */
  readonly nodeIntent?: NodeIntent
  readonly againInS?: number
  readonly againWithinS?: never
  readonly intent?: never
}
export type Hosted = NodeDecision & {
  readonly againInS?: never
  readonly againWithinS?: never
  readonly intent?: never
}
/** Whichever decider answers it. */
export type Decided = Kept | Claimed | Reserved | Hosted
