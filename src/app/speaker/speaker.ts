// What is a speaker made of? Feeds that fill the World, protocols that announce what the World says
// from this node, and a report about the node. It only composes: each protocol decides by itself.
import type { Kind } from '../../core/model/view.ts'
import { type Settings, World } from '../../core/model/world.ts'
import { checkHeld } from '../../core/policy/check/check.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { Feeds } from '../../edge/kube/feed/feeds.ts'
import type { Rivals } from '../../edge/kube/feed/rivals.ts'
import { plainSink, type Sink, ValidatedSink } from '../../edge/kube/feed/validatedSink.ts'
import { unwritten } from '../../edge/kube/feed/versions.ts'
import {
  ConfigurationState,
  type Pod,
  type StateNews,
  speakerState,
} from '../../edge/kube/write/configurationState.ts'
import { Repeated } from '../../edge/kube/write/repeated.ts'
import { ApiContact } from './apiContact.ts'
import { BerthGives } from './berthGives.ts'
import { besideSpeaker } from './besideSpeaker.ts'
import { ConfirmedOnly } from './confirmedOnly.ts'
import { onlyAnnounced } from './keptViews.ts'
import type { NodeState, ProtocolEntry } from './protocol.ts'
import { ProtocolFeeds } from './protocolFeeds.ts'
import { RunningProtocol } from './runningProtocol.ts'
import { kindsOf, sharedKinds } from './speakerKinds.ts'
import { AskedRoutes } from './status/askedRoutes.ts'
import { NodeReport } from './status/nodeReport.ts'
import { Withheld } from './status/withheld.ts'
import { forget, wakingSink, withoutExcludeLabel } from './wakingSink.ts'

type SpeakerParts = {
  readonly api: Api
  readonly settings: Settings
  readonly node: string
  readonly pod?: Pod | undefined
  readonly clock: Clock
  readonly random: () => number
  /** Wall-clock time as RFC 3339. */
  readonly timestamp: () => string
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  /** Also announce from nodes labelled exclude-from-external-load-balancers. */
  readonly shouldIgnoreExcludeLabel: boolean
  readonly protocols: readonly ProtocolEntry[]
}

/** Interval between checks of whether the configuration can be used. */
const stateMs = 2_000

export class Speaker {
  readonly world: World
  readonly protocols: readonly RunningProtocol[]
  readonly #parts: SpeakerParts
  /** Notes every answer, so that we know whether the API is reachable. */
  readonly #api: Api
  readonly #stop = new AbortController()
  readonly #validated: ValidatedSink
  readonly #feeds: Feeds
  /** By protocol, in their order. */
  readonly #own: readonly ProtocolFeeds[]
  readonly #contact: ApiContact
  readonly #beside: Rivals
  readonly #gives: BerthGives
  readonly #confirmed: ConfirmedOnly
  readonly #routes: AskedRoutes
  readonly #report: NodeReport
  #isLeaving = false

  constructor(parts: SpeakerParts) {
    const { settings, node, clock, random, timestamp, log } = parts
    const { ownNamespace: namespace } = settings
    const changed = () => this.#stateChanged()
    this.#parts = parts
    this.world = new World(settings)
    this.#contact = new ApiContact({ clock, node, changed })
    this.#api = this.#contact.noted(parts.api)
    this.#validated = new ValidatedSink(this.world, checkHeld)
    const rivals = { api: this.#api, clock, random, log, changed }
    this.#beside = besideSpeaker(rivals, { namespace, node })
    const givenAnew = () => this.#givenAnew()
    this.#gives = new BerthGives({ clock, namespace, timestamp, log, changed: givenAnew })
    const { ownNamespace } = settings
    this.#routes = new AskedRoutes({ api: this.#api, clock, random, log, ownNamespace })
    this.#report = this.#newReport()
    this.protocols = this.#newProtocols()
    this.#confirmed = this.#newConfirmed()
    this.#feeds = this.#newFeeds()
    this.#own = this.#newOwn()
  }

  /** What the speaker still waits for, in words. */
  get missing(): readonly string[] {
    const takeover = this.#isLeaving ? ['other nodes to take over'] : []
    const ofAll = [...this.#own, ...this.protocols].flatMap(({ missing }) => missing)
    return [...takeover, ...this.#missingForAll, ...ofAll]
  }

  /** Whether every protocol has decided about all Services, and none leaves. */
  get isReady(): boolean {
    return this.missing.length === 0
  }

  /** Whether every list has arrived and no watch has been lost since. */
  get isIn(): boolean {
    return this.#feeds.isIn && this.#own.every(({ isIn }) => isIn)
  }

  get hasApi(): boolean {
    return this.#contact.isThere
  }

  get waitsFor(): string | undefined {
    return this.#beside.waitsFor
  }

  /** Whether the configuration can be used. */
  news(): StateNews {
    const ofProtocols = this.protocols.flatMap(({ report }) => report.complaints())
    const ofOwn = this.#own.flatMap(({ unread: complaints }) => complaints)
    const unread = [...this.#feeds.complaints, ...ofOwn, ...ofProtocols]
    const isOpen = this.#feeds.isOpen && this.#own.every((one) => one.isOpen)
    const refused = this.#own.flatMap((one) => one.refused)
    const validated = isOpen ? [...this.#validated.complaints, ...refused].sort() : undefined
    return { complaints: unread.length > 0 ? unread : validated, waitsFor: this.waitsFor }
  }

  /** Runs until the signal aborts and other nodes have taken over. */
  async run(signal: AbortSignal): Promise<void> {
    const end = this.#stop.signal
    const work = Promise.all([
      this.#feeds.run(end),
      ...this.#own.map((feeds) => feeds.run(end)),
      this.#beside.run(end),
      this.#gives.run(this.#api, end),
      this.#contact.run(this.#api, end),
      this.#report.run(end),
      this.#routes.run(end),
      this.#tellState(end),
      ...this.protocols.map((protocol) => protocol.run(end)),
    ])
    try {
      await Promise.race([aborted(signal), work])
      this.#isLeaving = true
      await Promise.all(this.protocols.map((protocol) => protocol.leave()))
    } finally {
      this.#stop.abort()
    }
    await work
  }

  get #missingForAll(): readonly string[] {
    const { waitsFor, isAlone } = this.#beside
    return [
      ...(this.#feeds.isOpen ? [] : this.#feeds.missing),
      ...(isAlone ? [] : [waitsFor ?? "whether MetalLB's speaker runs here"]),
      ...(this.#gives.isHeld === undefined ? ['the Lease of the controller'] : []),
    ]
  }

  #stateChanged(): void {
    for (const protocol of this.protocols) protocol.stateChanged()
  }

  /** Nothing is announced before both are known. */
  #begin(): void {
    if (this.#feeds.isOpen && this.#gives.isHeld !== undefined) this.#confirmed.begin()
  }

  #givenAnew(): void {
    this.#begin()
    this.#confirmed.lookAgain()
    for (const protocol of this.protocols) protocol.pump()
  }

  #newProtocols(): readonly RunningProtocol[] {
    const { node, pod, clock, random, timestamp, log, protocols } = this.#parts
    const [contact, beside, report] = [this.#contact, this.#beside, this.#report]
    const reports = () => this.protocols.map(({ report }) => report)
    const state: NodeState = {
      get hasApi() {
        return contact.isThere
      },
      get isSilent() {
        return !beside.isAlone
      },
      get hasRunBefore() {
        return report.wasThere
      },
      get nodeUid() {
        return contact.nodeUid
      },
      get speakers() {
        return reports()
          .map((one) => one.speakers?.())
          .find((speakers) => speakers !== undefined)
      },
    }
    const host = { api: this.#api, world: this.world, node, pod, clock, random, timestamp, log }
    const soon = (act: () => void) => setImmediate(act)
    return protocols.map((entry, at) => {
      const isReady = () => this.#missingForAll.length === 0 && this.#own[at]?.isOpen === true
      return new RunningProtocol(entry, { ...host, state, isReady, soon })
    })
  }

  #newReport(): NodeReport {
    const { node, clock, random, log } = this.#parts
    const reports = () => this.protocols.map(({ report }) => report)
    const withheld = new Withheld({ clock, withheld: () => this.#confirmed.withheld })
    return new NodeReport({
      api: this.#api,
      node,
      nodeUid: () => this.#contact.nodeUid,
      links: () =>
        reports()
          .map((report) => report.interfaces?.())
          .find((links) => links !== undefined),
      problems: async () => {
        const ofProtocols = await Promise.all(reports().map((one) => one.problems()))
        return [...ofProtocols.flat(), ...withheld.problems()]
      },
      routes: () => this.#routes.now(),
      clock,
      random,
      log,
    })
  }

  #newConfirmed(): ConfirmedOnly {
    const { world } = this
    const kept = onlyAnnounced(world, plainSink(world))
    const isNeeded = () => this.#gives.isHeld === true && this.#feeds.isServed('Address')
    return new ConfirmedOnly({ world, sink: this.#waking(kept), isNeeded })
  }

  #waking(sink: Sink): Sink {
    const { world, protocols } = this
    return wakingSink({
      world,
      sink,
      wake: (key) => {
        for (const protocol of protocols) protocol.serviceChanged(key)
      },
      wakeAll: () => this.#wakeAll(),
      released: (addresses) => {
        for (const protocol of protocols) protocol.released(addresses)
      },
    })
  }

  #wakeAll(): void {
    for (const protocol of this.protocols) protocol.configurationChanged()
  }

  #newFeeds(): Feeds {
    const { settings, clock, random, log, shouldIgnoreExcludeLabel } = this.#parts
    const { world, protocols } = this
    const confirmed = this.#confirmed
    const plain = plainSink(world)
    const sinks: Partial<Record<Kind, Sink>> = {
      Service: confirmed.services,
      Address: confirmed.addresses,
      EndpointSlice: this.#waking(plain),
      Node: this.#waking(shouldIgnoreExcludeLabel ? withoutExcludeLabel(plain) : plain),
    }
    return new Feeds({
      api: this.#api,
      clock,
      random,
      log,
      kinds: sharedKinds(settings.ownNamespace),
      sinkOf: ({ kind, isValidated }) =>
        sinks[kind] ?? this.#waking(isValidated ? this.#validated : plain),
      versions: unwritten,
      opened: () => {
        this.#validated.open()
        this.#begin()
        forget(world)
        this.#wakeAll()
      },
      changed: () => {
        confirmed.lookAgain()
        for (const protocol of protocols) protocol.pump()
      },
    })
  }

  #newOwn(): readonly ProtocolFeeds[] {
    const { settings, clock, random, log } = this.#parts
    const common = { api: this.#api, world: this.world, clock, random, log }
    return this.#parts.protocols.map((entry, at) => {
      const protocol = this.protocols[at]
      return new ProtocolFeeds({
        ...common,
        kinds: kindsOf(settings.ownNamespace, entry.kinds),
        wakeAll: () => protocol?.configurationChanged(),
        pump: () => protocol?.pump(),
      })
    })
  }

  async #tellState(signal: AbortSignal): Promise<void> {
    const { clock, log, node, pod, timestamp } = this.#parts
    const { ownNamespace: namespace } = this.world
    const component = speakerState(node)
    const state = new ConfigurationState({ api: this.#api, component, namespace, timestamp, pod })
    const repeated = new Repeated(log)
    for (; !signal.aborted; await clock.sleep(stateMs, signal)) {
      await repeated.try('ConfigurationState', () => state.report(this.news()))
    }
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
