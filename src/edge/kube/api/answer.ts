// What did the API server answer? JSON within limits, or a Fault, whatever the bytes are.
import { Fields } from '../decode/fields.ts'
import { ApiError, Fault } from './fault.ts'
import type { Head } from './http/head.ts'
import type { Incoming } from './http/incoming.ts'

const maxErrorBytes = 1024 * 1024

/** That a success with JSON comes, by its head; or throws the error that the server reports. */
export async function requireJson(answer: Incoming, request: string): Promise<void> {
  if (!isOk(answer.head)) throw await refusalIn(answer, request)
  requireType(answer.head, request)
}

/** What a call answers to a request for them. */
export const arePieces = (answer: unknown): answer is AsyncIterable<Buffer> | Iterable<Buffer> =>
  typeof answer === 'object' &&
  answer !== null &&
  (Symbol.asyncIterator in answer || Symbol.iterator in answer)

const isOk = ({ code }: Head): boolean => code >= 200 && code < 300

async function refusalIn(answer: Incoming, request: string): Promise<ApiError> {
  const { code, values } = answer.head
  const [retryAfter] = values('retry-after')
  const text = (await answer.bytes(maxErrorBytes)).toString('utf8')
  return errorFrom(code, { request, text, retryAfter })
}

function requireType({ values }: Head, request: string): void {
  const [type = 'nothing'] = values('content-type')
  const [encoding] = values('content-encoding')
  if (!/^application\/json\b/i.test(type)) {
    throw new Fault(`${request}: the answer is ${type.slice(0, 100)}, not application/json`)
  }
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Fault(`${request}: the answer is encoded (${encoding.slice(0, 100)})`)
  }
}

export function parse(text: string, request: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Fault(`${request}: the answer is not JSON`, { cause: error })
  }
}

/** For a Status inside a stream, rather than as the whole answer. */
export function errorOfStatus(status: unknown, request: string): ApiError {
  const fields = new Fields(status, [])
  const code = fields.number('code') ?? 500
  return new ApiError({
    request,
    code,
    reason: fields.text('reason'),
    message: fields.text('message') || 'no message',
    status,
    retryAfterMs: retryAfterMs(undefined, fields),
  })
}

type Refused = {
  readonly request: string
  readonly text: string
  readonly retryAfter: string | undefined
}

/** Proxies answer with pages of their own: the message shows their beginning. */
function errorFrom(code: number, { request, text, retryAfter }: Refused): ApiError {
  const status = jsonIn(text)
  const fields = new Fields(status, [])
  const isStatus = fields.text('kind') === 'Status'
  const beginning = text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  return new ApiError({
    request,
    code,
    reason: isStatus ? fields.text('reason') : '',
    message: (isStatus ? fields.text('message') : beginning) || 'no message',
    status,
    retryAfterMs: retryAfterMs(retryAfter, fields),
  })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Seconds from the header, otherwise from the Status. No API server sends a date. */
function retryAfterMs(header: string | undefined, status: Fields): number | undefined {
  const inHeader = header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined
  const seconds = inHeader ?? status.inner('details').number('retryAfterSeconds')
  return seconds !== undefined && seconds > 0 ? seconds * 1000 : undefined
}
