// Which parts run as long as this process? All of them; one that fails is restarted, because its
// state is in the API.
import { systemClock } from '../../edge/host/clock.ts'

type KeptPart = {
  readonly run: () => Promise<void>
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  readonly signal: AbortSignal
}

const pauseMs = 1_000

export async function keptRunning(name: string, { run, log, signal }: KeptPart): Promise<void> {
  while (!signal.aborted) {
    try {
      await run()
    } catch (error) {
      log({ level: 'error', object: name, message: String(error) })
      await systemClock.sleep(pauseMs, signal)
    }
  }
}
