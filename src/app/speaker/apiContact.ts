// Is the API within reach? Every answer says so; after a while without any our Node is asked for.
import type { Api } from '../../edge/kube/api/client.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { ApiError } from '../../edge/kube/api/fault.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { metaOf } from '../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'

type ContactParts = {
  readonly clock: Clock
  readonly node: string
  readonly changed: () => void
}

/** R8.2 */
const lostMs = 30_000
const askMs = 10_000
const nodes = resourceOf('Node')

export class ApiContact {
  readonly #parts: ContactParts
  #lastMs = Number.NEGATIVE_INFINITY
  #was = false
  /** Of the own Node, once it has been read. */
  nodeUid: string | undefined

  constructor(parts: ContactParts) {
    this.#parts = parts
  }

  get isThere(): boolean {
    return this.#parts.clock.nowMs() - this.#lastMs < lostMs
  }

  /** The same API; it throws what it threw. */
  noted(api: Api): Api {
    const note = () => this.#note()
    return {
      async call(request) {
        try {
          const answer = await api.call(request)
          note()
          return answer
        } catch (error) {
          if (isAnswer(error)) note()
          throw error
        }
      },
      async *stream(request) {
        for await (const line of api.stream(request)) {
          note()
          yield line
        }
      },
      close: () => api.close(),
    }
  }

  async run(api: Api, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    for (; !signal.aborted; await clock.sleep(this.#untilAskedMs(), signal)) {
      const isSilent = clock.nowMs() - this.#lastMs >= askMs
      if (isSilent || this.nodeUid === undefined) await this.#ask(api, signal)
      this.#tell()
    }
  }

  /** Not before it can have been silent for so long; once it is, it is looked at every second. */
  #untilAskedMs(): number {
    const silentAtMs = this.nodeUid === undefined ? 0 : this.#lastMs + askMs
    return Math.max(1_000, silentAtMs - this.#parts.clock.nowMs())
  }

  async #ask(api: Api, signal: AbortSignal): Promise<void> {
    const path = pathOf(nodes, this.#parts.node)
    // From the server's memory: it is asked whether it is there, not what it has kept.
    const query = { resourceVersion: '0' }
    try {
      const node = await api.call({ method: 'GET', path, query, signal, timeoutMs: 5_000 })
      this.nodeUid = metaOf(new Fields(node, [])).uid
    } catch {
      // Whether it has answered is noted on the way.
      this.nodeUid ??= ''
    }
  }

  #note(): void {
    this.#lastMs = this.#parts.clock.nowMs()
    this.#tell()
  }

  #tell(): void {
    const { isThere } = this
    if (isThere === this.#was) return
    this.#was = isThere
    this.#parts.changed()
  }
}

/** Also a no is an answer; but not from a server in trouble, nor when it does not know us. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ApiError && error.code < 500 && ![401, 403, 429].includes(error.code)
