// A server that says exactly what a test wants, sense or none: what no real server does on demand.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { writtenCredentials } from '../../src/edge/kube/api/credentials.ts'

export type Asked = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
}
/** Counted from 0. */
export type Script = (asked: Asked, response: ServerResponse, count: number) => void

export type RawServer = { readonly url: URL; readonly asked: readonly Asked[] }

export async function rawServer(script: Script): Promise<RawServer> {
  const asked: Asked[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://test')
    const question = { method: request.method ?? '', path: pathname, query: searchParams }
    asked.push(question)
    request.resume().on('end', () => script(question, response, asked.length - 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const bound = server.address()
  if (typeof bound !== 'object' || bound === null) throw new Error('no port')
  return { url: new URL(`http://127.0.0.1:${bound.port}`), asked }
}

export const apiTo = ({ url }: RawServer): Api =>
  newApi({
    server: url,
    proxy: undefined,
    trust: { ca: undefined, isChecked: true, serverName: undefined },
    credentials: writtenCredentials({}),
    headers: {},
    namespace: 'default',
  })

export function sendJson(response: ServerResponse, json: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(json))
}

/** These bytes and nothing else; then the connection is closed. */
export function sendRaw(response: ServerResponse, bytes: string | Uint8Array): void {
  response.socket?.end(bytes)
}
