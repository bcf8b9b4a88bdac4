// What is the least a client has to do? It sends prepared requests, many at a time, and discards
// the answers.
import { readFileSync } from 'node:fs'
import { Agent, request as send } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiRequest } from '../../src/edge/kube/api/client.ts'
import { type KubeAddress, tokenOf } from '../../test/kube/harness.ts'

export class BareClient {
  readonly #server: URL
  readonly #agent: Agent

  constructor({ server, caFile }: KubeAddress) {
    this.#server = new URL(server)
    this.#agent = new Agent({ keepAlive: true, ca: readFileSync(caFile) })
  }

  /** Resolves once done; retries on server errors, as any client would. */
  async send(request: ApiRequest): Promise<void> {
    const { method, path } = request
    for (let tries = 1; ; tries++) {
      const code = await this.#code(request)
      const isDoneBefore = tries > 1 && code === (method === 'DELETE' ? 404 : 409)
      if (code < 300 || isDoneBefore) return
      const isTrouble = code === 429 || code >= 500
      if (!isTrouble || tries === 10) throw new Error(`${method} ${path}: ${code}`)
      await sleep(200)
    }
  }

  #code({ method, path, body, contentType = 'application/json' }: ApiRequest): Promise<number> {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const headers = {
      Authorization: `Bearer ${tokenOf('admin')}`,
      ...(bytes && { 'Content-Type': contentType, 'Content-Length': bytes.length }),
    }
    const { hostname, port } = this.#server
    return new Promise((resolve, reject) => {
      const asked = send({ hostname, port, method, path, headers, agent: this.#agent })
      asked.on('error', reject)
      asked.on('response', (response) => {
        response.resume()
        response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0))
      })
      asked.end(bytes)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** A number of workers, each taking the next item. */
export async function inParallel<T>(
  atOnce: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = items.values()
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
