// How long does a test wait? Until something holds, within bounds, and it says what did not come.
import { setTimeout as sleep } from 'node:timers/promises'

const [pauseMs, mostPauseMs] = [50, 500]

export async function until<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  withinMs = 60_000,
): Promise<T> {
  const end = performance.now() + withinMs
  for (;;) {
    const beganMs = performance.now()
    const found = await look()
    if (found !== undefined) return found
    const nowMs = performance.now()
    if (nowMs > end) throw new Error(`not within ${withinMs} ms: ${what}`)
    // A look that starts programs takes the processor from what it waits for.
    await sleep(Math.min(Math.max(pauseMs, nowMs - beganMs), mostPauseMs))
  }
}

/** The next step of a generator that fits; the others go to `passed`. */
export async function next<T>(
  what: string,
  steps: AsyncGenerator<T>,
  fits: (step: T) => boolean = () => true,
  withinMs = 60_000,
): Promise<T> {
  const late = AbortSignal.timeout(withinMs)
  const tooLate = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(new Error(`not within ${withinMs} ms: ${what}`)))
  })
  for (;;) {
    const step = await Promise.race([steps.next(), tooLate])
    if (step.done) throw new Error(`ended before it came: ${what}`)
    if (fits(step.value)) return step.value
  }
}
