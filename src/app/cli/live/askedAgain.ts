// What if the API server is too busy to answer (429), or is still starting? Then it says when to
// ask again, and that is done as often as kubectl does it.
import { setTimeout } from 'node:timers/promises'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import type { Io } from '../io.ts'

const mostTries = 10
/** Until then nobody wonders what it waits for. */
const silentTries = 2

export function askedAgain(api: Api, { err, signal }: Pick<Io, 'err' | 'signal'>): Api {
  return {
    ...api,
    async call(request) {
      for (let tries = 1; ; tries++) {
        try {
          return await api.call(request)
        } catch (error) {
          const pauseMs = pauseAfter(error)
          if (pauseMs === undefined || tries > mostTries || signal.aborted) throw error
          if (tries === silentTries + 1)
            err(`berth: waiting for the API server: ${messageOf(error)}\n`)
          await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined)
        }
      }
    },
  }
}

/** The request was not taken, whatever it was, so sending it again is harmless. */
function pauseAfter(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || (error.code !== 429 && error.code < 500)) return undefined
  return error.retryAfterMs === 0 ? undefined : error.retryAfterMs
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')
