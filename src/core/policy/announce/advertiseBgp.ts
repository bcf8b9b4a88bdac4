// Which routes does each node announce for a Service, and to which peers? (M6.1, M6.2)
import type { BgpAdvertisement, Peer } from '../../model/announcing.ts'
import type { NodeView } from '../../model/node.ts'
import type { Key } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { prefixAround, prefixText } from '../../net/range.ts'
import { type Ground, groundOn, objectionTo } from './ground.ts'
import { type Conflict, conflictsAmong, lengthFor } from './localPref.ts'
import { tooWide } from './misfits.ts'
import { peerOnNode } from './peerOnNode.ts'
import { type Acting, type ActingAdvertisement, actingIn } from './references.ts'
import { grantedTo } from './serviceCommunities.ts'
import {
  coversPool,
  type Refusal,
  type Subject,
  servesService,
  type WithdrawReason,
} from './subject.ts'

export type BgpAnnouncement = {
  readonly protocol: 'bgp'
  readonly service: Key
  readonly prefix: string
  readonly node: string
  readonly peer: string
  /** Undefined when none is asked for. */
  readonly localPref: number | undefined
  /** Each once, in text order. */
  readonly communities: readonly string[]
  /** Absent: as usual. */
  readonly med?: number
  /** How often our AS stands in the path beyond the once; absent: not at all. */
  readonly prepend?: number
  /** Of the node, where routers are to know them. */
  readonly endpoints?: number
}

/** BGP at one moment. */
export type Bgp = Acting & { readonly ground: Ground }

/** The advertisements of the pool, and those of them that serve the Service. */
type Applying = {
  readonly covering: readonly ActingAdvertisement[]
  readonly serving: readonly ActingAdvertisement[]
  readonly conflicts: readonly Conflict[]
}

export const bgpOn = (ground: Ground): Bgp => ({ ...actingIn(ground.world), ground })

/** As one node sees it, which reads passwords itself and asks no other node. */
export const bgpOnNode = (world: ReadonlyWorld, on: Parameters<typeof groundOn>[1]): Bgp => ({
  ...actingIn(world, 'unread'),
  ground: groundOn(world, on),
})

export function bgpFor({ ground, advertisements }: Bgp, { pool, service }: Subject): Applying {
  const covering = advertisements.filter(
    (by) => coversPool(by, pool) && tooWide(by, pool).length === 0,
  )
  const serving = covering.filter((by) => servesService(by, service))
  const conflicts = conflictsAmong(ground, serving, service.ingress)
  return { covering, serving, conflicts }
}

export function advertiseBgp(
  bgp: Bgp,
  subject: Subject,
): { announcements: readonly BgpAnnouncement[]; refusals: readonly Refusal[] } {
  const applying = bgpFor(bgp, subject)
  const announcements: BgpAnnouncement[] = []
  const refusals = inertFor(bgp, subject, applying)
  if (applying.covering.length === 0) {
    const message = `no BGPAdvertisement covers pool ${subject.pool.name}`
    return { announcements, refusals: [...refusals, refuse('noMatchingAdvertisement', message)] }
  }
  const offers = applying.serving.map((by) => ({ by, prefixes: prefixesOf(by, subject) }))
  const { service, pool } = subject
  const added = grantedTo(service, pool, bgp.aliases).values
  const given = { ...applying, subject, offers, added }
  for (const node of bgp.ground.nodes) {
    const refusal = refusalOn(bgp.ground, node, given)
    const routes = refusal ? [] : routesFrom(bgp, node.name, given)
    announcements.push(...routes)
    if (refusal) refusals.push(refusal)
    else if (routes.length === 0) {
      refusals.push(refuse('noPeer', 'no peer of the BGPAdvertisements is served by it', node.name))
    }
  }
  return { announcements, refusals }
}

const prefixesOf = (by: BgpAdvertisement, { service }: Subject): string[] =>
  service.ingress.map((ip) => prefixText(prefixAround(ip, lengthFor(by, ip))))

/** What would announce it, were its references there. */
function inertFor({ inert }: Bgp, { pool, service }: Subject, { serving }: Applying): Refusal[] {
  const concerned = inert.filter(({ view }) =>
    view.kind === 'BGPPeer'
      ? serving.some((by) => reaches(by, view))
      : coversPool(view, pool) && servesService(view, service),
  )
  return concerned.map(({ view, message }) =>
    refuse('unresolvedReference', `${view.kind} ${view.name} does nothing: ${message}`),
  )
}

type Case = Applying & {
  readonly subject: Subject
  readonly offers: readonly Offer[]
  /** Communities that the Service itself adds. */
  readonly added: readonly string[]
}
type Offer = { readonly by: ActingAdvertisement; readonly prefixes: readonly string[] }

/** In the order of M6.1. */
function refusalOn(ground: Ground, node: NodeView, given: Case): Refusal | undefined {
  const { name } = node
  const { service, endpointNodes } = given.subject
  const selects = (by: BgpAdvertisement): boolean => ground.nodesOf(by).has(name)
  if (!given.covering.some(selects)) {
    return refuse('notOwner', 'no BGPAdvertisement of the pool selects this node', name)
  }
  if (!given.serving.some(selects)) {
    const message = 'no BGPAdvertisement of the pool for this node selects the Service'
    return refuse('noMatchingAdvertisement', message, name)
  }
  const conflict = given.conflicts.find(({ nodes }) => nodes.has(name))
  if (conflict) {
    const [one, other] = conflict.pair
    const message = `${one.name} and ${other.name} ask for different localPrefs`
    return refuse('conflictingAdvertisements', message, name)
  }
  const objection = objectionTo(ground, node)
  if (objection) return refuse(objection.reason, objection.message, name)
  if (service.isLocal && !endpointNodes.has(name)) {
    const message = 'it has no usable endpoint, and the traffic policy is Local'
    return refuse('noLocalEndpoints', message, name)
  }
  if (endpointNodes.size === 0) return refuse('noEndpoints', 'no endpoint is usable', name)
  return undefined
}

function refuse(reason: WithdrawReason, message: string, node?: string): Refusal {
  return { protocol: 'bgp', ...(node !== undefined && { node }), reason, message }
}

/** By peer, then prefix. Where advertisements make one route, its communities add up. */
function routesFrom({ ground, peers }: Bgp, node: string, given: Case): BgpAnnouncement[] {
  const { service } = given.subject
  const applying = given.offers.filter(({ by }) => ground.nodesOf(by).has(node))
  const counted = service.isLocal ? endpointsOn(ground.world, service.key, node) : undefined
  const from = { added: given.added, endpoints: counted }
  return peers
    .filter((peer) => isServed(ground, peer, node))
    .flatMap((peer) => {
      const routes = merge(
        applying.filter(({ by }) => reaches(by, peer)),
        from,
      )
      const { key } = service
      return routes.map((route) => ({
        ...{ protocol: 'bgp', service: key, node, peer: peer.name },
        ...route,
      }))
    })
}

export const reaches = ({ peers }: BgpAdvertisement, { name }: Peer): boolean =>
  peers.length === 0 || peers.includes(name)

/** A node that lacks what the peer leaves to it has no session (R8.17). */
function isServed({ world, nodesOf }: Ground, peer: Peer, name: string): boolean {
  if (!nodesOf(peer).has(name)) return false
  const node = world.all('Node').get(name)
  return node !== undefined && 'peer' in peerOnNode(peer, node, undefined)
}

const endpointsOn = (world: ReadonlyWorld, service: Key, node: string): number =>
  world.endpointsOf(service).filter((one) => one.isUsable && one.node === node).length

type Route = Omit<BgpAnnouncement, 'protocol' | 'service' | 'node' | 'peer'>
type From = { readonly added: readonly string[]; readonly endpoints: number | undefined }

function merge(offers: readonly Offer[], { added, endpoints }: From): Route[] {
  const routes = new Map<string, Route>()
  for (const { by, prefixes } of offers) {
    const { med, prepend, countsEndpoints } = by.terms
    for (const prefix of prefixes) {
      const before = routes.get(prefix)
      const communities = [...(before?.communities ?? added), ...by.communities]
      routes.set(prefix, {
        prefix,
        // Were two different ones asked for, the advertisements would be in conflict.
        localPref: by.localPref === 0 ? undefined : by.localPref,
        communities: [...new Set(communities)].sort(),
        ...fewest('med', before?.med, med),
        ...fewest('prepend', before?.prepend, prepend),
        ...(countsEndpoints && endpoints !== undefined && { endpoints }),
        ...(before?.endpoints !== undefined && { endpoints: before.endpoints }),
      })
    }
  }
  return [...routes.values()].sort((one, other) => (one.prefix < other.prefix ? -1 : 1))
}

/** What a router prefers, of what is asked for. */
const fewest = (name: 'med' | 'prepend', ...asked: readonly (number | undefined)[]) => {
  const given = asked.filter((value) => value !== undefined)
  return given.length === 0 ? {} : { [name]: Math.min(...given) }
}
