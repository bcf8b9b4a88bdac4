// Who answers for a Service, and what is that to this node? Read from what policy says.
import type { Key } from '../../../core/model/service.ts'
import type { Ip } from '../../../core/net/ip.ts'
import type { Moment } from '../../../core/policy/announce/advertise.ts'
import { advertiseLayer2 } from '../../../core/policy/announce/advertiseLayer2.ts'
import { subjectOf } from '../../../core/policy/announce/subject.ts'
import { internedList } from '../../../edge/kube/decode/interned.ts'

/** What layer 2 wants for a Service. */
export type Election = {
  /** The node that is elected. */
  readonly owner: string
  readonly addresses: readonly Ip[]
  /** In text order; empty for all that announce. */
  readonly interfaces: readonly string[]
  /** This node answers, or asks first; where `isFailed` it has none of the interfaces for it. */
  readonly isOurs: boolean
  readonly isFailed: boolean
  /** Whether the side without a majority has to be silent before another takes over (R8.3). */
  readonly isSafe: boolean
  /** Whether what still reaches this node goes on to an endpoint. */
  readonly isServedHere: boolean
}

type OwnNode = {
  readonly node: string
  /** The interfaces that may announce, up or not. */
  readonly interfaces: ReadonlySet<string>
  /** Another program announces in our place. */
  readonly isSilent: boolean
}

const none: readonly never[] = []

/** Undefined when nobody may answer. Layer 2 alone is asked, not the rest of `advertise`. */
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
    // The lists that are there already: there is one of these for each Service.
    addresses: first === undefined ? none : subject.service.ingress,
    interfaces: listed.length === 0 ? none : internedList(listed),
    isOurs: isElected && !isFailed && first !== undefined,
    isFailed,
    isSafe: subject.pool.split === 'safe',
    isServedHere: !subject.service.isLocal || subject.endpointNodes.has(own.node),
  }
}
