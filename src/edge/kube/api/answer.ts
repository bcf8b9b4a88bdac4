// What did the API server answer? Whatever the bytes are: JSON within bounds, or a Fault.
import type { IncomingMessage } from 'node:http'
import { Fields } from '../decode/fields.ts'
import { ApiError, Fault } from './fault.ts'

/** A page of 500 objects takes one or two megabytes. */
const maxBodyBytes = 64 * 1024 * 1024
const maxErrorBytes = 1024 * 1024

/** The body of a success, which is JSON, or the error that the server reports. */
export async function readBody(response: IncomingMessage, request: string): Promise<string> {
  await refuseUnlessOk(response, request)
  requireJson(response, request)
  return readText(response, maxBodyBytes)
}

export async function refuseUnlessOk(response: IncomingMessage, request: string): Promise<void> {
  const { statusCode: code = 0 } = response
  if (code >= 200 && code < 300) return
  throw errorFrom(code, {
    request,
    text: await readText(response, maxErrorBytes),
    retryAfter: response.headers['retry-after'],
  })
}

export function requireJson({ headers }: IncomingMessage, request: string): void {
  const { 'content-type': type = 'nothing', 'content-encoding': encoding } = headers
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
    throw new Fault(`${request}: the answer is no JSON`, { cause: error })
  }
}

/** For a Status that came in a stream, not as an answer of its own. */
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

/** Proxies answer with pages of their own: these are shown by their beginning. */
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

/** Seconds in the header, else in the Status. A date is not used by any API server. */
function retryAfterMs(header: string | undefined, status: Fields): number | undefined {
  const inHeader = header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined
  const seconds = inHeader ?? status.inner('details').number('retryAfterSeconds')
  return seconds !== undefined && seconds > 0 ? seconds * 1000 : undefined
}

/** By events: an iterator for each answer costs more than the answer. */
function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    const cut = (): void => reject(new Fault('the answer was cut off'))
    response.on('data', (chunk: Uint8Array) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > maxBytes) reject(new Fault(`the answer is longer than ${maxBytes} bytes`))
    })
    response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    response.on('error', reject)
    response.on('close', cut)
  })
}

/** No encoding is set, so that it is bytes that come. */
export const bytesOf = (response: IncomingMessage): AsyncIterable<Uint8Array> => response
