// How are requests answered over TLS, in JSON? Within limits, and no request can end the process.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { EventLoopQueue } from './eventLoopQueue.ts'
import { Pipelines } from './pipelines.ts'
import { TlsConnections } from './tlsServerConnections.ts'
import { tlsTerms } from './tlsTerms.ts'
import { WaitingBodies } from './waitingBodies.ts'

export type Reply = { readonly status: number; readonly json: unknown }

export type Route = (body: Buffer) => Reply | Promise<Reply>

type TlsServerParts = {
  /** 0 for any free port. */
  readonly port: number
  /** All addresses if absent. */
  readonly host?: string
  readonly maxBytes: number
  /** By path; others are answered with 404. */
  readonly routes: ReadonlyMap<string, Route>
  /** Called for a request that failed through our fault. */
  readonly failed: (error: unknown) => void
  /** How long requests in progress may take at the end. */
  readonly closeMs?: number
}

export type TlsServer = {
  readonly port: number
  /** Used from now on; without a certificate no connection succeeds. */
  readonly present: (pair: { readonly cert: string; readonly key: string }) => void
  /** Resolves once requests in progress are answered or time out. */
  readonly close: () => Promise<void>
}

const [handshakeMs, headersMs, requestMs, usualCloseMs] = [5_000, 5_000, 10_000, 3_000]
/** Longer than the API server's idle timeout (90 s), so that no connection closes under a call. */
const idleMs = 120_000
/** An API server opens one for each question that it asks at the same time. */
const share = { most: 256, mostOfSource: 64 }
/** Of all that wait. */
const mostWaitingBytes = 64 * 1024 * 1024
/** Node looks for connections that took too long only so often, and usually every 30 s. */
const lookMs = 1_000

export async function startTlsServer(parts: TlsServerParts): Promise<TlsServer> {
  const server = createServer({
    ...tlsTerms,
    handshakeTimeout: handshakeMs,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: lookMs,
  })
  const connections = new TlsConnections(server, share)
  const line = { queue: new EventLoopQueue(), bodies: new WaitingBodies(mostWaitingBytes) }
  const pipelines = new Pipelines()
  server.on('request', (request, response) => {
    if (!pipelines.enter(request, response)) return
    answer({ ...parts, line }, request, response).catch((error: unknown) => {
      // A client that left before the end of its request does not wait for an answer.
      if (request.complete) parts.failed(error)
      send(response, refusal(500, 'internal error: the request could not be answered'))
    })
  })
  await listening(server, parts)
  server.on('error', parts.failed)
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : parts.port,
    present: ({ cert, key }) => server.setSecureContext({ cert, key, ...tlsTerms }),
    close: () => connections.close(parts.closeMs ?? usualCloseMs),
  }
}

function listening(server: Server, { port, host }: TlsServerParts): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Questions that are whole, or are being read. */
type Line = { readonly queue: EventLoopQueue; readonly bodies: WaitingBodies }

async function answer(
  { routes, maxBytes, line }: TlsServerParts & { readonly line: Line },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = ''] = (request.url ?? '').split('?')
  const route = routes.get(path)
  if (route === undefined) return send(response, refusal(404, `${path} not found`))
  if (request.method !== 'POST') return send(response, refusal(405, 'only POST is allowed'))
  const { remoteAddress: source = '' } = request.socket
  const waiting = line.bodies.begin(source, () => request.destroy())
  if (waiting === undefined) {
    return send(response, refusal(503, 'too many requests wait: try again later'))
  }
  try {
    const body = await bodyOf(request, maxBytes, (bytes) => line.bodies.add(waiting, bytes))
    waiting.isUnfinished = false
    if (body === undefined)
      return send(response, refusal(413, `the body is larger than ${maxBytes} bytes`))
    await line.queue.next(source)
    if (response.destroyed) return
    send(response, await route(body))
  } finally {
    line.bodies.done(waiting)
  }
}

/** Undefined if it is too large. */
async function bodyOf(
  request: IncomingMessage,
  maxBytes: number,
  hold: (bytes: number) => void,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined
  const chunks: Buffer[] = []
  let lengthBytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    lengthBytes += chunk.length
    hold(chunk.length)
    if (lengthBytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const refusal = (status: number, message: string): Reply => ({ status, json: { message } })

/** A refusal closes the connection: the unread body would be parsed as the next request. */
function send(response: ServerResponse, { status, json }: Reply): void {
  if (response.headersSent || response.destroyed) return
  const body = JSON.stringify(json)
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(status === 200 ? {} : { Connection: 'close' }),
  })
  response.end(body)
}
