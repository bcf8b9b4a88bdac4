// Where is it measured? In a lab of its own, created by the shipped program. Changes during a
// measurement are made here directly, because starting a command takes too long.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Lab, machineNamed, nodesOf } from '../../src/app/lab/lab.ts'
import { readLab } from '../../src/app/lab/labFolder.ts'
import { setPlugs } from '../../src/app/lab/network.ts'
import { isAlive, type Process } from '../../src/edge/host/process.ts'

const root = join(import.meta.dirname, '../..')
export const labName = 'bench'

/** Built, as shipped; from sources if nothing was built. */
const built = join(root, 'dist/main.js')
export const main = existsSync(built) ? built : join(root, 'src/main.ts')

export function berthLab(...args: readonly string[]): string {
  const [word = '', ...rest] = args
  const command = [main, 'lab', word, '--name', labName, ...rest]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`berth lab ${args.join(' ')}: ${stderr}`)
  return stdout
}

export type Ground = {
  readonly lab: () => Lab
  readonly nodes: readonly string[]
  readonly down: () => void
}

export function newGround(...args: readonly string[]): Ground {
  berthLab('down')
  berthLab('up', '--routers', '0', ...args)
  const lab = (): Lab => readLab(labName)
  return {
    lab,
    nodes: nodesOf(lab()).map(({ name }) => name),
    down: () => void berthLab('down'),
  }
}

const inside = (machine: string, command: readonly string[]): string[] => [
  ...['netns', 'exec', `berth-lab-${labName}-${machine}`, 'env', 'NO_PROXY=*', ...command],
]

/** Runs a command in a namespace to its end. */
export function runIn(machine: string, command: readonly string[], input = ''): string {
  const options = { encoding: 'utf8', input, maxBuffer: 1 << 28 } as const
  const { status, stdout, stderr } = spawnSync('ip', inside(machine, command), options)
  if (status !== 0) throw new Error(`${command.join(' ')} in ${machine}: ${stderr}`)
  return stdout
}

/** `ignore` for a program whose output nobody would read. */
export const startIn = (
  machine: string,
  command: readonly string[],
  said: 'inherit' | 'ignore' = 'inherit',
): ChildProcess =>
  spawn('ip', inside(machine, command), {
    stdio: ['pipe', said === 'ignore' ? 'ignore' : 'pipe', said],
  })

/** Starts a script of this folder that reports as JSON lines. */
export function listenIn<T>(
  machine: string,
  [script = '', ...args]: readonly string[],
  hear: (told: T) => void,
): ChildProcess {
  const child = startIn(machine, [process.execPath, join(import.meta.dirname, script), ...args])
  if (child.stdout === null) throw new Error('no pipe')
  createInterface(child.stdout).on('line', (line) => hear(JSON.parse(line) as T))
  return child
}

/** The node disappears at once: its processes cannot say goodbye. */
export function loseNode(ground: Ground, node: string, victims: readonly Process[]): number {
  const lab = ground.lab()
  for (const { pid } of victims) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended together with another one.
    }
  }
  setPlugs(lab.topology, machineNamed(lab, node).ports, 'down')
  return Date.now()
}

export const plugIn = (ground: Ground, node: string): void => {
  const lab = ground.lab()
  setPlugs(lab.topology, machineNamed(lab, node).ports, 'up')
}

/** Rules of the data path are not a speaker's work, and with thousands take most of the time. */
export function stopDataPath({ tasks }: Lab): void {
  const some = tasks.filter(({ role }) => role === 'node' || role === 'endpoints')
  for (const { pid } of some.filter(isAlive)) process.kill(pid, 'SIGKILL')
}

export const speakersOf = (ground: Ground, ...nodes: readonly string[]): readonly Process[] =>
  ground
    .lab()
    .tasks.filter(({ role, machine }) => role === 'speaker' && nodes.includes(machine))
    .filter(isAlive)
