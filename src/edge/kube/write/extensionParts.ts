// What does the controller hand to whoever is added to it? The API and the World, when writing is
// allowed, and where to tell what was done and what went wrong.
import type { Kind } from '../../../core/model/view.ts'
import type { World } from '../../../core/model/world.ts'
import type { Write } from '../../../core/model/write.ts'
import type { Api } from '../api/client.ts'
import type { Clock } from '../api/clock.ts'
import type { Versions } from '../feed/versions.ts'
import type { About, EventText } from './events.ts'

export type ExtensionParts = {
  readonly api: Api
  readonly world: World
  readonly versions: Versions
  readonly keep: (write: Write) => Promise<void>
  readonly clock: Clock
  readonly random: () => number
  readonly timestamp: () => string
  /** Whether every kind has been listed, and none has gone since. */
  readonly isIn: () => boolean
  /** Every list is in, we lead, and nobody else does the same. */
  readonly mayWrite: () => boolean
  readonly isServed: (kind: Kind) => boolean
  readonly say: (about: About, events: readonly EventText[]) => void
  readonly troubles: {
    readonly failed: (decider: string, object: string, error: Error) => void
    readonly park: (decider: string, object: string, error: unknown) => void
    readonly over: (decider: string, object: string) => void
  }
  /** Something may be different now. */
  readonly changed: () => void
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
}
