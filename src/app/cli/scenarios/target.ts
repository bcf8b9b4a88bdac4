// What do scenarios run on when they run live? An API, the controller on it, and what may be done
// to both.
import type { BgpMode } from '../../../core/model/admission.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { ServedKinds } from '../../../edge/kube/api/servedKinds.ts'

/** The controller's own word: whether nothing is left to do, and from what it concludes that. */
export type Progress = {
  readonly isQuiet: boolean
  /** By kind: up to which version it has seen everything, and how many objects there are. */
  readonly seen: Readonly<
    Record<string, { readonly resourceVersion: string; readonly objects: number } | undefined>
  >
}

export type Target = {
  readonly api: Api
  /** Asked once for all scenarios. */
  readonly served: ServedKinds
  readonly progress: () => Promise<Progress>
  /** Absent where the controller is not ours to stop. */
  readonly controller?: {
    readonly stop: () => Promise<void>
    /** Ends once admission is asked again. */
    readonly start: () => Promise<void>
  }
  /** Whether everything there was made for these scenarios, namespaces included. */
  readonly isOwn: boolean
  /** Made for scenarios and used by the next ones. */
  readonly namespaces: Set<string>
  readonly close: () => Promise<void>
}

/** What a scenario takes for granted of the cluster. */
export type Wants = { readonly bgpMode: BgpMode; readonly isSingleStack: boolean }

export type Targets = {
  /** How many scenarios run at the same time, each on a target of its own. */
  readonly lanes: number
  /** Undefined where there is no such cluster to be had. */
  readonly get: (wants: Wants, lane: number) => Promise<Target | undefined>
  /** After a failure that leaves it in doubt what is there. */
  readonly discard: (target: Target, why: string) => Promise<void>
  readonly close: () => Promise<void>
}
