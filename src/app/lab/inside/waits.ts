// How does a process of the lab wait? For its end, or for a condition within a time limit.
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../edge/kube/api/fault.ts'

export const untilEnded = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

const pauseMs = 50

type Waiting<T> = {
  /** What it waits for, for the error message. */
  readonly what: string
  readonly withinMs: number
  /** A Fault means not yet. */
  readonly look: () => Promise<T | undefined> | T | undefined
}

export async function until<T>({ what, withinMs, look }: Waiting<T>): Promise<T> {
  const end = performance.now() + withinMs
  let last = ''
  for (;;) {
    try {
      const found = await look()
      if (found !== undefined) return found
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      last = `: ${error.message}`
    }
    if (performance.now() > end) {
      throw new Fault(`timed out after ${withinMs / 1000} s waiting for ${what}${last}`)
    }
    await sleep(pauseMs)
  }
}
