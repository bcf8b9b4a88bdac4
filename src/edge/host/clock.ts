// What time is it on this machine? Monotonic, so that setting the system clock changes nothing;
// and the wall clock's, for what people read.
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

let lately = { second: 0, text: '' }

/** RFC 3339. One text for a second: thousands are asked for in one. */
export function timestamp(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== lately.second) {
    lately = { second, text: new Date(second * 1000).toISOString().replace('.000Z', 'Z') }
  }
  return lately.text
}
