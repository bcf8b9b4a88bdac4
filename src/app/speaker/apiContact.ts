// Is the API reachable? Every answer proves it; after a silence, the speaker reads its own Node.
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

/** R8.2: after this long without an answer, the API counts as lost. */
const lostMs = 30_000
const askMs = 10_000
const nodes = resourceOf('Node')

export class ApiContact {
  readonly #parts: ContactParts
  #lastMs = Number.NEGATIVE_INFINITY
  #was = false
  /** The UID of our Node, once it has been read; empty if there is no such Node. */
  nodeUid: string | undefined

  constructor(parts: ContactParts) {
    this.#parts = parts
  }

  get isThere(): boolean {
    return this.#parts.clock.nowMs() - this.#lastMs < lostMs
  }

  /** Wraps an API so that every answer is noted. Errors pass through unchanged. */
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

  /** Sleeps until the silence can be long enough to poll, then polls every second. */
  #untilAskedMs(): number {
    const silentAtMs = this.nodeUid === undefined ? 0 : this.#lastMs + askMs
    return Math.max(1_000, silentAtMs - this.#parts.clock.nowMs())
  }

  async #ask(api: Api, signal: AbortSignal): Promise<void> {
    const path = pathOf(nodes, this.#parts.node)
    // Served from the API server's cache: the question is whether it answers, not what it stores.
    const query = { resourceVersion: '0' }
    try {
      const node = await api.call({ method: 'GET', path, query, signal, timeoutMs: 5_000 })
      this.nodeUid = metaOf(new Fields(node, [])).uid
    } catch {
      // Whether the server answered was noted by the wrapped call.
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

/** A refusal is an answer too, except a server error or a rejected credential. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ApiError && error.code < 500 && ![401, 403, 429].includes(error.code)
