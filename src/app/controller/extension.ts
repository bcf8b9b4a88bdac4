// What can be added to the controller? Kinds to watch, deciders for the keeper, and a worker of its
// own for what is not written object by object. The controller knows none by name.
import type { Kind } from '../../core/model/view.ts'
import type { World } from '../../core/model/world.ts'
import type { Write } from '../../core/model/write.ts'
import type { EventWrite, KeptDecider } from '../../core/policy/decider.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import type { Versions } from '../../edge/kube/feed/versions.ts'
import type { WatchedKind } from '../../edge/kube/feed/watchedKinds.ts'
import type { About } from '../../edge/kube/write/events.ts'
import type { Troubles } from './troubles.ts'

export type ExtensionParts = {
  readonly api: Api
  readonly world: World
  readonly versions: Versions
  readonly keep: (write: Write) => Promise<void>
  readonly clock: Clock
  readonly random: () => number
  readonly timestamp: () => string
  /** Every list is in, we lead, and nobody else does the same. */
  readonly mayWrite: () => boolean
  readonly isServed: (kind: Kind) => boolean
  readonly say: (about: About, events: readonly EventWrite[]) => void
  readonly troubles: Troubles
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
}

export type Extension = {
  /** The controller runs them, each in a loop. */
  readonly deciders: readonly KeptDecider[]
  /** Beside what the controller itself asks for. */
  readonly mayWrite: () => boolean
  /** Whether nothing is left to decide or to write. */
  readonly isQuiet: () => boolean
  /** One line for each thing that it cannot do without. */
  readonly complaints: () => readonly string[]
  /** Something may have changed. */
  readonly pump: () => void
  readonly run: (signal: AbortSignal) => Promise<void>
}

export type NewExtension = {
  readonly watched: readonly WatchedKind[]
  readonly start: (parts: ExtensionParts) => Extension
}
