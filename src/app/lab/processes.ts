// Which processes are the lab's? Known by pid and start: a number that was given to another program
// since is not ours to end.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { inNamespace, run } from './tools.ts'

export type Process = {
  readonly pid: number
  /** When it began, in the kernel's ticks. */
  readonly since: string
}

export type Program = {
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
    const pid = child.pid ?? 0
    return { pid, since: sinceOf(pid) }
  } finally {
    closeSync(file)
  }
}

/** '' where there is no such process, or only what is left of one. */
function sinceOf(pid: number): string {
  try {
    // The name may hold spaces and brackets: what counts is behind the last one.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? '' : (rest[18] ?? '')
  } catch {
    return ''
  }
}

export const isAlive = ({ pid, since }: Process): boolean => since !== '' && sinceOf(pid) === since

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
    .map((pid) => ({ pid, since: sinceOf(pid) }))
}

function* ancestors(): Generator<number> {
  for (let pid = process.pid; pid > 1; pid = parentOf(pid)) yield pid
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
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
