// How does the policy core live on a Kubernetes API? Feeds fill the World, turns decide, records
// write; only while every list is in (R3.13), we lead, and no MetalLB does the same.
import { type Settings, World } from '../../core/model/world.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { watch } from '../../edge/kube/api/watch.ts'
import { BesideMetallb } from './besideMetallb.ts'
import { ConfigurationState, type Pod } from './configurationState.ts'
import { type WatchedKind, watchedKinds } from './controllerKinds.ts'
import { Events } from './events.ts'
import { Feed } from './feed.ts'
import { whyKept } from './feedGuard.ts'
import { Followers } from './followers.ts'
import { Judged, plainSink } from './judged.ts'
import { Leader } from './leader.ts'
import { Records } from './records.ts'
import { ServiceTurns } from './serviceTurns.ts'
import { shownSink } from './shownSink.ts'
import { Versions } from './versions.ts'
import { WritePace } from './writePace.ts'

export type ControllerParts = {
  readonly api: Api
  readonly settings: Settings
  readonly clock: Clock
  readonly random: () => number
  /** The machine's time as RFC 3339. */
  readonly timestamp: () => string
  readonly identity: string
  /** That we run in, where it is known. */
  readonly pod?: Pod | undefined
  /** False: it reads everything and never decides. */
  readonly mayLead?: boolean
  /** The name of the Lease. */
  readonly lease?: string
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
}

type Fed = { readonly feed: Feed; readonly watched: WatchedKind }

/** How long a write that is on its way may hold up the lease's return. */
const drainMs = 500

export class Controller {
  readonly world: World
  readonly #parts: ControllerParts
  readonly #judged: Judged
  readonly #feeds: readonly Fed[]
  readonly #leader: Leader
  readonly #beside: BesideMetallb
  readonly #turns: ServiceTurns
  readonly #events: Events
  readonly #followers: Followers
  readonly #state: ConfigurationState
  readonly #stop = new AbortController()
  #isOpen = false

  constructor(parts: ControllerParts) {
    const { api, settings, clock, random, timestamp, identity, pod, lease, log } = parts
    const { ownNamespace } = settings
    const { signal } = this.#stop
    const world = new World(settings)
    const versions = new Versions()
    const sleep = (ms: number) => clock.sleep(ms, signal)
    const mayWrite = () => this.mayWrite
    const isUnderway = (service: string) => this.#turns.isUnderway(service)
    const isBusy = () => this.#turns.isBusy
    this.world = world
    this.#parts = parts
    this.#judged = new Judged(world)
    this.#feeds = watchedKinds(ownNamespace).map((watched) => {
      const inner = watched.isJudged ? this.#judged : plainSink(world)
      const sink = shownSink({ world, sink: inner, isUnderway })
      const { kind, isOptional } = watched
      return { feed: new Feed({ kind, isOptional, sink, versions }), watched }
    })
    this.#leader = new Leader({
      api,
      namespace: ownNamespace,
      name: lease ?? 'berth-controller',
      identity,
      nowMs: clock.nowMs,
      sleep,
      timestamp,
      failed: (fault) => log({ level: 'warn', object: 'lease', message: fault.message }),
    })
    const changed = () => this.#goOn()
    this.#beside = new BesideMetallb({ api, settings, clock, random, log, changed })
    this.#events = new Events({ api, world, timestamp, mayWrite, isBusy, sleep })
    this.#followers = new Followers({ api, world, timestamp, mayWrite })
    this.#state = new ConfigurationState({ api, namespace: ownNamespace, timestamp, pod })
    const restore = () => this.#turns.restore()
    this.#turns = new ServiceTurns({
      world,
      records: new Records({ api, world, versions, mayWrite, restore, timestamp, sleep }),
      pace: new WritePace(random),
      mayWrite,
      signal,
      sleep,
      say: (said) => this.#events.say(said),
      failed: (object, { name, message }) => {
        log({ level: name === 'Bug' ? 'error' : 'warn', object, message })
      },
    })
  }

  get mayWrite(): boolean {
    return this.isIn && this.isLeading && this.#beside.isAlone
  }

  /** The MetalLB controller that has to go first, in words. */
  get waitsFor(): string | undefined {
    return this.#beside.waitsFor
  }

  get isLeading(): boolean {
    return this.#leader.isLeading && !this.#stop.signal.aborted
  }

  /** Whether every kind has been listed, and none has gone since. */
  get isIn(): boolean {
    return this.#isOpen && this.#feeds.every(({ feed }) => feed.isIn)
  }

  /** The kinds that have not been listed yet. */
  get missing(): readonly string[] {
    return this.#feeds.filter(({ feed }) => !feed.isIn).map(({ watched }) => watched.kind)
  }

  /** Whether nothing is left to decide or to write. */
  get isQuiet(): boolean {
    const areWritten = this.#turns.isQuiet && this.#followers.isQuiet && this.#events.isQuiet
    return this.mayWrite && areWritten
  }

  async run(signal: AbortSignal): Promise<void> {
    const stop = () => this.#stop.abort()
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    const feeds = this.#feeds.map((one) => this.#feed(one))
    const beside = this.#beside.run(this.#stop.signal)
    await Promise.all([this.#lead(), this.#follow(), beside, ...feeds])
  }

  /** What is on its way ends first, as far as that does not take long. */
  async #lead(): Promise<void> {
    const { clock, mayLead = true } = this.#parts
    if (!mayLead) return
    await this.#leader.run(this.#stop.signal, () => this.#goOn())
    const never = new AbortController().signal
    for (let ms = 0; ms < drainMs && this.#turns.isWriting; ms += 10) await clock.sleep(10, never)
    await this.#leader.release()
  }

  /** With what waited until it was ours to write. */
  #goOn(): void {
    this.#turns.pump()
    this.#events.pump()
  }

  /** A kind that is lost is listed anew: what was missed meanwhile is not known. */
  async #feed(one: Fed): Promise<void> {
    const { clock } = this.#parts
    while (!this.#stop.signal.aborted) {
      const retryInMs = await this.#watch(one)
      await clock.sleep(retryInMs, this.#stop.signal)
    }
  }

  /** Ends when the kind is lost, with the time to wait. */
  async #watch({ feed, watched }: Fed): Promise<number> {
    const { api, clock, random, log } = this.#parts
    const { signal } = this.#stop
    for await (const step of watch(api, watched.resource, { signal, clock, random })) {
      const [wasIn, before] = [feed.isIn, feed.fault?.message]
      const isInDoubt = watched.isJudged && feed.takesAway(step)
      const kept = isInDoubt ? await this.#whyKept(watched) : undefined
      if (kept === undefined) feed.take(step)
      else feed.lose(kept)
      const { fault } = feed
      if (fault !== undefined && fault.message !== before) {
        const { kind } = watched
        log({ level: feed.isIn ? 'info' : 'warn', kind, message: fault.message })
      }
      if (!this.#isOpen && feed.isIn) this.#open()
      if (step.type !== 'init-apply') this.#turns.pump()
      if (kept !== undefined) return lostMs
      if (step.type === 'fault' && wasIn && !feed.isIn) return step.retryInMs
    }
    return 0
  }

  async #whyKept({ resource }: WatchedKind) {
    const why = await whyKept(this.#parts.api, resource)
    return this.#stop.signal.aborted ? undefined : why
  }

  #open(): void {
    if (!this.#feeds.every(({ feed }) => feed.isIn)) return
    this.#isOpen = true
    this.#judged.open()
  }

  async #follow(): Promise<void> {
    const { clock, log } = this.#parts
    const { signal } = this.#stop
    while (!signal.aborted) {
      if (this.mayWrite) await this.#followers.round()
      if (this.isLeading) {
        const news = { complaints: this.complaints(), waitsFor: this.waitsFor }
        await this.#state.report(news).catch((error: unknown) => {
          log({ level: 'warn', object: 'ConfigurationState', message: String(error) })
        })
      }
      await clock.sleep(1_000, signal)
    }
  }

  /** What is wrong with the configuration; undefined while it is not all known. */
  complaints(): readonly string[] | undefined {
    const missing = this.#feeds.flatMap(({ feed: { isIn, fault }, watched: { kind } }) =>
      isIn || fault === undefined ? [] : [`${kind} cannot be listed: ${fault.message}`],
    )
    if (missing.length > 0) return missing
    return this.isIn ? this.#judged.complaints : undefined
  }
}

/** While a definition is going away it is asked again from time to time. */
const lostMs = 2_000
