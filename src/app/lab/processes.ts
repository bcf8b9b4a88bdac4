// Which processes are the lab's, and how do they end?
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { isAlive, type Process, parentOf, processAt } from '../../edge/host/process.ts'
import { inNamespace, run } from './tools.ts'

type Program = {
  readonly namespace: string
  readonly command: readonly string[]
  /** Where it says what it does. */
  readonly log: string
}

/** Goes on when we end; its pid is the program's. */
export function startIn({ namespace, command, log }: Program): Process {
  const file = openSync(log, 'a', 0o600)
  try {
    const [program = '', ...args] = inNamespace(namespace, command)
    const child = spawn(program, args, { detached: true, stdio: ['ignore', file, file] })
    child.unref()
    // Told by what the log does not say: whoever waits for it finds that it does not run.
    child.on('error', () => undefined)
    return processAt(child.pid ?? 0)
  } finally {
    closeSync(file)
  }
}

export function signal(one: Process, name: NodeJS.Signals): void {
  if (!isAlive(one)) return
  try {
    process.kill(one.pid, name)
  } catch {
    // It ended in between.
  }
}

/** Whatever runs in a namespace belongs to it, told or not; but not we and who started us. */
export function processesIn(namespace: string): readonly Process[] {
  const own = new Set(ancestors())
  return run(['ip', 'netns', 'pids', namespace])
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0 && !own.has(pid))
    .map(processAt)
}

function* ancestors(): Generator<number> {
  for (let pid = process.pid; pid > 1; pid = parentOf(pid)) yield pid
}

const patienceMs = 2_000
const pauseMs = 20

/** Asked first; who does not go in time is killed. Ends once none of them is left. */
export async function endAll(all: readonly Process[]): Promise<void> {
  for (const one of all) {
    // One that was stopped cannot hear that it is asked.
    signal(one, 'SIGTERM')
    signal(one, 'SIGCONT')
  }
  for (let ms = 0; all.some(isAlive) && ms < patienceMs; ms += pauseMs) await setTimeout(pauseMs)
  for (const one of all) signal(one, 'SIGKILL')
  for (let ms = 0; all.some(isAlive) && ms < patienceMs; ms += pauseMs) await setTimeout(pauseMs)
}
