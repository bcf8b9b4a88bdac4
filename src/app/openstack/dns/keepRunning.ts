// How does a container stay up when what it is for ends? As a process that does nothing but start
// the same command again, so that its pod stays ready meanwhile.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { backoffMs } from '../../../edge/kube/api/backoff.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'

type Kept = {
  /** Of this program. */
  readonly args: readonly string[]
  readonly clock: Clock
  readonly random: () => number
  readonly signal: AbortSignal
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
}

/** Running for so long counts as a success. */
const calmMs = 10_000

/** Until the signal aborts. */
export async function keepRunning({ args, clock, random, signal, log }: Kept): Promise<void> {
  const [, main = ''] = process.argv
  for (let failures = 0; !signal.aborted; ) {
    const sinceMs = clock.nowMs()
    // The channel tells it when we are gone, however that came.
    const child = spawn(process.execPath, [...process.execArgv, main, ...args], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const end = (): void => void child.kill('SIGTERM')
    signal.addEventListener('abort', end, { once: true })
    const [code, by] = await once(child, 'exit')
    signal.removeEventListener('abort', end)
    if (signal.aborted) return
    failures = clock.nowMs() - sinceMs > calmMs ? 1 : failures + 1
    log({ level: 'warn', message: `ended with ${by ?? `status ${code}`}: started again` })
    await clock.sleep(backoffMs(failures, random), signal)
  }
}
