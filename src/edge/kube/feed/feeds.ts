// How does everything that is watched stay known? One watch for each kind, begun anew when the kind
// is lost; what is gone because its definition is gone is kept (R3.13).
import type { Kind } from '../../../core/model/view.ts'
import type { Api } from '../api/client.ts'
import type { Clock } from '../api/clock.ts'
import { isNotFound } from '../api/notFound.ts'
import { type WatchStep, watch } from '../api/watch.ts'
import type { Decode } from '../decode/decode.ts'
import { Feed } from './feed.ts'
import { whyKept } from './feedGuard.ts'
import { untilDefined } from './untilDefined.ts'
import type { Sink } from './validatedSink.ts'
import type { FeedVersions } from './versions.ts'
import type { WatchedKind } from './watchedKinds.ts'

type FeedsParts = {
  readonly api: Api
  readonly clock: Clock
  readonly random: () => number
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  readonly kinds: readonly WatchedKind[]
  readonly decode?: Decode | undefined
  readonly sinkOf: (watched: WatchedKind) => Sink
  readonly versions: FeedVersions
  /** Whether what goes with our namespace is kept too. */
  readonly asksNamespace?: boolean
  /** Every kind has been listed for the first time. */
  readonly opened: () => void
  /** Something may be different now; not called for each object of a list. */
  readonly changed: () => void
}

/** What has been seen of a kind: up to which version, and how many objects there are. */
export type Seen = { readonly resourceVersion: string; readonly objects: number }

type Fed = { readonly feed: Feed; readonly watched: WatchedKind }

/** While a definition is going away it is asked again from time to time. */
const lostMs = 2_000
/** Between two requests for a kind that is defined, or may be, and not served. */
const absentMs = 1_000

export class Feeds {
  readonly #parts: FeedsParts
  readonly #feeds: readonly Fed[]
  #isOpen = false

  constructor(parts: FeedsParts) {
    const { kinds, decode, sinkOf, versions } = parts
    this.#parts = parts
    this.#feeds = kinds.map((watched) => {
      const { kind, isOptional, isAwaited } = watched
      const feeding = { kind, isOptional, isAwaited, sink: sinkOf(watched), versions, decode }
      return { feed: new Feed(feeding), watched }
    })
  }

  /** Whether every kind has been listed, and none has gone since. */
  get isIn(): boolean {
    return this.#isOpen && this.#feeds.every(({ feed }) => feed.isIn)
  }

  /** Whether every kind was listed at one time: what has gone since is kept as it was. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** The kinds that have not been listed yet. */
  get missing(): readonly string[] {
    return this.#feeds.filter(({ feed }) => !feed.isIn).map(({ watched }) => watched.kind)
  }

  isServed(kind: Kind): boolean {
    return this.#feeds.some(({ feed, watched }) => watched.kind === kind && feed.isServed)
  }

  /** By kind; one that is not served has not been seen. */
  get seen(): Readonly<Record<string, Seen>> {
    const seen = this.#feeds.map(({ feed, watched: { kind } }): [string, Seen] => [
      kind,
      { resourceVersion: feed.seen, objects: feed.size },
    ])
    return Object.fromEntries(seen.filter(([, { resourceVersion }]) => resourceVersion !== ''))
  }

  /** One line for each kind that cannot be listed. */
  get complaints(): readonly string[] {
    return this.#feeds.flatMap(({ feed: { isIn, fault }, watched: { kind } }) =>
      isIn || fault === undefined ? [] : [`${kind} cannot be listed: ${fault.message}`],
    )
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#feeds.map((one) => this.#follow(one, signal)))
  }

  /** A kind that is lost is listed anew: what was missed meanwhile is not known. */
  async #follow(one: Fed, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const retryInMs = await this.#watch(one, signal)
      await this.#parts.clock.sleep(retryInMs, signal)
    }
  }

  /** Ends when the kind is lost, with the time to wait. */
  async #watch({ feed, watched }: Fed, signal: AbortSignal): Promise<number> {
    const { api, clock, random, log, changed } = this.#parts
    for await (const step of watch(api, watched.resource, { signal, clock, random })) {
      if (feed.isEcho(step)) {
        feed.saw(step)
        continue
      }
      const [wasIn, before] = [feed.isIn, feed.fault?.message]
      const isInDoubt = watched.isKept && feed.takesAway(step)
      const kept = isInDoubt ? await this.#whyKept(watched, step, signal) : undefined
      if (kept === undefined) {
        feed.take(step)
        feed.saw(step)
      } else if (kept.isLost) feed.lose(kept.fault)
      else feed.freeze(kept.fault)
      const { fault } = feed
      if (fault !== undefined && fault.message !== before) {
        const { kind } = watched
        log({ level: feed.isIn ? 'info' : 'warn', kind, message: fault.message })
      }
      if (!this.#isOpen && feed.isIn) this.#open()
      if (step.type !== 'init-apply') changed()
      if (kept !== undefined) return lostMs
      if (step.type === 'fault' && wasIn && !feed.isIn) return step.retryInMs
      if (step.type === 'fault' && isNotFound(step.fault))
        return this.#untilDefined(watched, signal)
    }
    return 0
  }

  /** A kind that is not served may be installed later. */
  async #untilDefined({ resource }: WatchedKind, signal: AbortSignal): Promise<number> {
    const { api, clock, random } = this.#parts
    const definition = await untilDefined(api, resource, { signal, clock, random })
    return definition === 'came' ? 0 : absentMs * (0.5 + random() / 2)
  }

  async #whyKept({ resource, isOptional }: WatchedKind, step: WatchStep, signal: AbortSignal) {
    const { api, asksNamespace = false } = this.#parts
    const gone = step.type === 'delete' ? step.json : undefined
    const why = await whyKept(api, { resource, gone, asksNamespace })
    // What need not be there holds nothing up only because we cannot ask.
    return signal.aborted || (isOptional && why?.isLost !== true) ? undefined : why
  }

  #open(): void {
    if (!this.#feeds.every(({ feed }) => feed.isIn)) return
    this.#isOpen = true
    this.#parts.opened()
  }
}
