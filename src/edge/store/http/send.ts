// How does an answer reach its client? In pieces that it can take, so that a slow one costs little.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { constants, createGzip } from 'node:zlib'
import { bytesBody, wholeOf } from './body.ts'
import { prettyJson } from './prettyJson.ts'
import { json, type Reply } from './reply.ts'

/** Below this it costs more than it saves, says Kubernetes. */
const gzipAtLeast = 128 * 1024
const pieceBytes = 64 * 1024
/** More is not for people any longer, and would have to be held whole. */
const prettyAtMost = 4 * 1024 * 1024
/** Enough for a client that is still sending to see that it was refused. */
const lingerMs = 1_000

type Conversation = { readonly request: IncomingMessage; readonly response: ServerResponse }

/** A long answer is cut off when its client has not taken it in by then. */
export async function sendReply(
  { request, response }: Conversation,
  reply: Reply,
  answerMs: number,
): Promise<void> {
  if (response.headersSent || response.destroyed) return
  const isForPeople = reply.type === json && reply.body.lengthBytes <= prettyAtMost
  const isPretty = isForPeople && prefersPretty(request)
  const body = isPretty ? bytesBody(prettyJson(wholeOf(reply.body))) : reply.body
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
  if (body.lengthBytes <= pieceBytes) {
    response.end(wholeOf(body))
    return
  }
  const pieces = Readable.from(body.pieces(), { objectMode: false })
  const late = setTimeout(() => response.destroy(), answerMs)
  try {
    if (!isZipped) await pipeline(pieces, response)
    else await pipeline(pieces, createGzip({ level: constants.Z_BEST_SPEED }), response)
  } finally {
    clearTimeout(late)
  }
}

/** What follows comes when it comes, and has no end that is known. */
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
 * Whoever is refused before it has said everything would otherwise find its connection reset, and
 * the answer with it. What it still says is thrown away.
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

/** Of a little that was not read node takes care itself; who waits to be told to send may not. */
function leavesMuch({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  const { expect, 'content-length': length, 'transfer-encoding': coding } = headers
  return expect !== undefined || coding !== undefined || Number(length ?? 0) > pieceBytes
}

/** As Kubernetes does: when asked, and for people with a browser or curl. */
function prefersPretty({ url = '', headers }: IncomingMessage): boolean {
  const [, pretty] = /[?&]pretty(?:=([^&]*))?(?:&|$)/.exec(url) ?? []
  if (pretty !== undefined) return pretty !== '0' && pretty.toLowerCase() !== 'false'
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '')
}

const acceptsGzip = ({ headers }: IncomingMessage): boolean =>
  String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((coding) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/.test(coding))

/** As Kubernetes bounds them: clients give up on an answer whose head is too long. */
const [mostWarningsLength, mostWarningLength] = [4096, 256]

function fitting(warnings: readonly string[]): readonly string[] {
  const total = warnings.reduce((sum, { length }) => sum + length, 0)
  if (total <= mostWarningsLength) return warnings
  const most = Math.floor(mostWarningsLength / mostWarningLength)
  return warnings.slice(0, most).map((text) => text.slice(0, mostWarningLength))
}

/** RFC 9111 of old: code 299, no agent. The text is UTF-8 on the wire, which node calls latin1. */
function warningText(text: string): string {
  const bare = text.replace(/\p{Cc}/gu, ' ').replace(/[\\"]/g, '\\$&')
  return `299 - "${Buffer.from(bare, 'utf8').toString('latin1')}"`
}
