// How does one request go out, and what comes back first? HTTP/1.1 on one connection.
import type { IncomingMessage } from 'node:http'
import type { ApiAgent } from './apiAgent.ts'
import { request as send } from './builtins.ts'
import type { ApiRequest } from './client.ts'
import type { Connection } from './connection.ts'
import type { Credential } from './credentials.ts'

export type Exchange = {
  readonly connection: Connection
  readonly agent: ApiAgent
  readonly request: ApiRequest
  readonly userAgent: string
  readonly signal: AbortSignal
}

/** The head of the answer, whatever it says. A 401 is asked about again where that may help. */
export async function exchange(parts: Exchange): Promise<IncomingMessage> {
  const { credentials } = parts.connection
  const credential = await credentials.current()
  const response = await sent(parts, credential)
  if (response.statusCode !== 401) return response
  try {
    const renewed = await credentials.renewed(credential)
    if (renewed === undefined) return response
    response.destroy()
    parts.agent.dropIdle()
    return await sent(parts, renewed)
  } catch (error) {
    response.destroy()
    throw error
  }
}

function sent(parts: Exchange, credential: Credential): Promise<IncomingMessage> {
  const { agent, request, signal } = parts
  const { method, body } = request
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const outgoing = send({
      agent,
      method,
      path: target(parts),
      headers: headersOf(parts, credential, bytes),
    })
    // Node's own way for a signal costs a fifth of a request.
    const giveUp = (): void => void outgoing.destroy(signal.reason)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    outgoing.once('close', () => signal.removeEventListener('abort', giveUp))
    // Stays for good: a connection may fail after the answer, and nobody else listens then.
    outgoing.on('error', (error) => {
      const mayRepeat = method === 'GET' && outgoing.reusedSocket && !isAnswered
      if (!mayRepeat || signal.aborted) return reject(error)
      // The server closed the connection while it was idle: reading once more does no harm.
      agent.dropIdle()
      sent(parts, credential).then(resolve, reject)
    })
    outgoing.on('response', (response) => {
      isAnswered = true
      response.on('error', () => undefined)
      resolve(response)
    })
    outgoing.end(bytes)
  })
}

function target({ connection, request }: Exchange): string {
  const query = new URLSearchParams(request.query).toString()
  const below = connection.server.pathname.replace(/\/$/, '')
  return `${below}${request.path}${query === '' ? '' : `?${query}`}`
}

function headersOf(parts: Exchange, credential: Credential, bytes: Buffer | undefined) {
  const { connection, request, userAgent } = parts
  const { accept = 'application/json', contentType = 'application/json' } = request
  const { authorization } = credential
  const content = { 'Content-Type': contentType, 'Content-Length': bytes?.length ?? 0 }
  return {
    Host: connection.server.host,
    'User-Agent': userAgent,
    Accept: accept,
    ...connection.headers,
    ...(authorization === undefined ? {} : { Authorization: authorization }),
    ...(bytes === undefined ? {} : content),
  }
}
