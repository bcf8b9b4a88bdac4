// What time is it on this machine? Monotonic: setting the system clock does not affect it.
import { setTimeout } from 'node:timers/promises'

export const systemClock = {
  nowMs: (): number => performance.now(),
  /** Resolves after that time, or as soon as the signal aborts. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await setTimeout(ms, undefined, { signal })
    } catch (error) {
      if (!signal.aborted) throw error
    }
  },
}
