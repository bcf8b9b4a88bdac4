// Which routes do the nodes announce by BGP? What policy wants, beside what the nodes report of it:
// a route is announced once its node says so and the session is up.
import { isEstablished, isSent } from '../../model/bgpSession.ts'
import type { Key } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { advertiseAt, momentOf, type Speakers } from '../announce/advertise.ts'
import type { BgpAnnouncement } from '../announce/advertiseBgp.ts'
import { type BgpFilter, bgpSessions, byNodeAndPeer, isMeant } from './bgpPeers.ts'

export type BgpRoute = Omit<BgpAnnouncement, 'protocol' | 'service'> & {
  /** In alphabetical order: those whose addresses it carries. */
  readonly services: readonly Key[]
  readonly state: 'announced' | 'session-down' | 'not-sent' | 'not-reported'
}

/** Of one node: the peers it announces the Service to. */
export type BgpReport = {
  readonly node: string
  readonly service: Key
  readonly peers: readonly string[]
}

type Reported = { readonly speakers: Speakers; readonly reports: readonly BgpReport[] }

/** By prefix, node and peer. */
export function bgpRoutes(
  world: ReadonlyWorld,
  { speakers, reports }: Reported,
  filter: BgpFilter,
): readonly BgpRoute[] {
  const moment = momentOf(world, speakers)
  const wanted = [...world.services.keys()]
    .sort()
    .flatMap((service) => advertiseAt(moment, service).announcements)
    .filter((one) => one.protocol === 'bgp')
    .filter((one) => isMeant(one, filter))
  const told = new Set(reports.flatMap(textsOf))
  const sessions = bgpSessions(world).filter(isEstablished)
  const up = new Map(sessions.map((session) => [pairOf(session), session]))
  const routes = new Map<string, BgpRoute>()
  for (const one of wanted) {
    const key = `${one.prefix} ${pairOf(one)}`
    const before = routes.get(key)
    const isTold = told.has(`${pairOf(one)} ${one.service}`) || before?.state === 'announced'
    const session = up.get(pairOf(one))
    const reported = isTold ? 'announced' : 'not-reported'
    const sent = isSent(one.prefix, session) ? reported : 'not-sent'
    routes.set(key, merged(before, one, session === undefined ? 'session-down' : sent))
  }
  return [...routes.values()].sort(byPrefix)
}

/** Plain data under a named schema. */
export const bgpRoutesView = (routes: readonly BgpRoute[]): object => ({
  schema: 'berth.dev/bgp-routes/v1',
  routes,
})

type Pair = Pick<BgpFilter, 'node' | 'peer'>
const pairOf = ({ node, peer }: Pair): string => `${node} ${peer}`
const textsOf = ({ node, service, peers }: BgpReport): string[] =>
  peers.map((peer) => `${pairOf({ node, peer })} ${service}`)

/** As a node tells a route that several Services hold: all communities, and what routers prefer. */
function merged(
  before: BgpRoute | undefined,
  one: BgpAnnouncement,
  state: BgpRoute['state'],
): BgpRoute {
  const { prefix, node, peer, localPref, communities, service } = one
  const chosen = (choose: typeof Math.max, name: 'localPref' | 'med' | 'prepend' | 'endpoints') => {
    const asked = [before?.[name], one[name]].filter((given) => given !== undefined)
    return asked.length === 0 ? {} : { [name]: choose(...asked) }
  }
  return {
    ...{ prefix, node, peer, state, localPref },
    ...chosen(Math.max, 'localPref'),
    ...chosen(Math.min, 'med'),
    ...chosen(Math.min, 'prepend'),
    ...chosen(Math.max, 'endpoints'),
    communities: [...new Set([...(before?.communities ?? []), ...communities])].sort(),
    services: [...(before?.services ?? []), service],
  }
}

const byPrefix = (one: BgpRoute, other: BgpRoute): number => {
  if (one.prefix !== other.prefix) return one.prefix < other.prefix ? -1 : 1
  return byNodeAndPeer(one, other)
}
