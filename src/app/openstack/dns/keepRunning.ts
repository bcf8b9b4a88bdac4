// How does a container stay up when what it is for ends? As a process that does nothing but start
// the same command again, so that its pod stays ready meanwhile.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { backoffMs } from '../../../edge/kube/api/backoff.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'

type Kept = {
  /** The program and its arguments. */
  readonly command: readonly string[]
  readonly clock: Clock
  readonly random: () => number
  readonly signal: AbortSignal
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
}

/** Running for so long counts as a success. */
const calmMs = 10_000

/** Until the signal aborts. */
export async function keepRunning({ command, clock, random, signal, log }: Kept): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    const sinceMs = clock.nowMs()
    const how = await run(command, signal)
    if (signal.aborted) return
    failures = clock.nowMs() - sinceMs > calmMs ? 1 : failures + 1
    log({ level: 'warn', message: how })
    await clock.sleep(backoffMs(failures, random), signal)
  }
}

/** Answers how it ended. What cannot start now, such as without memory, may be able to later. */
async function run([program = '', ...args]: readonly string[], signal: AbortSignal) {
  let end = (): void => undefined
  try {
    // The channel tells it when we are gone, however that came.
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    end = () => void child.kill('SIGTERM')
    signal.addEventListener('abort', end, { once: true })
    const [code, by] = await once(child, 'exit')
    return `ended with ${by ?? `status ${code}`}: started again`
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `cannot be started, will be tried again: ${why}`
  } finally {
    signal.removeEventListener('abort', end)
  }
}
