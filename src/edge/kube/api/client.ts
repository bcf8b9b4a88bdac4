// How is the Kubernetes API called? With calls and streams; every failure is a Fault.
import { parse, requireJson } from './answer.ts'
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
  /**
   * For calls: the bytes of the body as they come, an AsyncIterable to be read at once, for callers
   * that parse them; or nothing.
   */
  readonly answer?: 'pieces' | 'none'
  readonly signal?: AbortSignal
  /**
   * For a call, the time until the whole answer, or until somebody reads its pieces; from then on,
   * and for a stream, the longest silence.
   */
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
/** Far more than one object has; lists are read piece by piece. */
const maxBodyBytes = 64 * 1024 * 1024

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
      const { timeoutMs = answerMs } = request
      const deadline = new Deadline(what, timeoutMs, request.signal)
      let isBeingRead = false
      try {
        await gate.enter(deadline)
        try {
          const incoming = await begun(await answer(calls, request, deadline), what)
          isBeingRead = request.answer === 'pieces'
          if (isBeingRead) return piecesOf(incoming, { what, deadline, silenceMs: timeoutMs })
          const body = await incoming.bytes(maxBodyBytes)
          return request.answer === 'none' ? undefined : parse(body.toString('utf8'), what)
        } finally {
          gate.leave()
        }
      } catch (error) {
        throw faultOf(error, what, deadline)
      } finally {
        if (!isBeingRead) deadline.clear()
      }
    },

    async *stream(request) {
      const what = `${request.method} ${request.path}`
      const deadline = new Deadline(what, answerMs, request.signal)
      let incoming: Incoming | undefined
      try {
        incoming = await begun(await answer(streams, request, deadline), what)
        deadline.lift()
        const ms = request.timeoutMs ?? silenceMs
        yield* linesOf(unlessSilent(incoming, ms, (text) => new Silence(text)))
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
async function begun(incoming: Incoming, what: string): Promise<Incoming> {
  try {
    await requireJson(incoming, what)
    return incoming
  } catch (error) {
    incoming.drop()
    throw error
  }
}

type Reading = { readonly what: string; readonly deadline: Deadline; readonly silenceMs: number }

/**
 * The time limit counts until reading begins, so that an answer that nobody reads is dropped; then
 * only waiting for the server counts, as what the reader does with each piece may take long.
 */
async function* piecesOf(
  incoming: Incoming,
  { what, deadline, silenceMs }: Reading,
): AsyncGenerator<Buffer> {
  try {
    deadline.lift()
    yield* unlessSilent(incoming, silenceMs, (text) => new Fault(`${what}: ${text}`))
  } catch (error) {
    throw faultOf(error, what, deadline)
  } finally {
    deadline.clear()
  }
}

/** The reason for the abort says more than how the connection then failed. */
function faultOf(error: unknown, what: string, { fault }: Deadline): Fault {
  if (fault !== undefined) return fault
  if (!(error instanceof AnswerFault)) return faultFrom(error, what)
  return new Fault(`${what}: ${error.message}`, { cause: error })
}

/** Only waiting counts: a slow reader does not make the server silent. */
async function* unlessSilent(
  incoming: Incoming,
  ms: number,
  fault: (text: string) => Fault,
): AsyncGenerator<Buffer> {
  const silent = (): void => {
    incoming.drop(fault(`no data from the server for ${ms} ms`))
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
