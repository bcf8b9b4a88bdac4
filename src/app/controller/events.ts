// How are people told? As Kubernetes events, behind everything else: a few at a time, the oldest
// dropped when there are too many, and none worth a retry.
import type { World } from '../../core/model/world.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { pathOf, type Resource } from '../../edge/kube/api/resource.ts'
import type { Said } from './serviceTurns.ts'

const events: Resource = { group: '', version: 'v1', plural: 'events' }
const [atOnce, kept] = [4, 10_000]

export type EventParts = {
  readonly api: Api
  readonly world: World
  readonly timestamp: () => string
  readonly mayWrite: () => boolean
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
    this.#send()
  }

  #send(): void {
    const { api, mayWrite } = this.#parts
    while (this.#sending < atOnce && mayWrite()) {
      const body = this.#waiting.shift()
      if (body === undefined) return
      this.#sending++
      const namespace = namespaceOf(body)
      api
        .call({ method: 'POST', path: pathOf(events, undefined, undefined, namespace), body })
        .catch(() => undefined)
        .finally(() => {
          this.#sending--
          this.#send()
        })
    }
  }
}

function namespaceOf(event: object): string {
  const metadata = 'metadata' in event ? event.metadata : undefined
  const hasOne = typeof metadata === 'object' && metadata !== null && 'namespace' in metadata
  return hasOne ? String(metadata.namespace) : 'default'
}
