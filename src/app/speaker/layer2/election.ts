// Who answers for a Service, and what is that to this node? Read from what policy says.
import type { Key } from '../../../core/model/service.ts'
import type { Ip } from '../../../core/net/ip.ts'
import type { Moment } from '../../../core/policy/announce/advertise.ts'
import { advertiseLayer2 } from '../../../core/policy/announce/advertiseLayer2.ts'
import { subjectOf } from '../../../core/policy/announce/subject.ts'
import { internedList } from '../../../edge/kube/decode/interned.ts'

export type Verdict = {
  /** The node that is elected; undefined when nobody may answer. */
  readonly owner: string | undefined
  readonly addresses: readonly Ip[]
  /** In text order; empty for all that announce. */
  readonly interfaces: readonly string[]
  /** Whether the side without a majority has to be silent before another takes over (R8.3). */
  readonly isSafe: boolean
  /** Whether what still reaches this node goes on to an endpoint. */
  readonly isServedHere: boolean
}

const none: readonly never[] = []
const nobody: Verdict = {
  owner: undefined,
  addresses: none,
  interfaces: none,
  isSafe: false,
  isServedHere: false,
}

/** Layer 2 alone is asked: the rest of `advertise` is not needed to answer. */
export function verdictOn(moment: Moment, service: Key, node: string): Verdict {
  const found = subjectOf(moment.ground.world, service)
  if ('refusal' in found) return nobody
  const { subject } = found
  const { announcements, refusals } = advertiseLayer2(moment.layer2, subject)
  const [first] = announcements
  const failed = refusals.find(({ reason }) => reason === 'announceFailed')
  const { interfaces = none } = first ?? {}
  return {
    owner: first?.node ?? failed?.node,
    // The lists that are there already: there is one of these for each Service.
    addresses: announcements.length === 0 ? none : subject.service.ingress,
    interfaces: interfaces.length === 0 ? none : internedList(interfaces),
    isSafe: subject.pool.split === 'safe',
    isServedHere: !subject.service.isLocal || subject.endpointNodes.has(node),
  }
}
