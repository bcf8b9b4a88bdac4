// What did a client send? The whole body, up to a limit.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { done, type Outcome, refused } from '../values/status.ts'

export type Incoming = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The client waits for 100 Continue before it sends its body. */
  readonly waitsForContinue: boolean
}

export async function readBody(
  { request, response, waitsForContinue }: Incoming,
  maxBytes: number,
): Promise<Outcome<Uint8Array>> {
  const tooLarge = refused({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${maxBytes}`,
  })
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge
  if (waitsForContinue) response.writeContinue()
  const chunks: Uint8Array[] = []
  let lengthBytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    lengthBytes += chunk.length
    if (lengthBytes > maxBytes) return tooLarge
    chunks.push(chunk)
  }
  return done(Buffer.concat(chunks))
}
