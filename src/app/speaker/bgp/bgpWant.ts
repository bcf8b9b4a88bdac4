// What is one Service announced with by BGP? The routes that policy wants from this node, by peer.
import type { Key } from '../../../core/model/service.ts'
import type { Kind } from '../../../core/model/view.ts'
import type { ReadonlyWorld } from '../../../core/model/world.ts'
import type { Ip } from '../../../core/net/ip.ts'
import { prefixAround, prefixText } from '../../../core/net/range.ts'
import {
  advertiseBgp,
  type Bgp,
  type BgpAnnouncement,
} from '../../../core/policy/announce/advertiseBgp.ts'
import { subjectOf } from '../../../core/policy/announce/subject.ts'
import type { Route } from '../../../core/session/bgp/routes.ts'
import type { Draining } from './draining.ts'

/** Decides about routes and sessions, whichever program has the sessions. */
export const bgpKinds: readonly Kind[] = ['BGPPeer', 'BGPAdvertisement', 'Community', 'BFDProfile']

export type BgpWant = {
  readonly addresses: readonly Ip[]
  readonly routes: readonly BgpAnnouncement[]
}

type Asked = { readonly bgp: () => Bgp; readonly draining: Draining }

/** Undefined for nothing. */
export function bgpWantOf(
  world: ReadonlyWorld,
  service: Key,
  { bgp, draining }: Asked,
): BgpWant | undefined {
  const found = subjectOf(world, service)
  if ('refusal' in found) return undefined
  const { announcements: routes } = advertiseBgp(bgp(), found.subject)
  if (routes.length === 0) return undefined
  const { ingress: addresses } = found.subject.service
  return { addresses, routes: draining.routesOf(routes) }
}

/** In alphabetical order. */
export const peersIn = (want: BgpWant | undefined): readonly string[] | undefined =>
  want && [...new Set(want.routes.map(({ peer }) => peer))].sort()

export function byPeer(want: BgpWant | undefined): ReadonlyMap<string, readonly Route[]> {
  const routes = new Map<string, Route[]>()
  for (const { protocol: _, service: __, node: ___, peer, ...route } of want?.routes ?? []) {
    const known = routes.get(peer)
    if (known === undefined) routes.set(peer, [route])
    else known.push(route)
  }
  return routes
}

/** Those of its addresses that a route covers which a peer has been told. */
export function toldOf(
  { addresses, routes }: BgpWant,
  isTold: (route: BgpAnnouncement) => boolean,
): readonly Ip[] {
  const prefixes = new Set(routes.filter(isTold).map(({ prefix }) => prefix))
  return addresses.filter((address) =>
    [...prefixes].some((prefix) => around(address, prefix) === prefix),
  )
}

const around = (address: Ip, prefix: string): string => {
  const length = Number(prefix.slice(prefix.indexOf('/') + 1))
  const isSameFamily = address.includes(':') === prefix.includes(':')
  return isSameFamily ? prefixText(prefixAround(address, length)) : ''
}
