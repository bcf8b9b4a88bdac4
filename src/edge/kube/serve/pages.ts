// How are pages served to the kubelet and Prometheus? Over plain HTTP on a port of their own.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createServer } from '../api/builtins.ts'
import { faultFrom } from '../api/fault.ts'

export type Page = { readonly status: number; readonly type: string; readonly body: string }
export type Pages = {
  readonly port: number
  /** Also ends requests in progress. */
  readonly close: () => Promise<void>
}

const times = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
}
const mostConnections = 128

/** On all addresses unless one is given; throws a Fault if the port is in use. */
export async function servePages(
  wantedPort: number,
  pages: Readonly<Record<string, () => Page>>,
  host?: string,
): Promise<Pages> {
  const server = createServer(times, ({ method = '', url = '' }, response) => {
    const { status, type, body } = answer(method, pages[url.split('?', 1).join()])
    response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) })
    response.end(method === 'HEAD' ? undefined : body)
  })
  letNobodyKeepOthersOut(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(faultFrom(error, `port ${wantedPort}`)))
    server.listen({ port: wantedPort, host }, resolve)
  })
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : wantedPort,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A page is answered at once: whoever is open longest asks nothing, or never ends to ask. */
function letNobodyKeepOthersOut(server: Server): void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    const [eldest] = open.size < mostConnections ? [] : open
    eldest?.destroy()
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
}

function answer(method: string, page: (() => Page) | undefined): Page {
  if (page === undefined) return { status: 404, type: 'text/plain', body: 'not found\n' }
  if (method === 'GET' || method === 'HEAD') return page()
  return { status: 405, type: 'text/plain', body: 'only GET\n' }
}
