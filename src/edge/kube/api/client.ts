// How is the Kubernetes API called? With calls and streams; every failure is a Fault.
import { isOk, parse, readBody, refusalIn, requireJson } from './answer.ts'
import type { Connection } from './connection.ts'
import { Deadline } from './deadline.ts'
import { exchange } from './exchange.ts'
import { Fault, faultFrom, Silence } from './fault.ts'
import { newGate } from './gate.ts'
import { AnswerFault } from './http/answerFault.ts'
import { HttpConnections } from './http/httpConnections.ts'
import type { Incoming } from './http/incoming.ts'
import { commonHeaders } from './http/requestText.ts'
import { linesOf } from './lines.ts'
import { warningsIn } from './warnings.ts'

export type ApiRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly contentType?: string
  readonly accept?: string
  /** For calls: the raw bytes of the body, for callers that parse them; or nothing. */
  readonly answer?: 'bytes' | 'none'
  readonly signal?: AbortSignal
  /** For a call, the time until the whole answer; for a stream, the longest silence. */
  readonly timeoutMs?: number
}

export type Api = {
  /** The parsed body of the answer. */
  readonly call: (request: ApiRequest) => Promise<unknown>
  /** Line by line, until the server ends the answer. */
  readonly stream: (request: ApiRequest) => AsyncGenerator<string>
  /** Everything in flight fails. */
  readonly close: () => void
}

export type ApiOptions = {
  readonly userAgent?: string
  /** Warnings from the server, such as that a version is deprecated. */
  readonly onWarning?: (text: string) => void
  /** Calls at the same time; the rest wait. */
  readonly mostCalls?: number
}

/** 32 writes, a list and a lease; streams have connections of their own. */
const usualCalls = 34
const answerMs = 30_000
const silenceMs = 120_000

type Way = { readonly connections: HttpConnections; readonly headers: string }

export function newApi(connection: Connection, options: ApiOptions = {}): Api {
  const { userAgent = 'berth', onWarning = () => undefined, mostCalls = usualCalls } = options
  const own = { 'User-Agent': userAgent }
  const calls: Way = {
    connections: new HttpConnections(connection, 'keep-alive'),
    headers: commonHeaders(connection, own),
  }
  const streams: Way = {
    connections: new HttpConnections(connection, 'one-each'),
    headers: commonHeaders(connection, { ...own, Connection: 'close' }),
  }
  const gate = newGate(mostCalls)

  async function answer(way: Way, request: ApiRequest, deadline: Deadline): Promise<Incoming> {
    const incoming = await exchange({ connection, ...way, request, deadline })
    for (const warning of warningsIn(incoming.head)) onWarning(warning)
    return incoming
  }

  return {
    async call(request) {
      const what = `${request.method} ${request.path}`
      const deadline = new Deadline(what, request.timeoutMs ?? answerMs, request.signal)
      try {
        await gate.enter(deadline)
        try {
          const body = await whole(await answer(calls, request, deadline), what)
          if (request.answer === undefined) return parse(body.toString('utf8'), what)
          return request.answer === 'bytes' ? body : undefined
        } finally {
          gate.leave()
        }
      } catch (error) {
        throw faultOf(error, what, deadline)
      } finally {
        deadline.clear()
      }
    },

    async *stream(request) {
      const what = `${request.method} ${request.path}`
      const deadline = new Deadline(what, answerMs, request.signal)
      let incoming: Incoming | undefined
      try {
        incoming = await answer(streams, request, deadline)
        if (!isOk(incoming.head)) throw await refusalIn(incoming, what)
        requireJson(incoming.head, what)
        deadline.lift()
        yield* linesOf(unlessSilent(incoming, request.timeoutMs ?? silenceMs))
      } catch (error) {
        throw faultOf(error, what, deadline)
      } finally {
        incoming?.drop()
        deadline.clear()
      }
    },

    close() {
      calls.connections.close()
      streams.connections.close()
    },
  }
}

/** An answer that is not read to its end would keep its connection busy. */
async function whole(incoming: Incoming, what: string): Promise<Buffer> {
  try {
    return await readBody(incoming, what)
  } catch (error) {
    incoming.drop()
    throw error
  }
}

/** The reason for the abort says more than how the connection then failed. */
function faultOf(error: unknown, what: string, { fault }: Deadline): Fault {
  if (fault !== undefined) return fault
  if (!(error instanceof AnswerFault)) return faultFrom(error, what)
  return new Fault(`${what}: ${error.message}`, { cause: error })
}

/** Only waiting counts: a slow reader does not make the server silent. */
async function* unlessSilent(incoming: Incoming, ms: number): AsyncGenerator<Uint8Array> {
  const silent = (): void => {
    incoming.drop(new Silence(`no data from the server for ${ms} ms`))
  }
  let timer = setTimeout(silent, ms)
  try {
    for await (const piece of incoming.pieces()) {
      clearTimeout(timer)
      yield piece
      timer = setTimeout(silent, ms)
    }
  } finally {
    clearTimeout(timer)
  }
}
