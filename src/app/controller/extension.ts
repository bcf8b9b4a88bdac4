// What can be added to the controller? Kinds to watch, deciders for the keeper, and a worker of its
// own for what is not written object by object. The controller knows none by name.
import type { Complete } from '../../core/model/completion.ts'
import type { Decider, KeptDecider } from '../../core/policy/decider.ts'
import type { WatchedKind } from '../../edge/kube/feed/watchedKinds.ts'
import type { ExtensionParts } from '../../edge/kube/write/extensionParts.ts'

export type Extension = {
  /** The controller runs them, each in a loop. */
  readonly deciders: readonly KeptDecider[]
  /** In addition to the controller's own conditions. */
  readonly mayWrite: () => boolean
  /** Whether nothing is left to decide or to write. */
  readonly isQuiet: () => boolean
  /** Whether more writes are due than may be in flight. */
  readonly isBusy: () => boolean
  /** One line for each missing prerequisite. */
  readonly complaints: () => readonly string[]
  /** Something may have changed. */
  readonly pump: () => void
  readonly run: (signal: AbortSignal) => Promise<void>
  /** By group/Kind: what is asked before an object is made. */
  readonly completions?: ReadonlyMap<string, Complete>
}

export type NewExtension = {
  readonly watched: readonly WatchedKind[]
  /** The list is the controller's, for what the extension claims in a way of its own. */
  readonly start: (parts: ExtensionParts, list: readonly Decider[]) => Extension
}
