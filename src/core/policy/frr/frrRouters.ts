// What is FRR asked for on one node? One router for each VRF, with the peers of this node as its
// neighbours and the routes that each may hear. What FRR cannot do is left out, and said.
import type { Peer } from '../../model/announcing.ts'
import { sessionAnnotations } from '../../model/bgpAnnotations.ts'
import { type Family, familyOf, type Ip, parseIp } from '../../net/ip.ts'
import type { BgpAnnouncement } from '../announce/advertiseBgp.ts'
import { sessionTermsOf } from '../announce/sessionTerms.ts'

type FrrRoute = Omit<BgpAnnouncement, 'protocol' | 'service' | 'node' | 'peer'>

/** A peer as it is on this node. */
export type FrrPeer = {
  readonly peer: Peer
  /** The interface of a peer whose address is one of the link; '' otherwise. */
  readonly link: string
  /** By prefix, each once. */
  readonly routes: readonly FrrRoute[]
}

export type FrrNeighbour = FrrPeer & {
  /** What names of its lists begin with. */
  readonly id: string
  /** Its address, or the interface that it is on. */
  readonly where: string
  readonly families: readonly Family[]
  readonly source: Ip | undefined
  /** Undefined: that of the router. */
  readonly localAsn: number | undefined
  /** Whole seconds; undefined: FRR's own. */
  readonly timers: { readonly holdSeconds: number; readonly keepaliveSeconds: number } | undefined
  readonly connectSeconds: number | undefined
  /** Of the families alone. */
  readonly routes: readonly FrrRoute[]
}

export type FrrRouter = {
  readonly asn: number
  readonly routerId: Ip | undefined
  readonly vrf: string
  /** By id. */
  readonly neighbours: readonly FrrNeighbour[]
}

export type Misfit = { readonly peer: Peer; readonly message: string }
export type Fitting = {
  /** By VRF. */
  readonly routers: readonly FrrRouter[]
  readonly misfits: readonly Misfit[]
}

type Router = {
  readonly asn: number
  readonly decidedBy: string
  routerId: Ip | undefined
  readonly neighbours: Map<string, FrrNeighbour>
}

/** Where peers contradict each other, the first by name counts. */
export function frrRouters(peers: readonly FrrPeer[]): Fitting {
  const routers = new Map<string, Router>()
  const misfits: Misfit[] = []
  for (const one of peers.toSorted((a, b) => (a.peer.name < b.peer.name ? -1 : 1))) {
    const why = place(routers, one)
    if (why !== '') misfits.push({ peer: one.peer, message: `${why}: there is no session` })
    else if (sessionTermsOf(one.peer).staleSeconds !== undefined) misfits.push(unkept(one.peer))
  }
  const sorted = [...routers].sort(byKey).map(([vrf, { asn, routerId, neighbours }]) => ({
    asn,
    routerId,
    vrf,
    neighbours: [...neighbours].sort(byKey).map(([, neighbour]) => neighbour),
  }))
  return { routers: sorted, misfits }
}

/** FRR has it for a whole router, and the file and FRRConfiguration have it for none. */
const unkept = (peer: Peer): Misfit => ({
  peer,
  message: `${sessionAnnotations.stale}: with FRR, routes are kept for a restart only`,
})

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1

/** Why not; '' for a neighbour that fits. */
function place(routers: Map<string, Router>, given: FrrPeer): string {
  const { peer } = given
  const neighbour = neighbourOf(given)
  const bad = badNeighbour(neighbour)
  if (bad !== '') return bad
  const routerId = ipIn(peer.routerID)
  const router = routers.get(peer.vrf) ?? {
    asn: peer.myASN,
    decidedBy: peer.name,
    routerId,
    neighbours: new Map<string, FrrNeighbour>(),
  }
  const contradicts = `${peer.vrf === '' ? 'FRR' : `FRR in VRF ${peer.vrf}`} has`
  if (router.asn !== peer.myASN) {
    return `${contradicts} one own AS, and BGPPeer ${router.decidedBy} has myASN ${router.asn}`
  }
  if (routerId !== undefined && router.routerId !== undefined && routerId !== router.routerId) {
    return `${contradicts} one router ID, and it is ${router.routerId} already`
  }
  const taken = router.neighbours.get(neighbour.id)
  if (taken !== undefined) {
    return `${contradicts} a neighbour once, and BGPPeer ${taken.peer.name} has ${neighbour.where}`
  }
  router.routerId ??= routerId
  router.neighbours.set(neighbour.id, neighbour)
  routers.set(peer.vrf, router)
  return ''
}

/** Names of interfaces, VRFs and profiles stand in a line: nothing in them may end it. */
const isWord = (text: string): boolean => /^[A-Za-z0-9_.@:-]*$/.test(text)

function badNeighbour({ peer, where, link, localAsn }: FrrNeighbour): string {
  const bad = [peer.vrf, where, link, peer.bfdProfile].find((text) => !isWord(text))
  if (bad !== undefined) return `${JSON.stringify(bad)} is not allowed in FRR's configuration`
  if (where === '') return 'it has no address'
  if (sessionTermsOf(peer).isPassive) return 'berth.dev/passive: FRR does not listen here'
  const isInside = peer.dynamicASN === 'internal' || peer.peerASN === peer.myASN
  if (localAsn === undefined) return ''
  if (isInside) return 'FRR has localASN only to another AS'
  return peer.peerASN === localAsn ? 'FRR has no localASN that is the AS of the peer' : ''
}

function neighbourOf(given: FrrPeer): FrrNeighbour {
  const { peer, routes } = given
  const address = ipIn(peer.peerAddress)
  const where = peer.interface || (address ?? '')
  const isDual = peer.dualStackAddressFamily || peer.interface !== ''
  const families: readonly Family[] =
    isDual || address === undefined ? ['IPv4', 'IPv6'] : [familyOf(address)]
  return {
    ...given,
    id: peer.vrf === '' ? where : `${where}-${peer.vrf}`,
    where,
    families,
    source: ipIn(peer.sourceAddress),
    localAsn: peer.localASN === 0 || peer.localASN === peer.myASN ? undefined : peer.localASN,
    timers: timersOf(peer),
    connectSeconds: peer.connectMs === undefined ? undefined : Math.floor(peer.connectMs / 1000),
    routes: routes.filter(({ prefix }) => families.includes(familyIn(prefix))),
  }
}

/** M6.4 */
function timersOf({ holdMs, keepaliveMs }: Peer): FrrNeighbour['timers'] {
  if (holdMs === undefined && keepaliveMs === undefined) return undefined
  const hold = holdMs ?? 3 * (keepaliveMs ?? 0)
  const keepalive = keepaliveMs ?? hold / 3
  return {
    holdSeconds: Math.floor(hold / 1000),
    keepaliveSeconds: Math.floor(keepalive / 1000),
  }
}

export const familyIn = (prefix: string): Family => (prefix.includes(':') ? 'IPv6' : 'IPv4')

const ipIn = (text: string): Ip | undefined => {
  const ip = parseIp(text)
  return ip.ok ? ip.value : undefined
}
