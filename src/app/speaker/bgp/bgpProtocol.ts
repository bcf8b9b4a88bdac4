// How does the speaker announce by BGP? This node opens a session to each of its peers and tells
// them the routes of Services that policy wants here. It asks no other node, and no election.
import type { BfdProfile, Peer } from '../../../core/model/announcing.ts'
import { excludeLabel } from '../../../core/model/node.ts'
import type { Key } from '../../../core/model/service.ts'
import type { Ip } from '../../../core/net/ip.ts'
import { type Bgp, bgpOnNode } from '../../../core/policy/announce/advertiseBgp.ts'
import { type ToldRoute, toldRoutesView } from '../../../core/policy/status/toldRoutes.ts'
import type { Style } from '../../../core/session/bgp/routeAttributes.ts'
import { shutdownNotice } from '../../../core/wire/bgp/notification.ts'
import { ownAddresses } from '../../../edge/host/ownAddresses.ts'
import { openRouterDiscovery } from '../../../edge/host/routerDiscovery.ts'
import { dialTcp, takeTcp } from '../../../edge/host/tcp/dialTcp.ts'
import { dropTcp, listenTcp } from '../../../edge/host/tcp/listenTcp.ts'
import { after, every } from '../after.ts'
import { bfdMetrics } from '../bfd/bfdMetrics.ts'
import { bfdPlanOf } from '../bfd/bfdPlan.ts'
import { BfdSessions } from '../bfd/bfdSessions.ts'
import { startBfdThread } from '../bfd/startBfdThread.ts'
import type { Change, Protocol, ProtocolEntry, ProtocolHost, ProtocolReport } from '../protocol.ts'
import { bgpMetrics } from './bgpMetrics.ts'
import { BgpPeers } from './bgpPeers.ts'
import { bgpProblems } from './bgpProblems.ts'
import { type BgpWant, bgpKinds, bgpWantOf, byPeer, peersIn, toldOf } from './bgpWant.ts'
import { Draining } from './draining.ts'
import { Incoming } from './incoming.ts'
import { KeptFacts } from './keptFacts.ts'
import { LinkNeighbours } from './linkNeighbours.ts'
import { interfacesOf, type NodePeer, nodePeers } from './nodePeers.ts'
import { newPeerKeys, type PeerKeys } from './peerKeys.ts'
import { passwordOf } from './peerPlan.ts'
import type { PeerSession } from './peerSession.ts'
import { BgpStatus } from './status/bgpStatus.ts'
import { sessionStatusOf } from './status/sessionStatus.ts'

type BgpParts = {
  readonly style: Style
  /** Where routers may connect to; undefined: nowhere. */
  readonly listenPort: number | undefined
  /** How long routers are asked to prefer other nodes while this one is drained. */
  readonly drainMs: number
}

const rekeyMs = 5_000

export const bgpProtocol = (parts: BgpParts): ProtocolEntry<BgpWant> => ({
  name: 'bgp',
  kinds: bgpKinds,
  start: (host) => new BgpProtocol(parts, host),
})

class BgpProtocol implements Protocol<BgpWant> {
  /** Nothing ends it: what fails is one session, which begins anew. */
  readonly ended = new Promise<never>(() => undefined)
  readonly missing: readonly string[] = []
  readonly leaveMs: number
  readonly report: ProtocolReport
  readonly #host: ProtocolHost<BgpWant>
  readonly #peers: BgpPeers
  readonly #status: BgpStatus
  readonly #draining: Draining
  readonly #bfd: BfdSessions
  readonly #neighbours: LinkNeighbours
  readonly #incoming: Incoming | undefined
  readonly #facts: KeptFacts
  readonly #keys: PeerKeys
  readonly #over = new AbortController()
  #bgp: Bgp | undefined
  #wasSilent: boolean
  #isLeaving = false

  constructor({ style, drainMs, listenPort }: BgpParts, host: ProtocolHost<BgpWant>) {
    const { node, clock, random, timestamp, log } = host
    const keys = newPeerKeys(host)
    this.#keys = keys
    this.#host = host
    this.#facts = new KeptFacts(clock.nowMs)
    this.leaveMs = drainMs
    this.#wasSilent = host.state.isSilent
    this.#peers = new BgpPeers((peer) => ({
      style,
      node,
      nowMs: clock.nowMs,
      random,
      timestamp,
      dial: dialTcp,
      ownAddresses,
      keyOf: (plan, when) => keys.keyOf(plan, when),
      log: (level, message) => log({ level, object: `BGPPeer/${peer}`, message }),
    }))
    this.#bfd = new BfdSessions({
      start: startBfdThread,
      nowMs: clock.nowMs,
      log: (level, peer, message) => log({ level, object: `BGPPeer/${peer}`, message }),
      failed: (peers, why) => {
        for (const peer of peers) this.#peers.sessionOf(peer)?.bfdDown(why)
      },
    })
    this.#neighbours = new LinkNeighbours({
      open: openRouterDiscovery,
      ownAddresses,
      nowMs: clock.nowMs,
      every,
      changed: () => this.#runPeers(),
    })
    this.#incoming =
      listenPort === undefined
        ? undefined
        : new Incoming({
            ...{ port: listenPort, listen: listenTcp, take: takeTcp, drop: dropTcp, after },
            sessions: () => this.#peers.sessions,
            keyOf: (plan) => keys.keyOf(plan, 'recently'),
          })
    const over = () => this.#lookAgain()
    this.#draining = new Draining({ waitMs: drainMs, after, over })
    void this.#rekeyAgainAndAgain(this.#over.signal)
    this.#status = new BgpStatus({
      host,
      peersOf: (service) => peersIn(host.wanted.get(service)),
      sessions: () =>
        this.#peers.sessions.map((one) =>
          sessionStatusOf(one, node, this.#bfd.seenBy(one.plan.name)?.view?.state),
        ),
      isTold: () => this.#peers.sessions.every(isTold),
    })
    this.report = {
      announced: () => this.#announced(),
      problems: async () => this.#problems(),
      complaints: () => [],
      metrics: () => [...bgpMetrics(this.#peers.sessions), ...bfdMetrics(this.#bfd.seen)],
      told: () => toldRoutesView(toldBy(node, this.#peers.sessions)),
    }
  }

  stateChanged(): void {
    const { queue, state } = this.#host
    if (state.isSilent === this.#wasSilent) return
    this.#wasSilent = state.isSilent
    this.#runPeers()
    queue.wakeAll()
    queue.pump()
  }

  worldChanged(what: 'services' | 'configuration'): void {
    if (what === 'configuration') this.#bgp = undefined
  }

  wants(service: Key): BgpWant | undefined {
    const { world, state } = this.#host
    if (state.isSilent) return undefined
    return bgpWantOf(world, service, { bgp: () => this.#current(), draining: this.#draining })
  }

  apply({ service, before, after }: Change<BgpWant>): void {
    const [gone, now] = [byPeer(before), byPeer(after)]
    for (const peer of new Set([...gone.keys(), ...now.keys()])) {
      this.#peers.change(peer, service, gone.get(peer) ?? [], now.get(peer) ?? [])
    }
    this.#status.touch(service)
  }

  flush(): void {
    this.#current()
    this.#peers.flush()
  }

  settled(): void {
    this.#current()
    this.#peers.begin()
    this.#status.settled()
  }

  /** Routers stop sending here before the process ends. */
  async leave(): Promise<void> {
    this.#isLeaving = true
    this.#over.abort()
    this.#neighbours.run(new Set())
    this.#incoming?.stop()
    await this.#draining.finished()
    const why = shutdownNotice(`Berth stops on node ${this.#host.node}`)
    const ended = this.#isComingBack ? this.#peers.pause(why) : this.#peers.stop(why)
    await Promise.all([ended, this.#status.leave()])
    // After BGP: a router that heard this first would take it for a failure.
    await this.#bfd.stop()
  }

  async stop(): Promise<void> {
    await this.leave()
  }

  /** Whether another speaker will announce the same from here in a moment. */
  get #isComingBack(): boolean {
    const node = this.#host.world.all('Node').get(this.#host.node)
    return node !== undefined && !node.isGoing && node.labels[excludeLabel] === undefined
  }

  /** As it is by now, and the sessions with it. */
  #current(): Bgp {
    if (this.#bgp !== undefined) return this.#bgp
    const { world, node: name, wanted } = this.#host
    const label = world.all('Node').get(name)?.labels[excludeLabel]
    this.#draining.look(label, wanted.size > 0)
    const bgp = bgpOnNode(world, { name, isLeaving: this.#draining.isLeaving })
    this.#bgp = bgp
    this.#runPeers()
    return bgp
  }

  #lookAgain(): void {
    this.#bgp = undefined
    this.#host.queue.wakeAll()
    this.#host.queue.pump()
  }

  #runPeers(): void {
    if (this.#isLeaving || this.#bgp === undefined) return
    const peers = this.#host.state.isSilent ? [] : this.#nodePeers()
    this.#neighbours.run(interfacesOf(peers))
    this.#keys.keep(peers.map(({ peer }) => passwordOf(peer)))
    const planned = peers.flatMap(({ peer, plan }) => (plan === undefined ? [] : [{ peer, plan }]))
    this.#peers.run(planned.map(({ plan }) => plan))
    const own = ownAddresses()
    const bfd = planned.flatMap(({ peer, plan }) => {
      const profile = this.#profileOf(peer)
      if (profile === undefined) return []
      return [[peer.name, bfdPlanOf({ peer, plan, profile, own })] as const]
    })
    this.#bfd.run(new Map(bfd))
    void this.#incoming?.look()
  }

  /** A password that is replaced takes effect soon, without a new session. */
  async #rekeyAgainAndAgain(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#host
    while (!signal.aborted) {
      // Not all nodes at once.
      await clock.sleep(rekeyMs * (0.75 + random() / 4), signal)
      if (signal.aborted) return
      // Addresses and the way out of a node change without the API, and while it is away.
      const isHost = this.#bgp?.peers.some(({ annotations }) => annotations !== undefined)
      if (isHost) this.#runPeers()
      void this.#peers.rekey()
      void this.#incoming?.look()
    }
  }

  #profileOf({ bfdProfile }: Peer): BfdProfile | undefined {
    return this.#host.world.all('BFDProfile').get(bfdProfile)
  }

  #nodePeers(): readonly NodePeer[] {
    const { world, node } = this.#host
    return nodePeers({
      peers: this.#bgp?.peers ?? [],
      node: world.all('Node').get(node),
      facts: () => this.#facts.now(),
      neighbourOn: (name) => this.#neighbours.addressOf(name),
    })
  }

  *#announced(): Generator<{ service: Key; address: Ip }> {
    for (const [service, want] of this.#host.wanted) {
      const told = toldOf(want, ({ peer, prefix }) => {
        return this.#peers.sessionOf(peer)?.has(prefix) === true
      })
      for (const address of told) yield { service, address }
    }
  }

  #problems(): ReturnType<typeof bgpProblems> {
    const peers = this.#nodePeers()
    const troubleOn = (name: string) => this.#neighbours.troubleOf(name)
    const sessionOf = (peer: string) => this.#peers.sessionOf(peer)
    const bfdOf = (peer: string) => this.#bfd.seenBy(peer)
    const wantsEcho = (peer: Peer) => this.#profileOf(peer)?.echoMode === true
    const own = ownAddresses()
    const keyTroubleOf = (peer: Ip) => this.#incoming?.keyTroubleOf(peer) ?? ''
    const [node, trouble] = [`Node/${this.#host.node}`, this.#incoming?.trouble]
    const listening = { node, trouble, keyTroubleOf }
    return bgpProblems({ peers, troubleOn, sessionOf, bfdOf, wantsEcho, own, listening })
  }
}

const isTold = ({ session, told }: PeerSession): boolean =>
  session.state !== 'Established' || told.pending === 0

const toldBy = (node: string, sessions: readonly PeerSession[]): readonly ToldRoute[] =>
  sessions.flatMap(({ plan, nextHops, sentRoutes }) =>
    sentRoutes.map((route) => {
      const nextHop = nextHops[route.prefix.includes(':') ? 'IPv6' : 'IPv4']?.[0] ?? ''
      return { ...route, node, peer: plan.name, nextHop }
    }),
  )
