// How does a user run Berth? By the command of this clone, on a folder of the test's own.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Folder, folderAt } from '../../src/app/up/folder.ts'
import { type Running, whoRuns } from '../../src/app/up/running.ts'
import { isAlive } from '../../src/edge/host/process.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { readConnection } from '../../src/edge/kube/api/connection.ts'
import { yamlOrFault } from '../../src/edge/manifests/parseYaml.ts'
import { newFolder } from '../build/newFolder.ts'
import { type Program, startProgram } from '../kube/program.ts'
import { until } from '../kube/waits.ts'

export const command = join(import.meta.dirname, '../../berth')
const patienceMs = 60_000

export type Ran = {
  /** null when it had to be killed. */
  readonly status: number | null
  readonly out: string
  readonly err: string
}

export const berth = (...args: readonly string[]): Promise<Ran> => ran([command, ...args])

/** As somebody who may not do what the capabilities allow, though he be root. */
export function berthWithout(rights: readonly string[], ...args: readonly string[]): Promise<Ran> {
  if (process.geteuid?.() !== 0) return berth(...args)
  const less = rights.map((right) => `-${right}`).join(',')
  return ran(['setpriv', `--bounding-set=${less}`, `--inh-caps=${less}`, command, ...args])
}

/** To its end, or until it is killed for taking too long. */
function ran([program = '', ...args]: readonly string[]): Promise<Ran> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const late = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  const [out, err] = [textOf(child.stdout), textOf(child.stderr)]
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    // What was left in the background may hold the pipes: it does not, and this shows it.
    child.on('close', (status) => {
      clearTimeout(late)
      resolve({ status, out: out(), err: err() })
    })
  })
}

function textOf(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}

/** A data folder that is not there yet, gone with the test, and whoever is left running on it. */
export function newData(): Folder {
  const folder = folderAt(join(newFolder(), 'data'))
  onTestFinished(() => {
    const left = whoRuns(folder)
    if (left !== undefined) process.kill(left.pid, 'SIGKILL')
  })
  return folder
}

export type Up = Running & {
  readonly folder: Folder
  readonly program: Program
  /** As the kubeconfig lets in. */
  readonly api: Api
  /** SIGTERM, as from `berth down` or a terminal; SIGKILL as from a power cut. */
  readonly stop: (signal: NodeJS.Signals) => Promise<void>
}

/** In the foreground: it ends with us, however we end. */
export async function startUp(folder: Folder, ...args: readonly string[]): Promise<Up> {
  const all = ['up', '--data', folder.path, '--port', '0', ...args]
  const program = startProgram({
    name: 'berth-up',
    path: command,
    args: all,
    folder: join(folder.path, '..'),
  })
  onTestFinished(() => program.stop())
  const running = await until('berth up is there', () => {
    if (program.hasEnded()) throw new Error(`it has ended:\n${program.lastWords()}`)
    return whoRuns(folder)
  })
  const api = await apiOf(folder.kubeconfig)
  return {
    ...running,
    folder,
    program,
    api,
    async stop(signal) {
      await program.stop(signal)
      api.close()
    },
  }
}

/** One that was started in the background. */
export async function attached(folder: Folder): Promise<Running & { readonly api: Api }> {
  const running = whoRuns(folder)
  if (running === undefined) throw new Error(`nothing runs on ${folder.path}`)
  onTestFinished(() => {
    if (isAlive(running)) process.kill(running.pid, 'SIGKILL')
  })
  return { ...running, api: await apiOf(folder.kubeconfig) }
}

export async function apiOf(kubeconfig: string): Promise<Api> {
  const connection = { kubeconfig, env: {}, home: '', parseYaml: yamlOrFault }
  return newApi(await readConnection(connection))
}

/** What the process holds in memory. */
export function residentBytes(pid: number): number {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
