// How are pages served to the kubelet and Prometheus? On a port of their own: over plain HTTP to
// everyone, or over TLS to those that a guard lets in.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import { createServer, secureServer } from '../api/builtins.ts'
import { faultFrom } from '../api/fault.ts'
import type { Readers } from './metricsReaders.ts'

export type Page = { readonly status: number; readonly type: string; readonly body: string }
export type Pages = {
  readonly port: number
  /** Also ends requests in progress. */
  readonly close: () => Promise<void>
}
export type Guard = {
  /** Asked for again while the pages are served: a renewed one is used from then on. */
  readonly certificate: () => Promise<SecureContextOptions>
  readonly readers: Readers
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  /** Called once the pages are no longer served; not where they never were. */
  readonly close: () => void
}
type Options = {
  /** All addresses if absent. */
  readonly host?: string
  readonly guard?: Guard | undefined
}

const times = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
}
const handshakeTimeout = 5_000
const mostConnections = 128
/** So many may wait on one connection, sent one behind the other. */
const mostRequests = 32
/** The kubelet renews a mounted Secret within a minute or two. */
const renewMs = 10_000

/** Throws a Fault if the port is in use or there is no certificate. */
export async function servePages(
  wantedPort: number,
  pages: Readonly<Record<string, () => Page>>,
  { host, guard }: Options = {},
): Promise<Pages> {
  const server = await newServer(guard, async (request, response) => {
    const { status, type, body } = await answer(request, pages, guard)
    response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) })
    response.end(request.method === 'HEAD' ? undefined : body)
  })
  server.maxRequestsPerSocket = mostRequests
  const open = letNobodyKeepOthersOut(server)
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
        for (const socket of open) socket.destroy()
      }),
  }
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>

async function newServer(guard: Guard | undefined, handle: Handle): Promise<Server> {
  if (guard === undefined) return createServer(times, handle)
  const first = await certificateOf(guard)
  const server = secureServer({ ...times, handshakeTimeout, ...first }, handle)
  // A port that is taken is tried again, with a new server each time.
  server.once('listening', () => renewed(server, guard, first))
  return server
}

async function certificateOf({ certificate }: Guard): Promise<SecureContextOptions> {
  try {
    return await certificate()
  } catch (error) {
    throw faultFrom(error, 'certificate for the metrics')
  }
}

/** One that cannot be used leaves the last one in use, and is said once. */
function renewed(server: SecureServer, guard: Guard, first: SecureContextOptions): void {
  let [inUse, told] = [first, '']
  const look = async (): Promise<void> => {
    try {
      const now = await guard.certificate()
      if (now.cert === inUse.cert && now.key === inUse.key) return
      server.setSecureContext(now)
      inUse = now
      told = ''
    } catch (error) {
      const message = `the last certificate stays in use: ${String(error)}`
      if (message !== told) guard.log({ level: 'warn', object: 'metrics', message })
      told = message
    }
  }
  const timer = setInterval(look, renewMs).unref()
  server.on('close', () => {
    clearInterval(timer)
    guard.close()
  })
}

/**
 * A page is answered at once: the connection that is open longest asks nothing, or does not end its
 * request. It is one of the address that has the most.
 */
function letNobodyKeepOthersOut(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>()
  const bySource = new Map<string, Set<Socket>>()
  server.on('connection', (socket: Socket) => {
    if (open.size >= mostConnections) eldestOf(bySource)?.destroy()
    const { remoteAddress = '' } = socket
    const beside = bySource.get(remoteAddress) ?? new Set()
    open.add(socket)
    bySource.set(remoteAddress, beside.add(socket))
    socket.on('close', () => {
      open.delete(socket)
      beside.delete(socket)
      if (beside.size === 0 && bySource.get(remoteAddress) === beside)
        bySource.delete(remoteAddress)
    })
  })
  return open
}

function eldestOf(bySource: ReadonlyMap<string, ReadonlySet<Socket>>): Socket | undefined {
  let most: ReadonlySet<Socket> = new Set()
  for (const some of bySource.values()) if (some.size > most.size) most = some
  const [eldest] = most
  return eldest
}

async function answer(
  { method = '', url = '', headers, socket }: IncomingMessage,
  pages: Readonly<Record<string, () => Page>>,
  guard: Guard | undefined,
): Promise<Page> {
  const path = url.split('?', 1).join()
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined
  if (page === undefined) return { status: 404, type: 'text/plain', body: 'not found\n' }
  if (method !== 'GET' && method !== 'HEAD') {
    return { status: 405, type: 'text/plain', body: 'only GET\n' }
  }
  const { authorization = '' } = headers
  const from = socket.remoteAddress ?? ''
  return (await guard?.readers({ method, path, authorization, from })) ?? page()
}
