// What has a protocol learned of its own configuration? It waits for the kinds that it reads, and
// not for those of another protocol.
import type { World } from '../../core/model/world.ts'
import { checkHeld } from '../../core/policy/check/check.ts'
import { Feeds } from '../../edge/kube/feed/feeds.ts'
import { ValidatedSink } from '../../edge/kube/feed/validatedSink.ts'
import { unwritten } from '../../edge/kube/feed/versions.ts'
import type { WatchedKind } from '../../edge/kube/feed/watchedKinds.ts'
import { forget, wakingSink } from './wakingSink.ts'

type FeedsParts = ConstructorParameters<typeof Feeds>[0]

type ProtocolFeedsParts = Pick<FeedsParts, 'api' | 'clock' | 'random' | 'log'> & {
  readonly world: World
  /** All of them are checked before they count. */
  readonly kinds: readonly WatchedKind[]
  readonly wakeAll: () => void
  readonly pump: () => void
}

export class ProtocolFeeds {
  readonly #feeds: Feeds
  readonly #validated: ValidatedSink
  /** There is nothing to wait for. */
  readonly #isBare: boolean

  constructor({ world, wakeAll, pump, ...parts }: ProtocolFeedsParts) {
    this.#validated = new ValidatedSink(world, checkHeld)
    this.#isBare = parts.kinds.length === 0
    const ignore = () => undefined
    this.#feeds = new Feeds({
      ...parts,
      sinkOf: () =>
        wakingSink({ world, sink: this.#validated, wake: ignore, wakeAll, released: ignore }),
      versions: unwritten,
      opened: () => {
        this.#validated.open()
        forget(world)
        wakeAll()
      },
      changed: pump,
    })
  }

  get isIn(): boolean {
    return this.#isBare || this.#feeds.isIn
  }

  get isOpen(): boolean {
    return this.#isBare || this.#feeds.isOpen
  }

  /** The kinds that have never been listed. */
  get missing(): readonly string[] {
    return this.isOpen ? [] : this.#feeds.missing
  }

  /** What cannot be listed. */
  get unread(): readonly string[] {
    return this.#feeds.complaints
  }

  /** What does not count, and why. */
  get refused(): readonly string[] {
    return this.#validated.complaints
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#feeds.run(signal)
  }
}
