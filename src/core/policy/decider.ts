// What decides? From the World and one key to what is written, said and looked at again. The
// controller, the simulator and the shadow run the same list of these, and know none by name.
import type { Changed } from '../model/changed.ts'
import type { Kind } from '../model/view.ts'
import type { Intent, ReadonlyWorld } from '../model/world.ts'
import type { Write } from '../model/write.ts'

export type EventWrite = {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

export type Decided = {
  /** Counts at once, before anything else is decided. */
  readonly intent?: Intent
  readonly writes: readonly Write[]
  /** About the object that was decided. */
  readonly events?: readonly EventWrite[]
  /** Look again after so many seconds, even if nothing changes. */
  readonly againInS?: number
}

export type Decider<K extends string = string> = {
  /** In logs and metrics. */
  readonly name: string
  /** What its keys are keys of. */
  readonly kind: string
  /** It hears of changes of these kinds only. */
  readonly reads: readonly Kind[]
  /** The keys that a change wakes; `queue` where the World itself ranks who is next. */
  readonly wakes: 'queue' | ((changed: Changed, world: ReadonlyWorld) => Iterable<K>)
  /** Written claim by claim in a protocol of its own (R3.12), not by the keeper. */
  readonly isClaimed?: true
  decide(world: ReadonlyWorld, key: K): Decided
}
