// What do annotations of a BGPPeer ask of its session, beyond its fields? (R8.20 to R8.22)
import type { Peer } from '../../model/announcing.ts'
import { sessionAnnotations as names } from '../../model/bgpAnnotations.ts'
import type { BadAnnotation } from './routeTerms.ts'

type SessionTerms = {
  /** The router dials, and we never do. */
  readonly isPassive: boolean
  /** Packets from further than one hop are dropped (RFC 5082). */
  readonly hasGtsm: boolean
  /** How long routers may keep its routes beyond a restart (RFC 9494); undefined: not at all. */
  readonly staleSeconds: number | undefined
  /** There is no session where something cannot be read: it may be what protects it. */
  readonly bad: readonly BadAnnotation[]
}

/** What three octets hold. */
const mostStaleSeconds = 0xff_ffff

export function sessionTermsOf(peer: Peer): SessionTerms {
  const { annotations, ebgpMultiHop, vrf } = peer
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
    bad.push({
      name: names.gtsm,
      message: 'it limits the session to one hop, but ebgpMultiHop allows several',
    })
  }
  if (isPassive && vrf !== '') {
    bad.push({ name: names.passive, message: 'the speaker does not listen in a VRF' })
  }
  const stale = annotations?.[names.stale]
  const staleSeconds = stale === undefined ? undefined : secondsIn(stale)
  if (stale !== undefined && staleSeconds === undefined) {
    const message = `${JSON.stringify(stale)} is not a number from 1 to ${mostStaleSeconds}`
    bad.push({ name: names.stale, message })
  } else if (stale !== undefined && peer.enableGracefulRestart !== true) {
    const message = 'it adds to enableGracefulRestart, which is not set'
    bad.push({ name: names.stale, message })
  }
  return { isPassive, hasGtsm, staleSeconds, bad }
}

function secondsIn(text: string): number | undefined {
  const seconds = /^[1-9]\d{0,7}$/.test(text) ? Number(text) : undefined
  return seconds !== undefined && seconds <= mostStaleSeconds ? seconds : undefined
}
