// How are people told? As Kubernetes events, behind everything else: a few at a time, the oldest
// dropped when there are too many, and none worth more than a few tries.
import type { World } from '../../core/model/world.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { ApiError } from '../../edge/kube/api/fault.ts'
import { pathOf, type Resource } from '../../edge/kube/api/resource.ts'
import type { Said } from './serviceTurns.ts'

const events: Resource = { group: '', version: 'v1', plural: 'events' }
const [atOnce, kept] = [4, 10_000]

export type EventParts = {
  readonly api: Api
  readonly world: World
  readonly timestamp: () => string
  readonly mayWrite: () => boolean
  readonly sleep: (ms: number) => Promise<void>
}

export class Events {
  readonly #parts: EventParts
  readonly #waiting: object[] = []
  #sending = 0
  #made = 0

  constructor(parts: EventParts) {
    this.#parts = parts
  }

  get isQuiet(): boolean {
    return this.#sending + this.#waiting.length === 0
  }

  say({ service: key, events: said }: Said): void {
    const { world, timestamp } = this.#parts
    const view = world.services.get(key)
    if (view === undefined) return
    const { namespace, name, uid, resourceVersion } = view
    const involvedObject = {
      apiVersion: 'v1',
      kind: 'Service',
      namespace,
      name,
      uid,
      resourceVersion,
    }
    for (const { type, reason, message } of said) {
      const now = timestamp()
      const unique = `${Number(this.#made++).toString(36)}${uid.slice(-6)}`
      this.#waiting.push({
        metadata: { namespace, name: `${name}.${unique}.${now.replace(/\W/g, '').toLowerCase()}` },
        involvedObject,
        type,
        reason,
        message: message.slice(0, 1024),
        source: { component: 'metallb-controller' },
        reportingComponent: 'metallb-controller',
        reportingInstance: 'berth',
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      })
    }
    if (this.#waiting.length > kept) this.#waiting.splice(0, this.#waiting.length - kept)
    this.pump()
  }

  /** Sends what waits, as far as it is ours to write. */
  pump(): void {
    while (this.#sending < atOnce && this.#parts.mayWrite()) {
      const body = this.#waiting.shift()
      if (body === undefined) return
      this.#sending++
      void this.#post(body).then(() => {
        this.#sending--
        this.pump()
      })
    }
  }

  /** Tried a few times where the server is in trouble; a refusal is final. */
  async #post(body: object): Promise<void> {
    const { api, mayWrite, sleep } = this.#parts
    const path = pathOf(events, undefined, undefined, namespaceOf(body))
    for (let tries = 1; mayWrite(); tries++) {
      try {
        await api.call({ method: 'POST', path, body })
        return
      } catch (error) {
        const isFinal = error instanceof ApiError && error.code < 500 && error.code !== 429
        if (isFinal || tries === 3) return
        await sleep(tries * 1_000)
      }
    }
  }
}

function namespaceOf(event: object): string {
  const metadata = 'metadata' in event ? event.metadata : undefined
  const hasOne = typeof metadata === 'object' && metadata !== null && 'namespace' in metadata
  return hasOne ? String(metadata.namespace) : 'default'
}
