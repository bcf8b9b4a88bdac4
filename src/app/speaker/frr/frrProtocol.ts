// How does the speaker announce by BGP where FRR has the sessions? It decides the same routes, and
// keeps the configuration of FRR or frr-k8s as they need it.
import type { BfdProfile } from '../../../core/model/announcing.ts'
import { excludeLabel } from '../../../core/model/node.ts'
import type { Key } from '../../../core/model/service.ts'
import { objectOf } from '../../../core/model/view.ts'
import type { Ip } from '../../../core/net/ip.ts'
import { type Bgp, bgpOnNode } from '../../../core/policy/announce/advertiseBgp.ts'
import type { FrrPeer } from '../../../core/policy/frr/frrRouters.ts'
import { toldRoutesView } from '../../../core/policy/status/toldRoutes.ts'
import { PeerRoutes } from '../../../core/session/bgp/routes.ts'
import { ownAddresses } from '../../../edge/host/ownAddresses.ts'
import { faultFrom } from '../../../edge/kube/api/fault.ts'
import { after } from '../after.ts'
import { type BgpWant, bgpKinds, bgpWantOf, byPeer, peersIn, toldOf } from '../bgp/bgpWant.ts'
import { Draining } from '../bgp/draining.ts'
import { KeptFacts } from '../bgp/keptFacts.ts'
import { type NodePeer, nodePeers } from '../bgp/nodePeers.ts'
import { BgpStatus } from '../bgp/status/bgpStatus.ts'
import type { Change, Protocol, ProtocolEntry, ProtocolHost, ProtocolReport } from '../protocol.ts'
import type { NodeProblem } from '../status/nodeReport.ts'
import type { FrrAsked, FrrOutput } from './frrOutput.ts'
import { FrrSessions } from './frrSessions.ts'

type FrrParts = {
  /** Changes that come within this time are one. */
  readonly debounceMs: number
  readonly drainMs: number
  readonly output: (host: ProtocolHost<BgpWant>) => FrrOutput
}

/** Passwords, addresses and the other side's state change without a word. */
const lookMs = 10_000
const againMs = 5_000
/** How long FRR may take before it counts as having what it was given. */
const patienceMs = 30_000
/** How often FRR is asked about its sessions. */
const askMs = 5_000

export const frrProtocol = (parts: FrrParts): ProtocolEntry<BgpWant> => ({
  name: 'bgp',
  kinds: bgpKinds,
  start: (host) => new FrrProtocol(parts, host),
})

class FrrProtocol implements Protocol<BgpWant> {
  /** Nothing ends it: what cannot be written is tried again. */
  readonly ended = new Promise<never>(() => undefined)
  readonly missing: readonly string[] = []
  readonly leaveMs: number
  readonly report: ProtocolReport
  readonly #parts: FrrParts
  readonly #host: ProtocolHost<BgpWant>
  readonly #output: FrrOutput
  readonly #status: BgpStatus
  readonly #sessions: FrrSessions
  readonly #draining: Draining
  readonly #routes = new Map<string, PeerRoutes>()
  readonly #facts: KeptFacts
  readonly #over = new AbortController()
  #bgp: Bgp | undefined
  #wasSilent: boolean
  /** Every Service has been decided once: what FRR has stays as it is until then. */
  #hasBegun = false
  #isDirty = true
  /** FRR has what it was given last. */
  #isTaken = false
  #givenMs = 0
  /** Those that FRR was asked to tell routes. */
  #asked: ReadonlySet<string> = new Set()
  #trouble = ''

  constructor(parts: FrrParts, host: ProtocolHost<BgpWant>) {
    this.#parts = parts
    this.#host = host
    this.#facts = new KeptFacts(host.clock.nowMs)
    this.leaveMs = parts.drainMs
    this.#output = parts.output(host)
    this.#wasSilent = host.state.isSilent
    const over = () => this.#lookAgain()
    this.#draining = new Draining({ waitMs: parts.drainMs, after, over })
    const { node, timestamp } = host
    this.#sessions = new FrrSessions({
      node,
      timestamp,
      routers: () => this.#output.fit(this.#frrPeers()).routers,
    })
    this.#status = new BgpStatus({
      host,
      peersOf: (service) => peersIn(host.wanted.get(service)),
      sessions: () => this.#sessions.statuses,
      isTold: () => this.#isTaken && !this.#isDirty,
    })
    this.report = {
      announced: () => this.#announced(),
      problems: async () => this.#problems(),
      complaints: () => [],
      metrics: () => this.#sessions.metrics,
      told: () => toldRoutesView(this.#told()),
    }
    void this.#run(this.#over.signal)
    void this.#ask(this.#over.signal)
  }

  stateChanged(): void {
    const { queue, state } = this.#host
    if (state.isSilent === this.#wasSilent) return
    this.#wasSilent = state.isSilent
    this.#isDirty = true
    queue.wakeAll()
    queue.pump()
  }

  worldChanged(what: 'services' | 'configuration'): void {
    if (what !== 'configuration') return
    this.#bgp = undefined
    this.#isDirty = true
  }

  wants(service: Key): BgpWant | undefined {
    const { world, state } = this.#host
    if (state.isSilent) return undefined
    return bgpWantOf(world, service, { bgp: () => this.#current(), draining: this.#draining })
  }

  apply({ service, before, after: now }: Change<BgpWant>): void {
    const [gone, come] = [byPeer(before), byPeer(now)]
    for (const peer of new Set([...gone.keys(), ...come.keys()])) {
      const routes = this.#routes.get(peer) ?? new PeerRoutes()
      this.#routes.set(peer, routes)
      routes.change(service, gone.get(peer) ?? [], come.get(peer) ?? [])
    }
    this.#isDirty = true
    this.#status.touch(service)
  }

  flush(): void {
    this.#current()
  }

  settled(): void {
    this.#current()
    this.#hasBegun = true
    this.#status.settled()
  }

  /** FRR keeps running without us, unless the node stops too. */
  async leave(): Promise<void> {
    if (this.#over.signal.aborted) return
    await this.#draining.finished()
    this.#over.abort()
    const [asked, { state, world, node }] = [this.#nodeAsked(), this.#host]
    const view = world.all('Node').get(node)
    const isGoing = view?.isGoing === true || view?.labels[excludeLabel] !== undefined
    if (asked !== undefined && this.#hasBegun && isGoing && !state.isSilent) {
      const peers = asked.peers.map((one) => ({ ...one, routes: [] }))
      await this.#output.write({ ...asked, peers }).catch(() => undefined)
    }
    await this.#status.leave()
  }

  async stop(): Promise<void> {
    await this.leave()
  }

  #current(): Bgp {
    if (this.#bgp !== undefined) return this.#bgp
    const { world, node: name, wanted } = this.#host
    this.#draining.look(world.all('Node').get(name)?.labels[excludeLabel], wanted.size > 0)
    this.#bgp = bgpOnNode(world, { name, isLeaving: this.#draining.isLeaving })
    return this.#bgp
  }

  #lookAgain(): void {
    this.#bgp = undefined
    this.#isDirty = true
    this.#host.queue.wakeAll()
    this.#host.queue.pump()
  }

  /** The one place that handles a failed write. */
  async #run(signal: AbortSignal): Promise<void> {
    const { clock, log, state, queue } = this.#host
    let lookedMs = 0
    while (!signal.aborted) {
      await clock.sleep(this.#parts.debounceMs, signal)
      if (!this.#isTaken && this.#hasBegun) await this.#lookWhetherTaken()
      const isDue = this.#isDirty || clock.nowMs() - lookedMs > lookMs
      const mayWrite = this.#hasBegun && !state.isSilent && !signal.aborted && queue.isQuiet
      const asked = mayWrite && isDue ? this.#nodeAsked() : undefined
      if (asked === undefined) continue
      lookedMs = clock.nowMs()
      if (this.#isDirty) {
        this.#isTaken = false
        this.#givenMs = lookedMs
      }
      this.#isDirty = false
      const before = this.#trouble
      try {
        this.#trouble = await this.#output.write(asked)
        this.#asked = new Set(asked.peers.map(({ peer }) => peer.name))
      } catch (error) {
        this.#isDirty = true
        this.#trouble = faultFrom(error, 'FRR').message
      }
      if (this.#trouble !== '' && this.#trouble !== before) {
        log({ level: 'warn', object: 'FRR', message: this.#trouble })
      }
      if (this.#isDirty && this.#trouble !== '') await clock.sleep(againMs, signal)
    }
  }

  async #lookWhetherTaken(): Promise<void> {
    const { node, clock } = this.#host
    const hasTaken = await this.#output.hasTaken(node).catch(() => false)
    this.#isTaken = hasTaken || clock.nowMs() - this.#givenMs > patienceMs
  }

  /** The one place that handles a question that failed. */
  async #ask(signal: AbortSignal): Promise<void> {
    const { clock, random, log, node, state } = this.#host
    let isAsked = true
    while (!signal.aborted) {
      await clock.sleep(askMs * (0.75 + random() / 4), signal)
      if (signal.aborted || !this.#hasBegun) continue
      try {
        // The sessions of MetalLB's speaker are not ours to report.
        this.#sessions.saw(state.isSilent ? undefined : await this.#output.said(node))
        isAsked = true
      } catch (error) {
        const { message } = faultFrom(error, 'the sessions of FRR')
        if (isAsked) log({ level: 'warn', object: 'FRR', message })
        isAsked = false
      }
    }
  }

  #nodePeers(): readonly NodePeer[] {
    const { world, node } = this.#host
    return nodePeers({
      peers: this.#bgp?.peers ?? [],
      node: world.all('Node').get(node),
      facts: () => this.#facts.now(),
      neighbourOn: () => undefined,
    })
  }

  /** Undefined while our Node is not there: then what FRR has is left as it is. */
  #nodeAsked(): FrrAsked | undefined {
    const { world, node: name } = this.#host
    const node = world.all('Node').get(name)
    if (node === undefined || this.#bgp === undefined) return undefined
    const profiles = [...world.all('BFDProfile').values()].sort(byName)
    return { node, profiles, peers: this.#frrPeers() }
  }

  #frrPeers(): readonly FrrPeer[] {
    return this.#nodePeers()
      .filter(({ lacking }) => lacking.length === 0)
      .map(({ peer, plan }) => {
        const routes = this.#routes.get(peer.name)
        const found = [...(routes?.prefixes ?? [])].sort().flatMap((prefix) => {
          const route = routes?.get(prefix)
          return route === undefined ? [] : [route]
        })
        return { peer, link: plan?.link ?? '', routes: found }
      })
  }

  *#announced(): Generator<{ service: Key; address: Ip }> {
    for (const [service, want] of this.#host.wanted) {
      const told = toldOf(want, ({ peer }) => this.#asked.has(peer))
      for (const address of told) yield { service, address }
    }
  }

  #told(): Parameters<typeof toldRoutesView>[0] {
    const { node } = this.#host
    return this.#frrPeers().flatMap(({ peer, routes }) =>
      routes.map((route) => ({ ...route, node, peer: peer.name, nextHop: '' })),
    )
  }

  #problems(): readonly NodeProblem[] {
    const own = ownAddresses()
    const lacking = this.#nodePeers().flatMap(({ peer, plan, lacking: messages }) => {
      const object = objectOf(peer)
      const source = plan?.source
      const isMissing = source !== undefined && !own.some(({ address }) => address === source)
      const message = `this node does not have ${source}, so there is no session`
      return [
        ...messages.map((text) => ({ object, code: 'peer-value-missing', message: text }) as const),
        ...(isMissing ? [{ object, code: 'source-address-missing', message } as const] : []),
      ]
    })
    const misfits = this.#output.fit(this.#frrPeers()).misfits.map(({ peer, message }) => {
      return { object: objectOf(peer), code: 'peer-not-supported', message } as const
    })
    const object = `Node/${this.#host.node}`
    const message = this.#trouble
    const trouble = message === '' ? [] : [{ object, code: 'frr-not-configured', message } as const]
    return [...lacking, ...misfits, ...trouble, ...this.#sessions.problems]
  }
}

const byName = (one: BfdProfile, other: BfdProfile): number => (one.name < other.name ? -1 : 1)
