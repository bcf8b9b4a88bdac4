// What does frr-k8s read for one node? The FRRConfiguration that MetalLB would write (M1.11), with
// the source address and the local AS that it leaves out.
import type { BfdProfile, Peer } from '../../model/announcing.ts'
import { advertisementAnnotations } from '../../model/bgpAnnotations.ts'
import { parseIp } from '../../net/ip.ts'
import { isOfLink } from '../../net/linkLocal.ts'
import { sessionTermsOf } from '../announce/sessionTerms.ts'
import type { FrrNeighbour, FrrPeer, FrrRouter, Misfit } from './frrRouters.ts'

type Wanted = {
  readonly routers: readonly FrrRouter[]
  /** By name. */
  readonly profiles: readonly BfdProfile[]
  /** In BGPPeers themselves, by name. */
  readonly passwords: ReadonlyMap<string, string>
  /** Of frr-k8s. */
  readonly namespace: string
  /** What the Node has in its label kubernetes.io/hostname. */
  readonly hostname: string
}

export const hostnameLabel = 'kubernetes.io/hostname'
export const frrConfigurationName = (node: string): string => `metallb-${node}`

export function frrConfigurationSpec(wanted: Wanted): object {
  const { routers, profiles, hostname } = wanted
  return {
    nodeSelector: { matchLabels: { [hostnameLabel]: hostname } },
    bgp: {
      routers: routers.map((router) => routerSpec(router, wanted)),
      bfdProfiles: profiles.map(profileSpec),
    },
  }
}

function routerSpec(router: FrrRouter, wanted: Wanted): object {
  const { asn, routerId, vrf, neighbours } = router
  const prefixes = neighbours.flatMap(({ routes }) => routes.map(({ prefix }) => prefix))
  return {
    asn,
    ...(routerId !== undefined && { id: routerId }),
    ...(vrf !== '' && { vrf }),
    neighbors: neighbours.map((one) => neighbourSpec(one, wanted)),
    prefixes: [...new Set(prefixes)].sort(),
  }
}

function neighbourSpec(neighbour: FrrNeighbour, { passwords, namespace }: Wanted): object {
  const { peer, where, source, localAsn, timers, connectSeconds } = neighbour
  const password = passwords.get(peer.name)
  return {
    ...(peer.interface === '' ? { address: where } : { interface: peer.interface }),
    ...(peer.dynamicASN === '' ? { asn: peer.peerASN } : { dynamicASN: peer.dynamicASN }),
    ...(peer.peerPort !== 0 && { port: peer.peerPort }),
    ...(source !== undefined && { sourceaddress: source }),
    ...(localAsn !== undefined && { localASN: localAsn }),
    ...(timers !== undefined && {
      holdTime: `${timers.holdSeconds}s`,
      keepaliveTime: `${timers.keepaliveSeconds}s`,
    }),
    ...(connectSeconds !== undefined && { connectTime: `${connectSeconds}s` }),
    ...(password !== undefined && { password }),
    ...(peer.passwordSecret !== '' && {
      passwordSecret: { name: peer.passwordSecret, namespace },
    }),
    ...(peer.bfdProfile !== '' && { bfdProfile: peer.bfdProfile }),
    ...(peer.ebgpMultiHop && { ebgpMultiHop: true }),
    ...(peer.enableGracefulRestart === true && { enableGracefulRestart: true }),
    ...(peer.dualStackAddressFamily && { dualStackAddressFamily: true }),
    toAdvertise: advertised(neighbour),
  }
}

function advertised({ routes }: FrrNeighbour): object {
  const communities = new Map<string, string[]>()
  const localPrefs = new Map<number, string[]>()
  for (const { prefix, localPref, communities: carried } of routes) {
    for (const community of carried) listed(communities, community).push(prefix)
    if (localPref !== undefined) listed(localPrefs, localPref).push(prefix)
  }
  return {
    allowed: { prefixes: routes.map(({ prefix }) => prefix).sort() },
    withCommunity: [...communities]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([community, prefixes]) => ({ community, prefixes: prefixes.sort() })),
    withLocalPref: [...localPrefs]
      .sort(([one], [other]) => one - other)
      .map(([localPref, prefixes]) => ({ localPref, prefixes: prefixes.sort() })),
  }
}

function listed<K>(lists: Map<K, string[]>, key: K): string[] {
  const known = lists.get(key) ?? []
  lists.set(key, known)
  return known
}

const profileSpec = (profile: BfdProfile): object => ({
  name: profile.name,
  ...given('receiveInterval', profile.receiveInterval),
  ...given('transmitInterval', profile.transmitInterval),
  ...given('detectMultiplier', profile.detectMultiplier),
  ...given('echoInterval', profile.echoInterval),
  echoMode: profile.echoMode,
  passiveMode: profile.passiveMode,
  ...given('minimumTtl', profile.minimumTtl),
})

const given = (name: string, value: number | undefined): object =>
  value === undefined ? {} : { [name]: value }

/** The definition of FRRConfiguration allows no other. */
const highestPort = 16_384

type FittingPeers = { readonly fitting: readonly FrrPeer[]; readonly misfits: readonly Misfit[] }

/** What FRR can do, and FRRConfiguration has no field for. */
export function fitForFrrK8s(peers: readonly FrrPeer[]): FittingPeers {
  const answers = peers.map((one) => ({ one, why: whyNot(one.peer) }))
  const dropped = answers.flatMap(({ one: { peer }, why }) =>
    why === '' ? [] : [{ peer, message: `${why}: there is no session` }],
  )
  const fitting = answers.filter(({ why }) => why === '').map(({ one }) => one)
  const bare = fitting.flatMap(({ peer, routes }): Misfit[] => {
    const { med, prepend, linkBandwidth } = advertisementAnnotations
    const asked = [
      ...(routes.some((route) => route.med !== undefined) ? [med] : []),
      ...(routes.some((route) => route.prepend !== undefined) ? [prepend] : []),
      ...(routes.some((route) => route.endpoints !== undefined) ? [linkBandwidth] : []),
    ]
    if (asked.length === 0) return []
    const message = `routes go to it without ${asked.join(', ')}: FRRConfiguration has no field`
    return [{ peer, message }]
  })
  return { fitting, misfits: [...dropped, ...bare] }
}

function whyNot(peer: Peer): string {
  const { peerAddress, peerPort, connectMs } = peer
  if (sessionTermsOf(peer).hasGtsm) return 'FRRConfiguration has no field for berth.dev/gtsm'
  const address = parseIp(peerAddress)
  if (address.ok && isOfLink(address.value)) {
    return `FRRConfiguration cannot say on which interface ${address.value} is; use interface`
  }
  if (peerPort > highestPort) return `peerPort is above ${highestPort}, which frr-k8s refuses`
  return connectMs !== undefined && connectMs < 1000 ? 'connectTime is below 1s' : ''
}
