// Which pods are there? Only those of namespaces with a BGPConfiguration are watched: a list of all
// pods of a cluster is long, and no other namespace has routes.
import type { Kind } from '../../core/model/view.ts'
import type { PodsKnown } from '../../core/policy/podRoutes/decidePodRoutes.ts'
import { Feeds } from '../../edge/kube/feed/feeds.ts'
import { plainSink, type Sink } from '../../edge/kube/feed/validatedSink.ts'
import { unwritten } from '../../edge/kube/feed/versions.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'
import type { ExtensionParts } from '../../edge/kube/write/extensionParts.ts'

type PodParts = Pick<ExtensionParts, 'api' | 'world' | 'clock' | 'random' | 'log' | 'changed'>

type Watched = { readonly feeds: Feeds; readonly stop: AbortController }

export class PodFeeds {
  readonly #parts: PodParts
  /** By namespace. */
  readonly #watched = new Map<string, Watched>()
  #signal: AbortSignal | undefined

  constructor(parts: PodParts) {
    this.#parts = parts
    parts.world.listen(({ type, kind }) => {
      if (type === 'object' && kind === 'BGPConfiguration') this.#follow()
    })
  }

  readonly known: PodsKnown = (namespace) => {
    const feeds = this.#watched.get(namespace)?.feeds
    if (feeds?.isIn !== true) return 'not listed yet'
    return feeds.isServed('Pod') ? 'known' : 'forbidden'
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal
    this.#follow()
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  /** Whether every list is in. */
  get isIn(): boolean {
    return [...this.#watched.values()].every(({ feeds }) => feeds.isIn)
  }

  #decideAnew(namespace: string): void {
    const { world } = this.#parts
    for (const view of [...world.all('BGPConfiguration').values()]) {
      if (view.namespace === namespace) world.apply({ type: 'upsert', view })
    }
  }

  #follow(): void {
    const { world } = this.#parts
    if (this.#signal === undefined || this.#signal.aborted) return
    const configurations = [...world.all('BGPConfiguration').values()]
    const namespaces = new Set(configurations.map(({ namespace }) => namespace))
    for (const namespace of namespaces) {
      if (!this.#watched.has(namespace)) this.#begin(namespace, this.#signal)
    }
    for (const [namespace, { stop }] of this.#watched) {
      if (namespaces.has(namespace)) continue
      stop.abort()
      this.#watched.delete(namespace)
      for (const key of keysIn(this.#parts, namespace)) {
        world.apply({ type: 'delete', kind: 'Pod', key })
      }
    }
  }

  #begin(namespace: string, until: AbortSignal): void {
    const { api, clock, random, log, changed } = this.#parts
    const stop = new AbortController()
    const sink = sinkFor(this.#parts, { namespace, signal: stop.signal })
    const feeds = new Feeds({
      api,
      clock,
      random,
      log,
      kinds: [{ kind: 'Pod', resource: resourceOf('Pod', namespace), ...asOptional }],
      sinkOf: () => sink,
      versions: unwritten,
      opened: () => this.#decideAnew(namespace),
      changed,
    })
    this.#watched.set(namespace, { feeds, stop })
    feeds.run(AbortSignal.any([until, stop.signal])).catch((error: unknown) => {
      log({ level: 'error', object: `pods of ${namespace}`, message: String(error) })
    })
  }
}

const asOptional = { isOptional: true, isValidated: false, isKept: false, isAwaited: false }

const keysIn = ({ world }: PodParts, namespace: string): readonly string[] =>
  [...world.all('Pod').values()].filter((pod) => pod.namespace === namespace).map(({ key }) => key)

/** One that has no addresses of its own is forgotten; what else is served is not for us to say. */
function sinkFor(
  parts: PodParts,
  { namespace, signal }: { readonly namespace: string; readonly signal: AbortSignal },
): Sink {
  const { serve: _, ...plain } = plainSink(parts.world)
  const known = (kind: Kind, key: string): boolean => parts.world.all(kind).has(key)
  return {
    ...plain,
    keys: () => keysIn(parts, namespace),
    put: (view) => {
      if (signal.aborted || view.kind !== 'Pod') return
      const isOfUse = view.asked > 0 || view.predictable !== ''
      if (isOfUse) plain.put(view)
      else if (known('Pod', view.key)) plain.drop('Pod', view.key)
    },
  }
}
