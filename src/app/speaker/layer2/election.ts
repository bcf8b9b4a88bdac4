// Which node answers for a Service, and what does that mean for this node? Decided by policy.
import type { Key } from '../../../core/model/service.ts'
import type { Ip } from '../../../core/net/ip.ts'
import type { Moment } from '../../../core/policy/announce/advertise.ts'
import { advertiseLayer2 } from '../../../core/policy/announce/advertiseLayer2.ts'
import { subjectOf } from '../../../core/policy/announce/subject.ts'
import { internedList } from '../../../edge/kube/decode/interned.ts'

/** What layer 2 wants for a Service. */
export type Election = {
  /** The elected node. */
  readonly owner: string
  readonly addresses: readonly Ip[]
  /** Sorted; empty for all that announce. */
  readonly interfaces: readonly string[]
  /** This node is elected. With `isFailed`, it has none of the required interfaces. */
  readonly isOurs: boolean
  readonly isFailed: boolean
  /** Whether the minority side must be silent before another node takes over (R8.3). */
  readonly isSafe: boolean
  /** Whether this node can still forward traffic to an endpoint. */
  readonly isServedHere: boolean
}

type OwnNode = {
  readonly node: string
  /** The interfaces that may announce, up or not. */
  readonly interfaces: ReadonlySet<string>
  /** MetalLB's speaker announces on this node instead. */
  readonly isSilent: boolean
}

const none: readonly never[] = []

/** Undefined if no node may answer. Evaluates layer 2 only, not the rest of `advertise`. */
export function electionFor(moment: Moment, service: Key, own: OwnNode): Election | undefined {
  const found = subjectOf(moment.ground.world, service)
  if ('refusal' in found) return undefined
  const { subject } = found
  const { announcements, refusals } = advertiseLayer2(moment.layer2, subject)
  const [first] = announcements
  const owner = first?.node ?? refusals.find(({ reason }) => reason === 'announceFailed')?.node
  if (owner === undefined) return undefined
  const { interfaces: listed = none } = first ?? {}
  const isElected = owner === own.node && !own.isSilent
  const isFailed =
    isElected && listed.length > 0 && !listed.some((name) => own.interfaces.has(name))
  return {
    owner,
    // Reuses the view's own arrays: there is one election per Service.
    addresses: first === undefined ? none : subject.service.ingress,
    interfaces: listed.length === 0 ? none : internedList(listed),
    isOurs: isElected && !isFailed && first !== undefined,
    isFailed,
    isSafe: subject.pool.split === 'safe',
    isServedHere: !subject.service.isLocal || subject.endpointNodes.has(own.node),
  }
}
