// How is the Kubernetes API asked? By calls and by streams; all that goes wrong is a Fault.
import type { IncomingMessage } from 'node:http'
import { bytesOf, parse, readBody, refuseUnlessOk, requireJson } from './answer.ts'
import { ApiAgent } from './apiAgent.ts'
import type { Connection } from './connection.ts'
import { newDeadline } from './deadline.ts'
import { exchange } from './exchange.ts'
import { type Fault, faultFrom, Silence } from './fault.ts'
import { newGate } from './gate.ts'
import { linesOf } from './lines.ts'
import { warningsIn } from './warnings.ts'

export type ApiRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly contentType?: string
  readonly accept?: string
  /** Of a call: the text of the body, for whoever parses it himself. */
  readonly answer?: 'text'
  readonly signal?: AbortSignal
  /** Of a call: until the whole answer is there. Of a stream: the longest silence. */
  readonly timeoutMs?: number
}

export type Api = {
  /** The body of the answer, parsed. */
  readonly call: (request: ApiRequest) => Promise<unknown>
  /** One line after another, until the server ends the answer. */
  readonly stream: (request: ApiRequest) => AsyncGenerator<string>
  /** Whatever is under way fails. */
  readonly close: () => void
}

export type ApiOptions = {
  readonly userAgent?: string
  /** What the server wants the user to know, such as that a version is deprecated. */
  readonly onWarning?: (text: string) => void
}

/** 32 writes, a list and a lease; streams have connections of their own. */
const maxCalls = 34
const answerMs = 30_000
const silenceMs = 120_000

export function newApi(connection: Connection, options: ApiOptions = {}): Api {
  const { userAgent = 'berth', onWarning = () => undefined } = options
  const calls = new ApiAgent(connection, 'keep-alive')
  const streams = new ApiAgent(connection, 'one-each')
  const gate = newGate(maxCalls)

  async function answer(agent: ApiAgent, request: ApiRequest, signal: AbortSignal) {
    const response = await exchange({ connection, agent, request, userAgent, signal })
    for (const warning of warningsIn(response)) onWarning(warning)
    return response
  }

  return {
    async call(request) {
      const what = `${request.method} ${request.path}`
      const deadline = newDeadline(what, request.timeoutMs ?? answerMs, request.signal)
      const { signal } = deadline
      try {
        const leave = await gate.enter(signal)
        try {
          const response = await answer(calls, request, signal)
          const body = await closing(response, readBody(response, what))
          return request.answer === 'text' ? body : parse(body, what)
        } finally {
          leave()
        }
      } catch (error) {
        throw faultOf(error, what, signal)
      } finally {
        deadline.clear()
      }
    },

    async *stream(request) {
      const what = `${request.method} ${request.path}`
      const deadline = newDeadline(what, answerMs, request.signal)
      const { signal, lift } = deadline
      try {
        const response = await answer(streams, request, signal)
        await closing(response, refuseUnlessOk(response, what))
        requireJson(response, what)
        lift()
        yield* linesOf(unlessSilent(response, request.timeoutMs ?? silenceMs))
      } catch (error) {
        throw faultOf(error, what, signal)
      } finally {
        deadline.clear()
      }
    },

    close() {
      calls.destroy()
      streams.destroy()
    },
  }
}

/** An answer that is not read to its end would keep its connection. */
async function closing<T>(response: IncomingMessage, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    response.destroy()
    throw error
  }
}

/** Why we gave up says more than how the connection then broke. */
function faultOf(error: unknown, what: string, { aborted, reason }: AbortSignal): Fault {
  return faultFrom(aborted ? reason : error, what)
}

/** Only waiting counts: a reader who takes his time does not make the server silent. */
async function* unlessSilent(response: IncomingMessage, ms: number): AsyncGenerator<Uint8Array> {
  const silent = (): void => {
    response.destroy(new Silence(`not a word from the server for ${ms} ms`))
  }
  let timer = setTimeout(silent, ms)
  try {
    for await (const chunk of bytesOf(response)) {
      clearTimeout(timer)
      yield chunk
      timer = setTimeout(silent, ms)
    }
  } finally {
    clearTimeout(timer)
    response.destroy()
  }
}
