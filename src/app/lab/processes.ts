// Which processes belong to the lab, and how are they stopped?
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { isAlive, type Process, parentOf, processAt } from '../../edge/host/process.ts'
import { inNamespace, runIfThere } from './tools.ts'

type Program = {
  readonly namespace: string
  readonly command: readonly string[]
  /** The log file. */
  readonly log: string
}

/** Survives this process; its pid is that of the program itself. */
export function startIn({ namespace, command, log }: Program): Process {
  const file = openSync(log, 'a', 0o600)
  try {
    const [program = '', ...args] = inNamespace(namespace, command)
    const child = spawn(program, args, { detached: true, stdio: ['ignore', file, file] })
    child.unref()
    // Not reported here: whoever waits for the program notices that it does not run.
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

/** Everything that runs in a namespace, recorded or not, except us and our parents. */
export function processesIn(namespace: string): readonly Process[] {
  const own = new Set(ancestors())
  return runIfThere(namespace, ['ip', 'netns', 'pids', namespace])
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

/** SIGTERM, then SIGKILL after a timeout. Resolves once none of them is left. */
export async function endAll(all: readonly Process[]): Promise<void> {
  for (const one of all) {
    // A stopped process (SIGSTOP) cannot react to SIGTERM.
    signal(one, 'SIGTERM')
    signal(one, 'SIGCONT')
  }
  for (let ms = 0; all.some(isAlive) && ms < patienceMs; ms += pauseMs) await setTimeout(pauseMs)
  for (const one of all) signal(one, 'SIGKILL')
  for (let ms = 0; all.some(isAlive) && ms < patienceMs; ms += pauseMs) await setTimeout(pauseMs)
}
