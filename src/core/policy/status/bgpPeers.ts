// Which BGP sessions are there? As the nodes report them, by node and peer.
import type { BgpSession } from '../../model/bgpSession.ts'
import type { ReadonlyWorld } from '../../model/world.ts'

/** Empty: whichever. */
export type BgpFilter = { readonly node: string; readonly peer: string }

export const bgpSessions = (
  world: ReadonlyWorld,
  filter: BgpFilter = { node: '', peer: '' },
): readonly BgpSession[] =>
  [...world.all('BGPSession').values()].filter((one) => isMeant(one, filter)).sort(byNodeAndPeer)

export const sessionBetween = (
  world: ReadonlyWorld,
  { node, peer }: BgpFilter,
): BgpSession | undefined => bgpSessions(world, { node, peer })[0]

/** Plain data under a named schema. */
export const bgpPeersView = (sessions: readonly BgpSession[]): object => ({
  schema: 'berth.dev/bgp-peers/v1',
  sessions: sessions.map(({ kind: _, name: __, ...session }) => session),
})

export const isMeant = (one: BgpFilter, { node, peer }: BgpFilter): boolean =>
  (node === '' || one.node === node) && (peer === '' || one.peer === peer)

export function byNodeAndPeer(one: BgpFilter, other: BgpFilter): number {
  if (one.node !== other.node) return one.node < other.node ? -1 : 1
  return one.peer < other.peer ? -1 : 1
}
