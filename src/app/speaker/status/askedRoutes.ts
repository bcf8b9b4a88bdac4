// Has this node the routes that the Site asks for (R6.14)? The Site is followed for that alone, and
// the kernel's table is read only while it lists any.
import { externalOf, type Site } from '../../../core/model/site.ts'
import { type HostRoute, routesTo } from '../../../edge/host/hostRoutes.ts'
import { Feeds } from '../../../edge/kube/feed/feeds.ts'
import type { Sink } from '../../../edge/kube/feed/validatedSink.ts'
import { unwritten } from '../../../edge/kube/feed/versions.ts'
import { siteKinds } from '../speakerKinds.ts'

type Parts = Pick<ConstructorParameters<typeof Feeds>[0], 'api' | 'clock' | 'random' | 'log'> & {
  readonly ownNamespace: string
  readonly read?: typeof routesTo
}

/** A table may be long: it is read this often at most. */
const readMs = 10_000
/** As the definition of NodeInterfaces allows. */
const mostTold = 256

export class AskedRoutes {
  readonly #clock: Parts['clock']
  readonly #table: typeof routesTo
  readonly #feeds: Feeds
  readonly #sites = new Map<string, Site>()
  #read: { readonly atMs: number; readonly routes: readonly HostRoute[] } | undefined

  constructor({ ownNamespace, read = routesTo, ...parts }: Parts) {
    this.#clock = parts.clock
    this.#table = read
    const nothing = () => undefined
    this.#feeds = new Feeds({
      ...parts,
      kinds: siteKinds(ownNamespace),
      sinkOf: () => this.#sink(),
      versions: unwritten,
      opened: nothing,
      changed: nothing,
    })
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#feeds.run(signal)
  }

  /** Undefined until the Site is known. */
  now(): readonly HostRoute[] | 'none asked' | undefined {
    if (!this.#feeds.isOpen) return undefined
    const destinations = [...this.#sites.values()].flatMap((site) =>
      (externalOf(site)?.routes ?? []).map(({ destination }) => destination),
    )
    if (destinations.length === 0) return 'none asked'
    const nowMs = this.#clock.nowMs()
    if (this.#read === undefined || nowMs - this.#read.atMs >= readMs) {
      this.#read = { atMs: nowMs, routes: this.#table(destinations).slice(0, mostTold) }
    }
    return this.#read.routes
  }

  #sink(): Sink {
    const gone = (_: unknown, key: string) => {
      this.#sites.delete(key)
      this.#read = undefined
    }
    return {
      has: (_, key) => this.#sites.has(key),
      keys: () => [...this.#sites.keys()],
      put: (view) => {
        if (view.kind === 'Site') this.#sites.set(view.name, view)
        this.#read = undefined
      },
      drop: gone,
      lose: gone,
      refuse: ({ kind, key }) => gone(kind, key),
    }
  }
}
