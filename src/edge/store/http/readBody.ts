// What did a client send? The whole body, up to a limit; and of all that are under way together, no
// more than memory has room for.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WaitingBodies } from '../../host/waitingBodies.ts'
import { done, type Outcome, refused } from '../values/status.ts'

export type Incoming = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The client waits for 100 Continue before it sends its body. */
  readonly waitsForContinue: boolean
}

export type BodyLimits = {
  readonly maxBytes: number
  /** Of all requests that are not answered yet. */
  readonly waiting: WaitingBodies
}

export async function readBody(
  { request, response, waitsForContinue }: Incoming,
  user: string,
  { maxBytes, waiting }: BodyLimits,
): Promise<Outcome<Uint8Array>> {
  const tooLarge = refused({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${maxBytes}`,
  })
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge
  const body = waiting.begin(user, () => request.destroy())
  if (body === undefined) return tooMany
  response.on('close', () => waiting.done(body))
  if (waitsForContinue) response.writeContinue()
  const chunks: Uint8Array[] = []
  let lengthBytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    lengthBytes += chunk.length
    if (lengthBytes > maxBytes) return tooLarge
    waiting.add(body, chunk.length)
    chunks.push(chunk)
  }
  body.isUnfinished = false
  return done(Buffer.concat(chunks))
}

const tooMany = refused(
  { code: 429, reason: 'TooManyRequests', message: 'too many requests, please try again later' },
  { retryAfterSeconds: 1 },
)
