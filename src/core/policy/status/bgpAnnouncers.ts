// Which nodes announce by BGP, how many Services, and with which peers do they have a session?
import { type BgpSession, isEstablished } from '../../model/bgpSession.ts'
import type { BgpReport } from './bgpRoutes.ts'

export type BgpAnnouncer = {
  readonly node: string
  readonly services: number
  /** Peers in alphabetical order. */
  readonly up: readonly string[]
  readonly down: readonly string[]
}

/** By node name. */
export function bgpAnnouncersFrom(
  sessions: readonly BgpSession[],
  reports: readonly BgpReport[],
): readonly BgpAnnouncer[] {
  const nodes = new Set([...sessions, ...reports].map(({ node }) => node))
  return [...nodes].sort().map((node) => {
    const ours = sessions.filter((session) => session.node === node)
    const peers = (isUp: boolean) =>
      ours
        .filter((one) => isEstablished(one) === isUp)
        .map(({ peer }) => peer)
        .sort()
    const services = reports.filter((report) => report.node === node).length
    return { node, services, up: peers(true), down: peers(false) }
  })
}
