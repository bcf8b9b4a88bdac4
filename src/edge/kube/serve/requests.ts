// What do we exchange with the API server? Counted in one wrapper, so that no caller has to.
import type { Api, ApiRequest } from '../api/client.ts'
import { ApiError } from '../api/fault.ts'

const results = ['ok', 'conflict', 'error'] as const
type WriteResult = (typeof results)[number]
type WriteCount = {
  /** Including a subresource, such as services/status. */
  readonly resource: string
  readonly result: WriteResult
  readonly count: number
}

export class Requests {
  readonly #writes = new Map<string, Record<WriteResult, number>>()
  #updates = 0

  /** Wraps an API. Errors pass through unchanged. */
  counted(api: Api): Api {
    return {
      call: (request) => (request.method === 'GET' ? api.call(request) : this.#write(api, request)),
      stream: (request) => this.#read(api, request),
      close: () => api.close(),
    }
  }

  /** Changes received from watches. */
  get updates(): number {
    return this.#updates
  }

  /** Sorted by resource. */
  get writes(): readonly WriteCount[] {
    const byResource = [...this.#writes].sort(([one], [other]) => (one < other ? -1 : 1))
    return byResource.flatMap(([resource, counts]) =>
      results.map((result) => ({ resource, result, count: counts[result] })),
    )
  }

  async #write(api: Api, request: ApiRequest): Promise<unknown> {
    const counts = this.#countsOf(resourceOf(request.path))
    try {
      const reply = await api.call(request)
      counts.ok++
      return reply
    } catch (error) {
      const isConflict = error instanceof ApiError && error.code === 409
      counts[isConflict ? 'conflict' : 'error']++
      throw error
    }
  }

  async *#read(api: Api, request: ApiRequest): AsyncGenerator<string> {
    for await (const line of api.stream(request)) {
      if (!line.startsWith('{"type":"BOOKMARK"')) this.#updates++
      yield line
    }
  }

  #countsOf(resource: string): Record<WriteResult, number> {
    const known = this.#writes.get(resource) ?? { ok: 0, conflict: 0, error: 0 }
    this.#writes.set(resource, known)
    return known
  }
}

/** The plural and the subresource, if any; never a name, because there are too many. */
function resourceOf(path: string): string {
  const [, root, ...parts] = path.split('/')
  const at = root === 'apis' ? 2 : 1
  const isPlaced = parts[at] === 'namespaces' && parts.length > at + 2
  const [plural = '', , part] = parts.slice(isPlaced ? at + 2 : at)
  return part === undefined ? plural : `${plural}/${part}`
}
