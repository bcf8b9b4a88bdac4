// What is a protocol to the speaker? One way to announce the addresses of Services from this node.
// The speaker passes down what each Service wants and the state of the node; the protocol reports
// what it waits for and what it announces. Protocols do not know of each other.

import type { Key } from '../../core/model/service.ts'
import type { Kind } from '../../core/model/view.ts'
import type { ReadonlyWorld } from '../../core/model/world.ts'
import type { Ip } from '../../core/net/ip.ts'
import type { Speakers } from '../../core/policy/announce/advertise.ts'
import type { HostLink } from '../../edge/host/packet/hostLink.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import type { Metric } from '../../edge/kube/serve/metricsText.ts'
import type { Pod } from '../../edge/kube/write/configurationState.ts'
import type { NodeProblem } from './status/nodeReport.ts'

/** One entry in the speaker's list. Wants are plain data, compared field by field. */
export type ProtocolEntry<Want = unknown> = {
  /** The name in metrics, events and logs. */
  readonly name: string
  /** The kinds it reads in addition to those that every protocol needs. */
  readonly kinds: readonly Kind[]
  /** Throws if the protocol cannot start; the speaker retries later. */
  start(host: ProtocolHost<Want>): Protocol<Want>
}

/** What the speaker gives to a protocol. */
export type ProtocolHost<Want = unknown> = {
  readonly api: Api
  readonly world: ReadonlyWorld
  readonly node: string
  /** Our own Pod; undefined if the speaker does not run in one. */
  readonly pod: Pod | undefined
  readonly clock: Clock
  readonly random: () => number
  /** Wall-clock time as RFC 3339. */
  readonly timestamp: () => string
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  readonly state: NodeState
  /** The wants applied last, by Service. */
  readonly wanted: ReadonlyMap<Key, Want>
  readonly queue: WantQueue
}

/** Read live: the fields change over time. */
export type NodeState = {
  /** Whether the API answered recently. Without it, existing announcements continue. */
  readonly hasApi: boolean
  /** MetalLB's speaker announces on this node, so we must not. */
  readonly isSilent: boolean
  /** Whether a speaker ran on this node before; undefined until known. */
  readonly hasRunBefore: boolean | undefined
  /** The UID of our Node; undefined until known, empty if there is no Node. */
  readonly nodeUid: string | undefined
  /** The other speakers, for reports alone; undefined while nobody knows them. */
  readonly speakers: Speakers | undefined
}

/** The queue of Services whose wants must be read again. */
export type WantQueue = {
  readonly isQuiet: boolean
  /** Moves the Service ahead of everything that is not urgent. */
  urge(service: Key): void
  wakeAll(): void
  /** Works through the queue, a few milliseconds at a time. */
  pump(): void
}

export type Change<Want> = {
  readonly service: Key
  readonly before: Want | undefined
  readonly after: Want | undefined
}

export type Protocol<Want = unknown> = {
  /** What the protocol waits for before it announces anything, in words. */
  readonly missing: readonly string[]
  /** Rejects if the protocol cannot continue; the speaker then restarts it. */
  readonly ended: Promise<never>
  readonly report: ProtocolReport
  /** How long `leave` may take at most, beyond what is usual. */
  readonly leaveMs?: number
  /** The node's state has changed. */
  stateChanged(): void
  /** Drop what was derived from Services and endpoints, or from the rest of the World. */
  worldChanged(what: 'services' | 'configuration'): void
  /** No Service holds these addresses any more. */
  released?(addresses: readonly Ip[]): void
  /** What this node should announce for the Service; undefined for nothing. */
  wants(service: Key): Want | undefined
  apply(change: Change<Want>): void
  /** Sends what was applied since the last flush. */
  flush(): void
  /** The queue is empty: now there is time for status and events. */
  settled(): void
  /** Hands over to other nodes, if any, and resolves once they have had time to take over. */
  leave(): Promise<void>
  stop(): Promise<void>
}

export type ProtocolReport = {
  /** What is announced right now. */
  announced(): Iterable<{ readonly service: Key; readonly address: Ip }>
  /** What is wrong on this node, in a defined order. */
  problems(): Promise<readonly NodeProblem[]>
  /** Why its configuration cannot be used. */
  complaints(): readonly string[]
  metrics(): readonly Metric[]
  /** The node's interfaces that may announce; undefined until they have been read. */
  interfaces?(): readonly HostLink[] | undefined
  /** What it has told others, as plain data for requests on this node. */
  told?(): object
  /** Which speakers there are; undefined until that is known. */
  speakers?(): Speakers | undefined
}
