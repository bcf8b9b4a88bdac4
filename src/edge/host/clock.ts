// What time is it here? Monotonic: setting the machine's clock moves nothing.
import { setTimeout } from 'node:timers/promises'

export const systemClock = {
  nowMs: (): number => performance.now(),
  /** Ends after that time, or as soon as the signal aborts. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await setTimeout(ms, undefined, { signal })
    } catch (error) {
      if (!signal.aborted) throw error
    }
  },
}
