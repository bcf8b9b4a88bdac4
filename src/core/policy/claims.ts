// What do the claim protocols carry out (R3.12, R12.5)? What a Service or a host should hold, with
// what is written and said about it, and what the record of it should say.
import type { Holder } from '../model/address.ts'
import type { BlockHolder } from '../model/ipam/addressBlock.ts'
import type { NodeIntent } from '../model/ipam/nodeLedger.ts'
import type { Refusal } from '../model/reason.ts'
import type { Intent } from '../model/world.ts'
import type { Condition, Write } from '../model/write.ts'
import type { Ip } from '../net/ip.ts'
import type { EventWrite } from './decider.ts'

/** One write to the Service's status and its one annotation. */
export type ServiceWrite = {
  /** undefined leaves the ingress list alone: it is not ours. */
  readonly ips: readonly Ip[] | undefined
  readonly pool: string
  /** undefined removes it. */
  readonly condition: Condition | undefined
}
export type Decision = {
  readonly intent: Intent
  readonly write: ServiceWrite | undefined
  readonly events: readonly EventWrite[]
  /** Why it waits, or holds less than it asks for. */
  readonly lacks?: Refusal
}

export type AddressWrite =
  | { readonly type: 'delete'; readonly name: string }
  | {
      readonly type: 'put'
      readonly name: string
      /** False for one that a person made: it does not get our label (R3.1). */
      readonly isOurs: boolean
      readonly spec: Recorded
    }

/** The fields of the spec that the controller writes. */
export type Recorded = {
  readonly address: Ip
  readonly pool: string
  readonly sharingKey: string
  readonly holders: readonly Holder[]
}

export type NodeDecision = {
  readonly writes: readonly Write[]
  readonly events: readonly EventWrite[]
  readonly nodeIntent?: NodeIntent
}

export type BlockWrite =
  | { readonly type: 'delete'; readonly name: string; readonly dropped: readonly BlockHolder[] }
  | {
      readonly type: 'put'
      readonly name: string
      readonly wire: string
      readonly first: Ip
      readonly holders: readonly BlockHolder[]
      /** Those that are named now and would not be any more. */
      readonly dropped: readonly BlockHolder[]
    }
