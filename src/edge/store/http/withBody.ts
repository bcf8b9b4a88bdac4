// What did a client send? The whole body, up to a limit; and of all that are under way together, no
// more than memory has room for.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WaitingBodies } from '../../host/waitingBodies.ts'
import { done, type Outcome, refused } from '../values/status.ts'
import type { ParsingRoom } from './parsingRoom.ts'

export type Incoming = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The client waits for 100 Continue before it sends its body. */
  readonly waitsForContinue: boolean
}

export type BodyLimits = {
  readonly maxBytes: number
  /** Of all requests that are not decided yet. */
  readonly waiting: WaitingBodies
  readonly parsing: ParsingRoom
}

/** Parses the body and has the request decided; nothing of it is kept afterwards. */
type Use<T> = (bytes: Uint8Array) => Promise<Outcome<T>> | Outcome<T>

/**
 * The body counts until `use` is over, not until the answer has been sent: the client decides when
 * it reads that, and until then bodies that are whole would leave no room for those of others.
 */
export async function withBody<T>(
  incoming: Incoming,
  { user, maxBytes, waiting, parsing }: BodyLimits & { readonly user: string },
  use: Use<T>,
): Promise<Outcome<T>> {
  const { request } = incoming
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes)
  const body = waiting.begin(user, () => request.destroy())
  if (body === undefined) return tooMany
  try {
    const bytes = await readBody(incoming, maxBytes, (count) => waiting.add(body, count))
    body.isUnfinished = false
    if (!bytes.ok) return bytes
    await parsing.enter(user, bytes.value.length)
    try {
      return await use(bytes.value)
    } finally {
      parsing.leave(bytes.value.length)
    }
  } finally {
    waiting.done(body)
  }
}

async function readBody(
  { request, response, waitsForContinue }: Incoming,
  maxBytes: number,
  hold: (bytes: number) => void,
): Promise<Outcome<Uint8Array>> {
  if (waitsForContinue) response.writeContinue()
  const chunks: Uint8Array[] = []
  let lengthBytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    lengthBytes += chunk.length
    if (lengthBytes > maxBytes) return tooLarge(maxBytes)
    hold(chunk.length)
    chunks.push(chunk)
  }
  return done(Buffer.concat(chunks))
}

const tooLarge = (maxBytes: number) =>
  refused({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${maxBytes}`,
  })
const tooMany = refused(
  { code: 429, reason: 'TooManyRequests', message: 'too many requests, please try again later' },
  { retryAfterSeconds: 1 },
)
