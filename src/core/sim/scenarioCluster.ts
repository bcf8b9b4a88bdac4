// What is a scenario run on? Anything that can be applied to, deleted from, restarted, settled and
// looked at: the simulator, or a running API with the controller on it.
import type { Json } from '../model/json.ts'
import type { Key } from '../model/service.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Speakers } from '../policy/announce/advertise.ts'

type Later<T> = T | Promise<T>

/** How things stand once everything has settled. */
export type Look = {
  readonly get: (id: string) => Json | undefined
  /** Every object, in no particular order. */
  readonly all: () => Iterable<Json>
  readonly world: ReadonlyWorld
  readonly speakers: Speakers
  /** What was said to Services since the look before. */
  readonly events: readonly { readonly service: Key; readonly reason: string }[]
}

export type ScenarioCluster = {
  /** Before the manifests of a step. */
  readonly begin?: (manifests: readonly Json[]) => Later<void>
  /** Why it was refused, in words; nothing when it was accepted. */
  readonly apply: (manifest: Json) => Later<readonly string[]>
  readonly delete: (id: string) => Later<readonly string[]>
  /** Answers with the names that no Node has. */
  readonly setNodes: (down: readonly string[], up: readonly string[]) => Later<readonly string[]>
  readonly restart: (programs: readonly string[]) => Later<void>
  readonly advance: (seconds: number) => Later<void>
  /** Ends once nothing is left to decide or to write. */
  readonly settle: () => Later<void>
  readonly look: () => Later<Look>
  /** Whether announcements can be looked at. */
  readonly hasSpeakers: boolean
}
