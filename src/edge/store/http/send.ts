// How is an answer sent? In pieces, as the client reads them, so that a slow one costs little
// memory.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { constants, createGzip } from 'node:zlib'
import type { AnswersUnderWay } from './answersUnderWay.ts'
import { type Body, bytesBody, wholeOf } from './body.ts'
import { prettyJson } from './prettyJson.ts'
import { json, type Reply } from './reply.ts'

/** Smaller bodies are not compressed, as in Kubernetes. */
const gzipAtLeast = 128 * 1024
const pieceBytes = 64 * 1024
/** Longer bodies, indented or not, stay as they are: what is indented is held as a whole. */
const prettyAtMost = pieceBytes
/** Time for a client that is still sending to see that it was refused. */
const lingerMs = 1_000

type Sending = {
  /** The connection is cut if the client has not read the answer by then. */
  readonly answerMs: number
  readonly underWay: AnswersUnderWay
}

type Conversation = { readonly request: IncomingMessage; readonly response: ServerResponse }

export async function sendReply(
  { request, response }: Conversation,
  reply: Reply,
  { answerMs, underWay }: Sending,
): Promise<void> {
  if (response.headersSent || response.destroyed) return
  const isForPeople = reply.type === json && reply.body.lengthBytes <= prettyAtMost
  const body = isForPeople && prefersPretty(request) ? indented(reply.body) : reply.body
  const isLeftUnread = leavesMuch(request)
  const isZipped = !isLeftUnread && body.lengthBytes >= gzipAtLeast && acceptsGzip(request)
  response.writeHead(reply.code, {
    ...usualHeaders(reply.type, reply.warnings ?? []),
    ...reply.headers,
    ...(isZipped
      ? { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' }
      : { 'Content-Length': body.lengthBytes }),
    ...(isLeftUnread ? { Connection: 'close' } : {}),
  })
  if (isLeftUnread) return linger(request, response, wholeOf(body))
  const isNext = response.socket !== null
  if (isNext && body.lengthBytes <= pieceBytes) {
    response.end(wholeOf(body))
    return
  }
  // The response itself has no connection to close while it waits behind another one.
  const cut = (): unknown => request.socket.destroy()
  const progress = underWay.begin(body.lengthBytes, cut)
  const pieces = Readable.from(small(body.pieces(), progress.moved), { objectMode: false })
  const late = setTimeout(cut, answerMs)
  try {
    if (!isZipped) await pipeline(pieces, response)
    else await pipeline(pieces, createGzip({ level: constants.Z_BEST_SPEED }), response)
  } finally {
    clearTimeout(late)
    progress.ended()
  }
}

function indented(body: Body): Body {
  const pretty = prettyJson(wholeOf(body), prettyAtMost)
  return pretty === undefined ? body : bytesBody(pretty)
}

/** Views of the pieces, so that it shows whether the client reads. */
function* small(pieces: Iterable<Uint8Array>, moved: () => void): Generator<Uint8Array> {
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; from += pieceBytes) {
      moved()
      yield piece.subarray(from, from + pieceBytes)
    }
  }
}

/** Starts a stream of unknown length. */
export function beginStream(response: ServerResponse, warnings: readonly string[]): void {
  response.setTimeout(0)
  response.writeHead(200, usualHeaders(json, warnings))
  response.flushHeaders()
}

const usualHeaders = (type: string, warnings: readonly string[]) => ({
  'Cache-Control': 'no-cache, private',
  'Content-Type': type,
  ...(warnings.length === 0 ? {} : { Warning: fitting(warnings).map(warningText) }),
})

/**
 * Discards the rest of the body of a refused request. Otherwise the connection would be reset, and
 * the client would never see the answer.
 */
async function linger(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Uint8Array,
): Promise<void> {
  response.write(bytes)
  request.resume()
  const over = new AbortController()
  request.once('close', () => over.abort())
  await sleep(lingerMs, undefined, { signal: over.signal }).catch(() => undefined)
  response.end()
}

/** Node discards a small rest itself; of 100 Continue and chunks the size is not known. */
function leavesMuch({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  const { expect, 'content-length': length, 'transfer-encoding': coding } = headers
  return expect !== undefined || coding !== undefined || Number(length ?? 0) > pieceBytes
}

/** As Kubernetes: when asked, and for browsers and curl. */
function prefersPretty({ url = '', headers }: IncomingMessage): boolean {
  const [, pretty] = /[?&]pretty(?:=([^&]*))?(?:&|$)/.exec(url) ?? []
  if (pretty !== undefined) return pretty !== '0' && pretty.toLowerCase() !== 'false'
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '')
}

const acceptsGzip = ({ headers }: IncomingMessage): boolean =>
  String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((coding) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/.test(coding))

/** As Kubernetes bounds them: clients reject an answer whose header is too long. */
const [mostWarningsLength, mostWarningLength] = [4096, 256]

function fitting(warnings: readonly string[]): readonly string[] {
  const total = warnings.reduce((sum, { length }) => sum + length, 0)
  if (total <= mostWarningsLength) return warnings
  const most = Math.floor(mostWarningsLength / mostWarningLength)
  return warnings.slice(0, most).map((text) => text.slice(0, mostWarningLength))
}

/** Code 299 without an agent. The text is UTF-8 on the wire, passed to Node as latin1. */
function warningText(text: string): string {
  const bare = text.replace(/\p{Cc}/gu, ' ').replace(/[\\"]/g, '\\$&')
  return `299 - "${Buffer.from(bare, 'utf8').toString('latin1')}"`
}
