// How does a program run for the length of a test? It ends with us, however we end.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Program = {
  readonly name: string
  readonly pid: number
  /** All that it wrote. */
  readonly log: () => string
  /** The last lines of that, for whoever has to say why something failed. */
  readonly lastWords: () => string
  readonly hasEnded: () => boolean
  /** null while it runs, or when a signal ended it. */
  readonly status: () => number | null
  /** Ends once the program has; SIGKILL if nothing else is said. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
}

/** Its standard input is a pipe of ours: when that closes, its whole group is killed. */
const guarded =
  'exec 3<&0; { cat <&3 >/dev/null; kill -KILL 0; } 2>/dev/null & exec "$@" 3<&- </dev/null'

export type Start = {
  readonly name: string
  readonly path: string
  readonly args: readonly string[]
  /** Where its log goes. */
  readonly folder: string
  readonly env?: NodeJS.ProcessEnv
}

export function startProgram({ name, path, args, folder, env = process.env }: Start): Program {
  const logFile = join(folder, `${name}.log`)
  const log = openSync(logFile, 'a')
  const child = spawn('sh', ['-c', guarded, 'sh', path, ...args], {
    stdio: ['pipe', log, log],
    detached: true,
    env,
  })
  closeSync(log)
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => resolve()).on('error', () => resolve())
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${name}: cannot run ${path}`)
  return {
    name,
    pid,
    log: () => readFileSync(logFile, 'utf8'),
    lastWords: () => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n'),
    hasEnded: () => hasEnded(child),
    status: () => child.exitCode,
    async stop(signal = 'SIGKILL') {
      if (!hasEnded(child)) process.kill(pid, signal)
      await ended
      // Lets go of the guard, which waits for this.
      child.stdin?.destroy()
    },
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null
