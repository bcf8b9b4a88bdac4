// What if the API server is busy, or restarts, in the middle of a step? Then the walk waits for it,
// and does not leave a node drained.
import { setTimeout } from 'node:timers/promises'
import { arePieces } from '../../../../edge/kube/api/answer.ts'
import type { Api } from '../../../../edge/kube/api/client.ts'
import { ApiError, Fault } from '../../../../edge/kube/api/fault.ts'
import type { Io } from '../../io.ts'

type Patience = { readonly io: Pick<Io, 'err' | 'signal'>; readonly withinMs: number }

const [firstPauseMs, longestPauseMs] = [250, 4_000]
const passing = new Set([429, 500, 502, 503, 504])

/** Whether the same request may succeed later. */
const mayPass = (error: unknown): boolean =>
  error instanceof ApiError ? passing.has(error.code) : error instanceof Fault

/**
 * Patient only once the server has answered: before, the address or the certificate may be wrong.
 * What is sent twice has to be harmless: the first answer may be lost after the write was made.
 * After its start an API server refuses everybody (403) for a moment: it has to read who may do
 * what.
 */
export function patientApi(api: Api, { io, withinMs }: Patience): Api {
  let wasAwayUntilMs = Number.NEGATIVE_INFINITY
  let [hasAnswered, isAwaySaid] = [false, false]
  const isPassing = (error: unknown): boolean => {
    const isFresh = performance.now() - wasAwayUntilMs < 10_000
    return mayPass(error) || (isFresh && error instanceof ApiError && error.code === 403)
  }
  return {
    ...api,
    async call(request) {
      const endMs = performance.now() + withinMs
      for (let pauseMs = firstPauseMs, tries = 1; ; tries++) {
        try {
          const reply = await api.call(request)
          // What breaks off in the middle is asked for again as a whole.
          const isBegun = request.answer === 'pieces' && arePieces(reply)
          const answer = isBegun ? await collected(reply) : reply
          ;[hasAnswered, isAwaySaid] = [true, false]
          return answer
        } catch (error) {
          const isOver = io.signal.aborted || performance.now() + pauseMs > endMs
          if (!hasAnswered || isOver || !isPassing(error)) throw error
          if (mayPass(error)) wasAwayUntilMs = performance.now()
          // Several requests may be on their way.
          if (tries >= 3 && !isAwaySaid) {
            isAwaySaid = true
            io.err(`  waiting for the API server: ${messageOf(error)}\n`)
          }
          const { retryAfterMs = pauseMs } = error instanceof ApiError ? error : {}
          await setTimeout(Math.min(retryAfterMs, longestPauseMs))
          pauseMs = Math.min(2 * pauseMs, longestPauseMs)
        }
      }
    },
  }
}

async function collected(pieces: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')
