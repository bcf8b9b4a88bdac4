// What is a protocol to the speaker? One way to announce the addresses of Services from this node.
// The speaker hands down what each Service wants and what state the node is in; the protocol hands
// up what it waits for and what it reports. No protocol knows of another.

import type { Key } from '../../core/model/service.ts'
import type { Kind } from '../../core/model/view.ts'
import type { ReadonlyWorld } from '../../core/model/world.ts'
import type { Ip } from '../../core/net/ip.ts'
import type { HostLink } from '../../edge/host/packet/hostLink.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import type { Metric } from '../../edge/kube/serve/metricsText.ts'
import type { Pod } from '../../edge/kube/write/configurationState.ts'
import type { NodeProblem } from './status/nodeReport.ts'

/** One entry in the list of the speaker. A want is plain data: two are compared by their fields. */
export type ProtocolEntry<Want = unknown> = {
  /** As metrics, events and logs show it. */
  readonly name: string
  /** The kinds that it reads, beside those that every protocol does. */
  readonly kinds: readonly Kind[]
  /** Throws where it cannot begin; it is tried again later. */
  start(host: ProtocolHost<Want>): Protocol<Want>
}

/** What the speaker gives to a protocol. */
export type ProtocolHost<Want = unknown> = {
  readonly api: Api
  readonly world: ReadonlyWorld
  readonly node: string
  /** Ours; undefined where the speaker does not run as a pod. */
  readonly pod: Pod | undefined
  readonly clock: Clock
  readonly random: () => number
  /** The machine's time as RFC 3339. */
  readonly timestamp: () => string
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  readonly state: NodeState
  /** What was applied last, by Service. */
  readonly wanted: ReadonlyMap<Key, Want>
  readonly queue: WantQueue
}

/** As it is when it is read. */
export type NodeState = {
  /** Whether the API has answered lately. What was announced without it goes on. */
  readonly hasApi: boolean
  /** MetalLB's speaker announces on this node: nothing may be announced. */
  readonly isSilent: boolean
  /** Whether a speaker ran on this node before; undefined until that is known. */
  readonly hasRunBefore: boolean | undefined
}

/** Which Services the protocol is asked about again, by itself or because something changed. */
export type WantQueue = {
  readonly isQuiet: boolean
  /** Before all that are not urgent. */
  urge(service: Key): void
  wakeAll(): void
  /** Asks about those that wait, a few milliseconds at a time. */
  pump(): void
}

export type Change<Want> = {
  readonly service: Key
  readonly before: Want | undefined
  readonly after: Want | undefined
}

export type Protocol<Want = unknown> = {
  /** What it waits for before it announces anything, in words. */
  readonly missing: readonly string[]
  /** Rejects when it cannot go on: it is stopped, and started anew. */
  readonly ended: Promise<never>
  readonly report: ProtocolReport
  /** The host's state is different. */
  stateChanged(): void
  /** What was derived from the World is void: from Services and endpoints, or from all the rest. */
  worldChanged(what: 'services' | 'configuration'): void
  /** No Service has these addresses any more. */
  released?(addresses: readonly Ip[]): void
  /** What this node is to announce for the Service; undefined when nothing. */
  wants(service: Key): Want | undefined
  apply(change: Change<Want>): void
  /** Sends what was applied since the last time. */
  flush(): void
  /** Nothing waits any more: now there is time for status and events. */
  settled(): void
  /** Hands over to others, where there are any, and ends when they have had the time. */
  leave(): Promise<void>
  stop(): Promise<void>
}

export type ProtocolReport = {
  /** What goes out by now. */
  announced(): Iterable<{ readonly service: Key; readonly address: Ip }>
  /** What is wrong on this node, in a stated order. */
  problems(): Promise<readonly NodeProblem[]>
  /** Why its configuration cannot be used. */
  complaints(): readonly string[]
  metrics(): readonly Metric[]
  /** The node's interfaces that may announce; undefined until they have been read. */
  interfaces?(): readonly HostLink[] | undefined
}
