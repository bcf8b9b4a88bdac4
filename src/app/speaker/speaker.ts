// How does the policy core announce on a Kubernetes API? Feeds fill the World, the announcer
// decides and drives layer 2; status and events follow, and nothing waits for them.
import { type Settings, World } from '../../core/model/world.ts'
import { check } from '../../core/policy/check/check.ts'
import type { Sighting, Started } from '../../core/session/layer2/claim.ts'
import type { HostLink } from '../../edge/host/packet/hostLink.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { Fault } from '../../edge/kube/api/fault.ts'
import { Feeds } from '../../edge/kube/feed/feeds.ts'
import { Judged, plainSink } from '../../edge/kube/feed/judged.ts'
import type { Rivals } from '../../edge/kube/feed/rivals.ts'
import { unwritten } from '../../edge/kube/feed/versions.ts'
import type { Pod, StateNews } from '../../edge/kube/write/configurationState.ts'
import { ApiContact } from './apiContact.ts'
import { besideSpeaker } from './besideSpeaker.ts'
import { onlyAnnounced } from './keptViews.ts'
import { Announcer } from './layer2/announcer.ts'
import { AnnouncingLinks } from './layer2/announcingLinks.ts'
import { Answers } from './layer2/answers.ts'
import type { Layer2Driver, MembersDriver } from './membership/membersDriver.ts'
import { speakerKinds } from './speakerKinds.ts'
import { Reporting } from './status/reporting.ts'
import { forget, wakingSink, withoutExcludeLabel } from './wakingSink.ts'

export type SpeakerParts = {
  readonly api: Api
  readonly settings: Settings
  readonly node: string
  readonly pod?: Pod | undefined
  readonly clock: Clock
  readonly random: () => number
  /** The machine's time as RFC 3339. */
  readonly timestamp: () => string
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  /** Interfaces that never announce. */
  readonly excluded: RegExp
  readonly shouldAnnounceAnyway: boolean
  /** Nodes that are kept from other load balancers announce all the same. */
  readonly shouldIgnoreExcludeLabel: boolean
  readonly isArpStrict: (interfaces: readonly string[]) => Promise<boolean | undefined>
  readonly startLayer2: (told: Layer2Told) => Layer2Driver
  readonly startMembers: (told: MembersTold) => Promise<MembersDriver>
}

export type Layer2Told = {
  readonly onLinks: (links: readonly HostLink[]) => void
  /** Where its sockets are open, and where none can be opened: interfaces, by name. */
  readonly onOpen: (interfaces: readonly string[], closed: readonly string[]) => void
  readonly onWorking: (isWorking: boolean) => void
  readonly onStarted: (started: readonly Started[]) => void
  readonly onSightings: (sightings: readonly Sighting[]) => void
  readonly onEnded: (why: string) => void
}
export type MembersTold = {
  readonly world: World
  readonly extend: (untilMs: number) => void
  readonly changed: () => void
}

/** How long others have to take over what we answer for, before we go. */
const handOverMs = 300
/** In which those that are there hear of our interfaces. */
const greetMs = 150
const nobody: ReadonlySet<string> = new Set()

export class Speaker {
  readonly world: World
  readonly announcer: Announcer
  readonly answers: Answers
  readonly reporting: Reporting
  readonly #parts: SpeakerParts
  readonly #stop = new AbortController()
  readonly #judged: Judged
  readonly #feeds: Feeds
  readonly #contact: ApiContact
  readonly #beside: Rivals
  #layer2: Layer2Driver | undefined
  #members: MembersDriver | undefined
  readonly #links: AnnouncingLinks
  #hasIpvs = false
  #isWorking = true
  #state: 'starting' | 'ready' | 'leaving' = 'starting'

  constructor(parts: SpeakerParts) {
    const { settings, node, pod, clock, random, timestamp, log } = parts
    const { signal } = this.#stop
    const world = new World(settings)
    const changed = () => this.#ownChanged()
    this.world = world
    this.#parts = parts
    this.#links = new AnnouncingLinks(parts.excluded)
    this.#contact = new ApiContact({ clock, node, changed })
    const api = this.#contact.noted(parts.api)
    this.#judged = new Judged(world, check)
    const rivals = { api, clock, random, log, changed }
    this.#beside = besideSpeaker(rivals, { namespace: settings.ownNamespace, node })
    this.answers = new Answers({
      driver: {
        announce: (claims) => this.#layer2?.announce(claims),
        withdraw: (addresses) => this.#layer2?.withdraw(addresses),
      },
      nowMs: clock.nowMs,
      after,
    })
    this.announcer = this.#newAnnouncer()
    this.#feeds = this.#newFeeds(api)
    this.reporting = new Reporting({
      api,
      world,
      node,
      pod,
      clock,
      random,
      timestamp,
      log,
      signal,
      announcer: this.announcer,
      answers: this.answers,
      live: () => this.live,
      mayReport: () => this.isReady && this.live.has(node),
      links: () => this.#links.all,
      hasIpvs: () => this.#hasIpvs,
      isArpStrict: parts.isArpStrict,
      nodeUid: () => this.#contact.nodeUid,
      news: () => this.news(),
    })
  }

  /** What we still wait for, in words; none when this node can be a candidate (R8.2). */
  get missing(): readonly string[] {
    const { waitsFor, isAlone } = this.#beside
    return [
      ...(this.#feeds.isOpen ? [] : this.#feeds.missing),
      ...this.reporting.missing,
      ...(this.#links.areOpen ? [] : ['sockets of its interfaces']),
      ...(this.#isWorking ? [] : ['the thread that answers']),
      ...(this.#members?.isSettled === true ? [] : [this.#members?.problem ?? 'other speakers']),
      ...(isAlone ? [] : [waitsFor ?? "whether MetalLB's speaker runs here"]),
    ]
  }

  get isReady(): boolean {
    const canAnswer = this.#links.areOpen && this.#isWorking
    return this.#state === 'ready' && this.#beside.isAlone && canAnswer
  }

  /** The nodes that may announce. */
  get live(): ReadonlySet<string> {
    return this.#members?.speakers.live ?? nobody
  }

  /** Whether every list is in, and none has gone since. */
  get isIn(): boolean {
    return this.#feeds.isIn
  }

  get hasApi(): boolean {
    return this.#contact.isThere
  }

  get waitsFor(): string | undefined {
    return this.#beside.waitsFor
  }

  /** Whether the configuration can be used. */
  news(): StateNews {
    const { problem } = this.#members ?? {}
    const unread = [...this.#feeds.complaints, ...(problem === undefined ? [] : [problem])]
    const judged = this.#feeds.isOpen ? this.#judged.complaints : undefined
    return { complaints: unread.length > 0 ? unread : judged, waitsFor: this.waitsFor }
  }

  /** Until the signal aborts and others have taken over. */
  async run(signal: AbortSignal): Promise<void> {
    const { startLayer2, startMembers } = this.#parts
    let fail = (_: Fault): void => undefined
    const ended = new Promise<never>((_, reject) => {
      fail = reject
    })
    ended.catch(() => undefined)
    const layer2 = startLayer2({
      onLinks: (links) => this.#linksChanged(links),
      onOpen: (interfaces, closed) => {
        this.#links.open(interfaces, closed)
        this.#ownChanged()
      },
      onWorking: (isWorking) => {
        this.#isWorking = isWorking
        this.#ownChanged()
      },
      onStarted: (started) => this.#started(started),
      onSightings: (sightings) => this.#saw(sightings),
      onEnded: (why) => fail(new Fault(`layer 2: ${why}`)),
    })
    this.#layer2 = layer2
    try {
      const members = await startMembers({
        world: this.world,
        extend: (untilMs) => layer2.extend(untilMs),
        changed: () => this.#speakersChanged(),
      })
      this.#members = members
      this.#ownChanged()
      await Promise.race([this.#untilLeft(signal), ended])
    } finally {
      this.#stop.abort()
      await Promise.all([layer2.stop(), this.#members?.stop()])
    }
  }

  async #untilLeft(signal: AbortSignal): Promise<void> {
    const work = this.#work()
    await Promise.race([aborted(signal), work])
    await this.#leave()
    this.#stop.abort()
    await work
  }

  async #work(): Promise<void> {
    const { api } = this.#parts
    const { signal } = this.#stop
    await Promise.all([
      this.#feeds.run(signal),
      this.#beside.run(signal),
      this.#contact.run(this.#contact.noted(api), signal),
      this.reporting.run(),
      this.#begin(),
    ])
  }

  /**
   * Decides once while others are the only candidates: what they announce is then known, and what
   * we take over from them is not probed. Only then are we one of them.
   */
  async #begin(): Promise<void> {
    const { clock } = this.#parts
    const { signal } = this.#stop
    while (this.missing.length > 0 && !signal.aborted) await clock.sleep(20, signal)
    // Our MACs are known to the others before they meet them in a frame.
    await clock.sleep(greetMs, signal)
    for (const { key, ingress } of this.world.services.values()) {
      if (this.reporting.wasAnnounced(key)) this.announcer.remember(ingress)
    }
    this.announcer.start()
    while (!this.announcer.isQuiet && !signal.aborted) await clock.sleep(5, signal)
    if (this.#state === 'starting') this.#state = 'ready'
    this.#ownChanged()
    this.#speakersChanged()
  }

  /** Make before break: we answer until those that heard of it have had the time to. */
  async #leave(): Promise<void> {
    const { clock, node } = this.#parts
    this.#state = 'leaving'
    this.announcer.leave()
    const others = [...this.live].filter((name) => name !== node)
    const told = this.#members?.leave()
    if (this.answers.addresses.size === 0 || others.length === 0) return
    await Promise.all([told, clock.sleep(handOverMs, new AbortController().signal)])
  }

  #ownChanged(): void {
    const links = this.#links.usable
    const { isReady, hasApi } = this
    this.announcer.keepSilent(!this.#beside.isAlone)
    if (this.#state !== 'leaving') this.#members?.setOwn({ isReady, hasApi, links })
  }

  #linksChanged(links: readonly HostLink[]): void {
    this.#hasIpvs = links.some(({ name }) => name.startsWith('kube-ipvs'))
    if (!this.#links.read(links)) return
    this.#ownChanged()
    this.announcer.wakeAll()
    this.announcer.pump()
  }

  #configChanged(): void {
    if (this.#links.useFor(this.world.all('L2Advertisement').values())) this.#ownChanged()
  }

  #started(started: readonly Started[]): void {
    for (const { address } of started) {
      if (!this.answers.started(address)) continue
      this.announcer.started([address])
      this.reporting.begun(address)
    }
  }

  #saw(sightings: readonly Sighting[]): void {
    for (const sighting of sightings) {
      const { kind, address, isAnnounced } = sighting
      const isRefused = kind === 'foreign-owner' && !isAnnounced
      if (isRefused && this.answers.refuse(address)) this.reporting.begun(address)
      this.reporting.saw(sighting)
    }
  }

  #speakersChanged(): void {
    this.#layer2?.fellowMacs(this.#members?.fellowMacs ?? new Map())
    this.announcer.speakersChanged()
    this.reporting.speakersChanged()
    this.announcer.pump()
  }

  #newAnnouncer(): Announcer {
    const { node, clock, log, shouldAnnounceAnyway } = this.#parts
    return new Announcer({
      world: this.world,
      node,
      answers: this.answers,
      speakers: () => this.#members?.speakers ?? { live: nobody, expected: nobody },
      hasLeft: (name) => this.#members?.hasLeft(name) === true,
      hasTold: (service, name) => this.reporting.hasTold(service, name),
      present: () => new Set(this.#links.all?.map(({ name }) => name)),
      shouldAnnounceAnyway,
      safeDelayMs: () => this.#members?.safeDelayMs ?? 0,
      nowMs: clock.nowMs,
      soon: (act) => setImmediate(act),
      changed: (key, before) => this.reporting.decided(key, before),
      failed: (key, error) =>
        log({ level: 'error', object: `Service/${key}`, message: stackOf(error) }),
      idle: () => this.reporting.idle(),
    })
  }

  #newFeeds(api: Api): Feeds {
    const { settings, clock, random, log, shouldIgnoreExcludeLabel } = this.#parts
    const { world, announcer } = this
    const kept = onlyAnnounced(world, plainSink(world))
    const plain = shouldIgnoreExcludeLabel ? withoutExcludeLabel(kept) : kept
    return new Feeds({
      api,
      clock,
      random,
      log,
      kinds: speakerKinds(settings.ownNamespace),
      sinkOf: ({ isJudged }) =>
        wakingSink({
          world,
          sink: isJudged ? this.#judged : plain,
          wake: (key) => announcer.wake(key),
          wakeAll: () => {
            announcer.wakeAll()
            this.#configChanged()
          },
          released: (addresses) => announcer.forget(addresses),
        }),
      versions: unwritten,
      opened: () => {
        this.#judged.open()
        forget(world)
        this.#configChanged()
      },
      changed: () => announcer.pump(),
    })
  }
}

function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
