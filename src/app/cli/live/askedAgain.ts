// What if the API server is too busy to answer (429), or is still starting? Then it says when to
// ask again, and that is done as often as kubectl does it.
import { setTimeout } from 'node:timers/promises'
import type { Api, ApiRequest } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import type { Io } from '../io.ts'

const mostTries = 10
/** A server, or a proxy in front of it, may ask for an hour. */
const longestPauseMs = 30_000
/** A shorter wait needs no message. */
const silentMs = 2_500

export function askedAgain(api: Api, { err, signal }: Pick<Io, 'err' | 'signal'>): Api {
  return {
    ...api,
    async call(request) {
      let [pausedMs, isSaid] = [0, false]
      for (let tries = 1; ; tries++) {
        try {
          return await api.call(request)
        } catch (error) {
          const pauseMs = pauseAfter(error, request.method)
          if (pauseMs === undefined || tries > mostTries) throw error
          pausedMs += pauseMs
          if (pausedMs > silentMs && !isSaid) {
            isSaid = true
            err(`berth: waiting for the API server: ${messageOf(error)}\n`)
          }
          await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined)
          // After an interrupt nothing more is written.
          if (signal.aborted) throw error
        }
      }
    },
  }
}

/** A write is sent again only if the server did not accept it; otherwise it could be done twice. */
function pauseAfter(error: unknown, method: ApiRequest['method']): number | undefined {
  if (!(error instanceof ApiError) || error.retryAfterMs === undefined) return undefined
  const isRefused = [429, 503].includes(error.code)
  const isHarmless = method === 'GET' && error.code >= 500
  return isRefused || isHarmless ? Math.min(error.retryAfterMs, longestPauseMs) : undefined
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')
