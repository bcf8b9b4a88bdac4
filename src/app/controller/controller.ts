// How does the policy core live on a Kubernetes API? Feeds fill the World, workers decide, records
// write; only while every list is in (R3.13), we lead, and no MetalLB does the same.
import type { Complete, Completion } from '../../core/model/completion.ts'
import { type Settings, World } from '../../core/model/world.ts'
import { checkHeld } from '../../core/policy/check/check.ts'
import type { Decider, KeptDecider } from '../../core/policy/decider.ts'
import { type Claims, claimsAmong, coreDeciders } from '../../core/policy/deciders.ts'
import { poolsLost } from '../../core/policy/poolsLost.ts'
import { leaseName } from '../../edge/kube/adoption.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { decoderOf } from '../../edge/kube/decode/decode.ts'
import { Feeds, type Seen } from '../../edge/kube/feed/feeds.ts'
import type { Rivals } from '../../edge/kube/feed/rivals.ts'
import { plainSink, ValidatedSink } from '../../edge/kube/feed/validatedSink.ts'
import { Versions } from '../../edge/kube/feed/versions.ts'
import { kinds as allKinds, type KindRow } from '../../edge/kube/kinds.ts'
import {
  ConfigurationState,
  controllerState,
  type Pod,
} from '../../edge/kube/write/configurationState.ts'
import { Events } from '../../edge/kube/write/events.ts'
import type { ExtensionParts } from '../../edge/kube/write/extensionParts.ts'
import { Keeper } from '../../edge/kube/write/keeper.ts'
import { Repeated } from '../../edge/kube/write/repeated.ts'
import { WritePace } from '../../edge/kube/write/writePace.ts'
import { Adopting } from './adopting.ts'
import { besideMetallb } from './besideMetallb.ts'
import { controllerKinds } from './controllerKinds.ts'
import { DeciderLoop } from './deciderLoop.ts'
import type { Extension, NewExtension } from './extension.ts'
import { Leader } from './leader.ts'
import { ensureMembersKey } from './membersKey.ts'
import { Records } from './records.ts'
import { refusalIn } from './refusalIn.ts'
import { ServiceWorker } from './serviceWorker.ts'
import { Troubles } from './troubles.ts'

type ControllerParts = {
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
  /** All that there are, unless others are given. */
  readonly deciders?: readonly Decider[]
  readonly kinds?: readonly KindRow[]
  readonly extensions?: readonly NewExtension[]
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
}

const [component, instance] = ['metallb-controller', 'berth'] as const
/** What is claimed, in logs and metrics: written in one protocol. */
const claimed = 'claims'
/** How long a write that is on its way may hold up the lease's return. */
const drainMs = 500
/** Rounds after which we look whether the speakers have a key. */
const keyEvery = 15

/** A decider, and whether it may write now. */
type Deciding = { readonly decider: KeptDecider; readonly mayWrite: () => boolean }

type Sleeping = { readonly sleep: (ms: number) => Promise<void> }

const watchedBy = (extensions: readonly NewExtension[]) =>
  extensions.flatMap(({ watched }) => watched)

/** Whether nothing is left to do, and from what that was concluded. */
type Progress = {
  readonly isQuiet: boolean
  readonly seen: Readonly<Record<string, Seen>>
}

export class Controller {
  readonly world: World
  readonly #parts: ControllerParts
  readonly #validated: ValidatedSink
  readonly #feeds: Feeds
  readonly #leader: Leader
  readonly #beside: Rivals
  readonly #adopting: Adopting
  readonly #worker: ServiceWorker
  readonly #events: Events
  readonly #loops: readonly DeciderLoop[]
  readonly #extensions: readonly Extension[]
  readonly #state: ConfigurationState
  readonly troubles: Troubles
  readonly #stop = new AbortController()
  #reportNow: () => void = () => undefined

  constructor(parts: ControllerParts) {
    const { api, settings, clock, random, timestamp, identity, pod, lease, log } = parts
    const { ownNamespace } = settings
    const { signal } = this.#stop
    const world = new World(settings)
    const versions = new Versions()
    const sleep = (ms: number) => clock.sleep(ms, signal)
    const mayWrite = () => this.mayWrite
    const isBusy = () => this.#worker.isBusy || this.#extensions.some((one) => one.isBusy())
    const { kinds = allKinds, deciders = coreDeciders, extensions = [] } = parts
    const troubles = new Troubles(log)
    // A Service that was parked is queued again when it changes.
    world.listen(({ kind, key }) => troubles.over(claimed, `${kind} ${key}`))
    this.world = world
    this.troubles = troubles
    this.#parts = parts
    this.#validated = new ValidatedSink(world, checkHeld)
    const plain = plainSink(world)
    this.#feeds = new Feeds({
      api,
      clock,
      random,
      log,
      kinds: [...controllerKinds(ownNamespace, kinds), ...watchedBy(extensions)],
      decode: decoderOf(kinds),
      sinkOf: ({ isValidated }) => (isValidated ? this.#validated : plain),
      versions,
      asksNamespace: true,
      opened: () => this.#validated.open(),
      changed: () => this.#decideOn(),
    })
    this.#leader = new Leader({
      api,
      namespace: ownNamespace,
      name: lease ?? leaseName,
      identity,
      nowMs: clock.nowMs,
      sleep,
      timestamp,
      failed: (fault) => log({ level: 'warn', object: 'lease', message: fault.message }),
    })
    const changed = () => this.#goOn()
    const mayTakeOver = () => this.wasIn && this.#leader.hasRead && this.#adopting.isPending
    this.#beside = besideMetallb({ api, clock, random, log, changed }, settings, mayTakeOver)
    this.#adopting = this.#newAdopting(changed)
    this.#events = new Events({ api, component, instance, timestamp, mayWrite, isBusy, sleep })
    const known = versions.known.bind(versions)
    const refusal = refusalIn(world)
    const keeper = new Keeper({ api, known, kinds, ownNamespace, timestamp, mayWrite, refusal })
    const say = this.#events.say.bind(this.#events)
    const common = { api, world, clock, random, timestamp, mayWrite, say, troubles }
    this.#extensions = this.#extended({ ...common, versions, log }, keeper)
    const loopOf = (one: Deciding) => new DeciderLoop({ ...common, ...one, keeper })
    this.#loops = this.#deciding(mayWrite).map(loopOf)
    this.#state = new ConfigurationState({
      api,
      component: controllerState,
      namespace: ownNamespace,
      timestamp,
      pod,
    })
    this.#worker = this.#newWorker({ ...common, versions, sleep }, claimsAmong(deciders))
  }

  get mayWrite(): boolean {
    return this.isIn && this.isLeading && this.#beside.isAlone && this.#adopting.isKnown
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
    return this.#feeds.isIn
  }

  /** Whether every kind was listed at one time; what was lost since is kept as it was. */
  get wasIn(): boolean {
    return this.#feeds.isOpen
  }

  /** The kinds that have not been listed yet. */
  get missing(): readonly string[] {
    return this.#feeds.missing
  }

  /** Whether nothing is left to decide or to write. */
  get isQuiet(): boolean {
    const areWritten =
      this.#worker.isQuiet &&
      this.#loops.every((loop) => loop.isQuiet) &&
      this.#extensions.every((extension) => extension.isQuiet())
    return this.mayWrite && areWritten && this.#events.isQuiet && this.#adopting.isOver
  }

  /** Asked before an object of the kind, `group/Kind`, is made. */
  async complete(kind: string, asked: Parameters<Complete>[0]): Promise<Completion> {
    const complete = this.#extensions.flatMap((one) => one.completions?.get(kind) ?? [])[0]
    return complete?.(asked) ?? { ok: true, annotations: {}, warnings: [] }
  }

  /** For whoever waits for us: what may be put off for a second is done at once then. */
  progress(): Progress {
    this.#adopting.end()
    const { isQuiet } = this
    for (const loop of this.#loops) if (!loop.isQuiet) loop.hurry()
    return { isQuiet, seen: this.#feeds.seen }
  }

  async run(signal: AbortSignal): Promise<void> {
    const stop = () => this.#stop.abort()
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    const feeds = this.#feeds.run(this.#stop.signal)
    const beside = this.#beside.run(this.#stop.signal)
    const loops = [...this.#loops, ...this.#extensions].map((one) => one.run(this.#stop.signal))
    await Promise.all([this.#lead(), this.#report(), beside, feeds, ...loops])
  }

  #newWorker(
    parts: Pick<ExtensionParts, 'world' | 'versions' | 'mayWrite'> & Sleeping,
    deciders: Claims,
  ): ServiceWorker {
    const { api, random, timestamp } = this.#parts
    const { world, troubles } = this
    return new ServiceWorker({
      ...parts,
      deciders,
      records: new Records({ ...parts, api, timestamp, decider: deciders.records }),
      pace: new WritePace(random),
      signal: this.#stop.signal,
      say: ({ service, events }) => {
        const about = world.services.get(service)
        if (about !== undefined) this.#events.say(about, events)
      },
      failed: (object, error) => {
        if (error.name === 'Bug') troubles.park(claimed, object, error)
        else troubles.failed(claimed, object, error)
      },
      decided: (object) => troubles.over(claimed, object),
    })
  }

  #extended(
    parts: Omit<ExtensionParts, 'keep' | 'isServed' | 'isIn' | 'changed'>,
    keeper: Keeper,
  ): Extension[] {
    const keep = keeper.keep.bind(keeper)
    const isServed = this.#feeds.isServed.bind(this.#feeds)
    const { extensions = [], deciders = coreDeciders } = this.#parts
    const isIn = () => this.isIn
    const changed = () => this.#decideOn()
    const common = { ...parts, keep, isServed, isIn, changed }
    return extensions.map(({ start }) => start(common, deciders))
  }

  /** What the keeper writes, and while it may. */
  #deciding(mayWrite: () => boolean): Deciding[] {
    const own = (this.#parts.deciders ?? coreDeciders)
      .filter((decider) => decider.isClaimed === undefined)
      .map((decider) => ({ decider, mayWrite }))
    const added = this.#extensions.flatMap((extension) =>
      extension.deciders.map((decider) => ({
        decider,
        mayWrite: () => mayWrite() && extension.mayWrite(),
      })),
    )
    return [...own, ...added]
  }

  #newAdopting(changed: () => void): Adopting {
    const { world } = this
    return new Adopting({
      world,
      leader: this.#leader,
      mayDecide: () =>
        this.isIn && this.isLeading && (this.#beside.isAlone || this.waitsFor !== undefined),
      isGivenByOthers: () => this.waitsFor !== undefined,
      isDecided: () => world.queue.size === 0,
      isWritten: () => this.#worker.isQuiet,
      changed,
    })
  }

  /** What is on its way ends first, as far as that does not take long. */
  async #lead(): Promise<void> {
    const { clock, mayLead = true } = this.#parts
    if (!mayLead) return
    await this.#leader.run(this.#stop.signal, () => this.#goOn())
    const never = new AbortController().signal
    for (let ms = 0; ms < drainMs && this.#worker.isWriting; ms += 10) await clock.sleep(10, never)
    await this.#leader.release()
  }

  /** With what waited until it was ours to write. */
  #goOn(): void {
    this.#decideOn()
    this.#events.pump()
    this.#reportNow()
  }

  #decideOn(): void {
    // What is known of MetalLB may count differently now; it calls again only when that changes.
    this.#beside.look()
    this.#adopting.look()
    this.#worker.pump()
    for (const loop of this.#loops) loop.hear()
    for (const extension of this.#extensions) extension.pump()
  }

  async #report(): Promise<void> {
    const { api, settings, clock, log } = this.#parts
    const { signal } = this.#stop
    const repeated = new Repeated(log)
    let ledFor = 0
    while (!signal.aborted) {
      const sooner = new AbortController()
      this.#reportNow = () => sooner.abort()
      this.#beside.look()
      this.#adopting.tick()
      if (this.isLeading) {
        const news = { complaints: this.complaints(), waitsFor: this.waitsFor }
        await repeated.try('ConfigurationState', () => this.#state.report(news))
      }
      if (!this.isLeading) ledFor = 0
      else if (ledFor++ % keyEvery === 0) {
        const ensured = () => ensureMembersKey(api, settings.ownNamespace)
        await repeated.try('Secret/berth-members', ensured)
      }
      await clock.sleep(1_000, AbortSignal.any([signal, sooner.signal]))
    }
  }

  /** What is wrong with the configuration; undefined while it is not all known. */
  complaints(): readonly string[] | undefined {
    const unread = this.#feeds.complaints
    if (unread.length > 0) return unread
    if (!this.isIn) return undefined
    const lost = poolsLost(this.world).map(({ object, code, message }) => {
      return `${object}: ${code}: ${message}`
    })
    const added = this.#extensions.flatMap((extension) => extension.complaints())
    return [...lost, ...this.#validated.complaints, ...added, ...this.troubles.parked]
  }
}
