// What does the same page show now? Read and shown again until the user ends it.
import { systemClock } from '../../../edge/host/clock.ts'
import type { Exit, Io } from '../io.ts'
import { visibleLines } from '../visible.ts'

/** To the upper left, and nothing is left below. */
const cleared = '\u001b[H\u001b[2J'

/** A page that cannot be read says why, and the next one is tried all the same. */
export async function watched(
  io: Io,
  read: (io: Io) => Promise<Exit>,
  everyMs = 2_000,
): Promise<Exit> {
  const { signal, isTerminal } = io
  const write = io.painted ?? io.out
  while (!signal.aborted) {
    const beganMs = systemClock.nowMs()
    const page: string[] = []
    const plain = (text: string) => page.push(visibleLines(text))
    await read({ ...io, out: plain, err: plain, painted: (text) => page.push(text) })
    if (signal.aborted) break
    write(isTerminal ? `${cleared}${page.join('')}` : `${page.join('')}\n`)
    // A cluster that takes long to read is asked less often.
    const tookMs = systemClock.nowMs() - beganMs
    await systemClock.sleep(Math.max(everyMs, 4 * tookMs), signal)
  }
  return 0
}
