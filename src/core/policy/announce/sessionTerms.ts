// What do annotations of a BGPPeer ask of its session, beyond its fields? (R8.20, R8.21)
import type { Peer } from '../../model/announcing.ts'
import { sessionAnnotations as names } from '../../model/bgpAnnotations.ts'
import type { BadAnnotation } from './routeTerms.ts'

type SessionTerms = {
  /** The router dials, and we never do. */
  readonly isPassive: boolean
  /** Packets from further than one hop are dropped (RFC 5082). */
  readonly hasGtsm: boolean
  /** There is no session where something cannot be read: it may be what protects it. */
  readonly bad: readonly BadAnnotation[]
}

export function sessionTermsOf({ annotations, ebgpMultiHop, vrf }: Peer): SessionTerms {
  const bad: BadAnnotation[] = []
  const isSet = (name: string): boolean => {
    const text = annotations?.[name]
    if (text !== undefined && text !== 'true' && text !== 'false') {
      bad.push({ name, message: `${JSON.stringify(text)} is neither true nor false` })
    }
    return text === 'true'
  }
  const [isPassive, hasGtsm] = [isSet(names.passive), isSet(names.gtsm)]
  if (hasGtsm && ebgpMultiHop) {
    bad.push({ name: names.gtsm, message: 'it is for one hop, and ebgpMultiHop for more' })
  }
  if (isPassive && vrf !== '') {
    bad.push({ name: names.passive, message: 'nobody listens in a VRF' })
  }
  return { isPassive, hasGtsm, bad }
}
