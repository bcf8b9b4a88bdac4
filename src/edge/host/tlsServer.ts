// How are questions in JSON answered over TLS? In bounds, and whatever comes, the process goes on.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { TlsConnections } from './tlsServerConnections.ts'
import { Turns } from './turns.ts'

export type Reply = { readonly status: number; readonly json: unknown }

export type TlsServerParts = {
  /** 0 for any that is free. */
  readonly port: number
  /** Absent: all of this machine. */
  readonly host?: string
  readonly maxBytes: number
  /** By path; a path that is not here is answered 404. */
  readonly routes: ReadonlyMap<string, (json: unknown, lengthBytes: number) => Reply>
  /** A question that could not be answered because of us. */
  readonly failed: (error: unknown) => void
  /** How long what is under way has at the end. */
  readonly closeMs?: number
}

export type TlsServer = {
  readonly port: number
  /** From now on; without any, nobody gets through. */
  readonly present: (pair: { readonly cert: string; readonly key: string }) => void
  /** Ends once what is under way has been answered, or has taken too long. */
  readonly close: () => Promise<void>
}

const minVersion = 'TLSv1.2'
const [handshakeMs, headersMs, requestMs, usualCloseMs] = [5_000, 5_000, 10_000, 3_000]
/** Longer than the API server keeps a connection (90 s), so that none is closed under a call. */
const idleMs = 120_000
/** An API server opens one for each question that it asks at the same time. */
const share = { most: 256, mostOfSource: 64 }
/** Of all that wait for their turn; who comes beyond it is told to come again. */
const mostWaitingBytes = 64 * 1024 * 1024
/** Node looks for connections that took too long only so often, and usually every 30 s. */
const lookMs = 1_000

export async function startTlsServer(parts: TlsServerParts): Promise<TlsServer> {
  const server = createServer({
    minVersion,
    handshakeTimeout: handshakeMs,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: lookMs,
  })
  const connections = new TlsConnections(server, share)
  const line: Line = { turns: new Turns(), waitingBytes: 0 }
  server.on('request', (request, response) => {
    answer({ ...parts, line }, request, response).catch((error: unknown) => {
      // Who left before the end of the question is not waiting for an answer.
      if (request.complete) parts.failed(error)
      send(response, refusal(500, 'the question could not be answered'))
    })
  })
  await listening(server, parts)
  server.on('error', parts.failed)
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : parts.port,
    present: ({ cert, key }) => server.setSecureContext({ cert, key, minVersion }),
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
type Line = { readonly turns: Turns; waitingBytes: number }

async function answer(
  { routes, maxBytes, line }: TlsServerParts & { readonly line: Line },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = ''] = (request.url ?? '').split('?')
  const route = routes.get(path)
  if (route === undefined) return send(response, refusal(404, `nothing is served at ${path}`))
  if (request.method !== 'POST') return send(response, refusal(405, 'only POST is served'))
  if (line.waitingBytes > mostWaitingBytes) return send(response, refusal(503, 'come again'))
  let heldBytes = 0
  const hold = (bytes: number): void => {
    heldBytes += bytes
    line.waitingBytes += bytes
  }
  try {
    const body = await bodyOf(request, maxBytes, hold)
    if (body === undefined) return send(response, refusal(413, `more than ${maxBytes} bytes`))
    await line.turns.next()
    if (response.destroyed) return
    const json = parsed(body.toString('utf8'))
    const bad = refusal(400, 'the body is not JSON')
    send(response, json === undefined ? bad : route(json, body.length))
  } finally {
    line.waitingBytes -= heldBytes
  }
}

/** Undefined when there is too much of it. */
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

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const refusal = (status: number, message: string): Reply => ({ status, json: { message } })

/** What was not read would be taken for the next question, so a refusal ends the connection. */
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
