// How does the speaker announce on layer 2? All speakers that see each other elect one node for
// each address; that node answers ARP and neighbour discovery from a separate thread.
import type { Key } from '../../../core/model/service.ts'
import type { Ip } from '../../../core/net/ip.ts'
import type { Sighting, Started } from '../../../core/session/layer2/announcement.ts'
import type { HostLink } from '../../../edge/host/packet/hostLink.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import { after } from '../after.ts'
import type { MembersDriver, MembersTold } from '../membership/membersDriver.ts'
import type { Change, Protocol, ProtocolEntry, ProtocolHost, ProtocolReport } from '../protocol.ts'
import { ServiceStatuses } from '../status/serviceStatuses.ts'
import { Announcer } from './announcer.ts'
import { AnnouncingLinks } from './announcingLinks.ts'
import { Answers } from './answers.ts'
import type { Election } from './election.ts'
import { Layer2Counts, layer2Metrics } from './layer2Metrics.ts'
import { PeerSpeakers } from './peerSpeakers.ts'
import { Layer2Status } from './status/layer2Status.ts'
import { problemsOn } from './status/nodeProblems.ts'
import type { Layer2Driver, ThreadNews } from './thread/startThread.ts'

type Layer2Parts = {
  /** Interfaces that never announce. */
  readonly excluded: RegExp
  readonly shouldAnnounceAnyway: boolean
  readonly isArpStrict: (interfaces: readonly string[]) => Promise<boolean | undefined>
  readonly startThread: (tell: (news: ThreadNews) => void) => Layer2Driver
  readonly startMembers: (told: MembersTold) => Promise<MembersDriver>
}

export const layer2Protocol = (parts: Layer2Parts): ProtocolEntry<Election> => ({
  name: 'layer2',
  kinds: ['L2Advertisement'],
  start: (host) => new Layer2Protocol(parts, host),
})

/** How long peers have to take over our addresses before we exit. */
const handOverMs = 300
/** How long peers have to learn about our interfaces. */
const greetMs = 150
const lookMs = 20

class Layer2Protocol implements Protocol<Election> {
  readonly ended: Promise<never>
  readonly report: ProtocolReport
  readonly #parts: Layer2Parts
  readonly #host: ProtocolHost<Election>
  readonly #stop = new AbortController()
  readonly #links: AnnouncingLinks
  readonly #peers = new PeerSpeakers()
  readonly #counts = new Layer2Counts()
  readonly #answers: Answers
  readonly #statuses: ServiceStatuses
  readonly #announcer: Announcer
  readonly #status: Layer2Status
  readonly #driver: Layer2Driver
  #fail: (why: unknown) => void = () => undefined
  #hasIpvs = false
  #isWorking = true
  #wasSilent: boolean
  #state: 'joining' | 'greeted' | 'deciding' | 'candidate' | 'leaving' = 'joining'

  constructor(parts: Layer2Parts, host: ProtocolHost<Election>) {
    const { clock, api, random, log, world } = host
    const { signal } = this.#stop
    this.#parts = parts
    this.#host = host
    this.#wasSilent = host.state.isSilent
    this.ended = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.#links = new AnnouncingLinks(parts.excluded)
    this.#answers = new Answers({
      driver: {
        announce: (announcements) => this.#driver.announce(announcements),
        withdraw: (addresses) => this.#driver.withdraw(addresses),
      },
      nowMs: clock.nowMs,
      after,
    })
    const changed = (service: Key, by: string) => this.#told(service, by)
    const namespace = world.ownNamespace
    const kind = 'ServiceL2Status'
    this.#statuses = new ServiceStatuses({ kind, api, clock, random, namespace, log, changed })
    const [links, peers, answers, statuses] = [
      this.#links,
      this.#peers,
      this.#answers,
      this.#statuses,
    ]
    const { shouldAnnounceAnyway } = parts
    const common = { host, peers, answers, statuses }
    this.#announcer = new Announcer({ ...common, links, shouldAnnounceAnyway })
    const { owned } = this.#announcer
    const mayReport = () => this.#isReady && peers.live.has(host.node)
    this.#status = new Layer2Status({ ...common, owned, mayReport, signal })
    this.report = this.#newReport()
    this.#driver = parts.startThread((news) => this.#heard(news))
    void Promise.all([this.#join(), this.#greet(), statuses.run(signal)]).catch(this.#fail)
  }

  get missing(): readonly string[] {
    if (this.#state !== 'joining') return this.#brokenParts
    return this.#waitsFor.length > 0 ? this.#waitsFor : ['other speakers']
  }

  stateChanged(): void {
    const { queue, state } = this.#host
    if (state.isSilent !== this.#wasSilent) queue.wakeAll()
    this.#wasSilent = state.isSilent
    queue.pump()
    this.#ownChanged()
  }

  worldChanged(what: 'services' | 'configuration'): void {
    this.#announcer.lookAgain()
    if (what === 'services') return
    const advertisements = this.#host.world.all('L2Advertisement').values()
    if (this.#links.useFor(advertisements)) this.#ownChanged()
  }

  released(addresses: readonly Ip[]): void {
    this.#announcer.forget(addresses)
  }

  /**
   * At first only the peers are candidates: this shows what they announce, so that nothing we take
   * over from them is probed. We become a candidate once every Service has been decided.
   */
  wants(service: Key): Election | undefined {
    if (this.#state === 'greeted') this.#recall()
    return this.#announcer.wants(service)
  }

  apply(change: Change<Election>): void {
    this.#announcer.apply(change)
    this.#status.changed(change)
  }

  flush(): void {
    this.#answers.flush()
  }

  settled(): void {
    this.#announcer.lookAgain()
    this.#status.settled()
    if (this.#state !== 'deciding' && this.#state !== 'greeted') return
    this.#state = 'candidate'
    this.#ownChanged()
    this.#speakersChanged()
  }

  /** Make before break: we keep answering until our peers have had time to take over. */
  async leave(): Promise<void> {
    const { clock, node } = this.#host
    this.#state = 'leaving'
    this.#answers.stay()
    const others = [...this.#peers.live].filter((name) => name !== node)
    const told = this.#peers.leave()
    if (this.#answers.addresses.size === 0 || others.length === 0) return
    await Promise.all([told, clock.sleep(handOverMs, new AbortController().signal)])
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all([this.#driver.stop(), this.#peers.stop()])
  }

  get #isReady(): boolean {
    const isCandidate = this.#state === 'candidate' && !this.#host.state.isSilent
    return isCandidate && this.#brokenParts.length === 0
  }

  get #brokenParts(): readonly string[] {
    return [
      ...(this.#links.areOpen ? [] : ['sockets on its interfaces']),
      ...(this.#isWorking ? [] : ['the answering thread']),
      ...(this.#peers.isSuperseded ? ['another speaker on this node to end'] : []),
    ]
  }

  /** R8.2, and what was announced before. */
  get #waitsFor(): readonly string[] {
    return [
      ...(this.#statuses.isIn ? [] : ['ServiceL2Status']),
      ...(this.#host.state.hasRunBefore === undefined ? ['NodeInterfaces'] : []),
      ...this.#brokenParts,
      ...(this.#peers.isSettled ? [] : [this.#peers.problem ?? 'other speakers']),
    ]
  }

  async #join(): Promise<void> {
    const { signal } = this.#stop
    const extend = (untilMs: number) => this.#driver.extend(untilMs)
    const changed = () => this.#speakersChanged()
    try {
      const members = await this.#parts.startMembers({ ...this.#host, extend, changed, signal })
      if (signal.aborted) await members.stop()
      else this.#peers.join(members)
      this.#ownChanged()
    } catch (error) {
      // It was stopped while it still waited for a key.
      if (!signal.aborted) throw error
    }
  }

  /** Peers must know our MACs before they see them in a frame. */
  async #greet(): Promise<void> {
    const { clock } = this.#host
    const { signal } = this.#stop
    while (this.#waitsFor.length > 0 && !signal.aborted) await clock.sleep(lookMs, signal)
    await clock.sleep(greetMs, signal)
    if (this.#state === 'joining') this.#state = 'greeted'
  }

  #recall(): void {
    this.#state = 'deciding'
    const { isServed } = this.#statuses
    for (const { key, ingress } of this.#host.world.services.values()) {
      const wasAnnounced = isServed
        ? this.#statuses.of(key).length > 0
        : this.#host.state.hasRunBefore === true
      if (wasAnnounced) this.#announcer.remember(ingress)
    }
  }

  #heard(news: ThreadNews): void {
    if (news.kind === 'links') this.#linksChanged(news.links)
    else if (news.kind === 'started') this.#started(news.started)
    else if (news.kind === 'sightings') this.#saw(news.sightings)
    else if (news.kind === 'counts') this.#counts.add(news.counts)
    else if (news.kind === 'ended') this.#fail(new Fault(`layer 2: ${news.why}`))
    else if (news.kind === 'trouble') {
      this.#host.log({ level: 'warn', object: 'layer 2', message: news.text })
    } else {
      if (news.kind === 'working') this.#isWorking = news.isWorking
      else this.#links.open(news.interfaces, news.closed)
      this.#ownChanged()
    }
  }

  #linksChanged(links: readonly HostLink[]): void {
    this.#hasIpvs = links.some(({ name }) => name.startsWith('kube-ipvs'))
    if (!this.#links.read(links)) return
    this.#ownChanged()
    this.#announcer.lookAgain()
    this.#host.queue.wakeAll()
    this.#host.queue.pump()
  }

  #ownChanged(): void {
    if (this.#state === 'leaving') return
    const { hasApi } = this.#host.state
    this.#peers.setOwn({ isReady: this.#isReady, hasApi, links: this.#links.usable })
  }

  #speakersChanged(): void {
    const { queue } = this.#host
    this.#driver.peerMacs(this.#peers.macs)
    for (const service of this.#announcer.speakersChanged()) queue.urge(service)
    this.#status.speakersChanged()
    queue.wakeAll()
    queue.pump()
  }

  #told(service: Key, by: string): void {
    this.#announcer.told(service, by)
    this.#status.told(service)
  }

  #started(started: readonly Started[]): void {
    for (const { address } of started) {
      if (!this.#answers.started(address)) continue
      this.#announcer.started(address)
      this.#status.begun(address)
    }
  }

  #saw(sightings: readonly Sighting[]): void {
    for (const sighting of sightings) {
      const { kind, address, isAnnounced } = sighting
      const isRefused = kind === 'foreign-owner' && !isAnnounced
      if (isRefused && this.#answers.refuse(address)) this.#status.begun(address)
      this.#status.saw(sighting)
    }
  }

  #newReport(): ProtocolReport {
    const [counts, peers, { sightings }] = [this.#counts, this.#peers, this.#status]
    const { owned } = this.#announcer
    return {
      announced: () =>
        [...this.#answers.announced].flatMap((address) =>
          owned.servicesOf(address).map((service) => ({ service, address })),
        ),
      problems: async () => {
        const links = this.#links.all ?? []
        const names = links.map(({ name }) => name)
        const [{ world, node }, hasIpvs] = [this.#host, this.#hasIpvs]
        const isArpStrict = hasIpvs ? await this.#parts.isArpStrict(names) : undefined
        const foreign = sightings.foreign.filter(({ address }) => owned.has(address))
        return problemsOn({ world, node, links, hasIpvs, isArpStrict, foreign })
      },
      complaints: () => (peers.problem === undefined ? [] : [peers.problem]),
      metrics: () => layer2Metrics({ counts, sightings, peers }),
      interfaces: () => this.#links.all,
      speakers: () => (peers.isSettled ? peers.speakers : undefined),
    }
  }
}
