// Until when may a request take? A time limit and the caller's own signal, as one signal.
import { Fault } from './fault.ts'

export type Deadline = {
  /** Its reason is a Fault. */
  readonly signal: AbortSignal
  /** No limit from here on; the caller's signal still counts. */
  readonly lift: () => void
  readonly clear: () => void
}

export function newDeadline(what: string, ms: number, caller: AbortSignal | undefined): Deadline {
  const both = new AbortController()
  const late = (): void => both.abort(new Fault(`${what}: no answer within ${ms} ms`))
  const passOn = (): void => both.abort(new Fault(`${what}: given up`, { cause: caller?.reason }))
  const timer = setTimeout(late, ms)
  if (caller?.aborted) passOn()
  caller?.addEventListener('abort', passOn, { once: true })
  const lift = (): void => clearTimeout(timer)
  return {
    signal: both.signal,
    lift,
    clear() {
      lift()
      caller?.removeEventListener('abort', passOn)
    },
  }
}
