// What is measured? Two API servers on the same disk, each as it would run in production, both
// waiting for that disk before they answer a write.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { nodeFlags } from '../../src/app/up/nodeFlags.ts'
import { findEngine, type KubeAddress, startKube, tokenOf } from '../../test/kube/harness.ts'
import { type Program, startProgram } from '../../test/kube/program.ts'

export type Memory = { readonly nowMb: number; readonly peakMb: number }
export type Server = {
  readonly name: string
  readonly url: URL
  readonly ca: string
  readonly token: string
  readonly address: KubeAddress
  /** From the start of its process or processes until it is ready. */
  readonly startedMs: number
  /** Of all its processes together. */
  readonly memory: () => Memory
  /** Stopped and started again on the same data; measured like `startedMs`. */
  readonly restart: () => Promise<number>
  readonly stop: () => Promise<void>
}
export type Contender = { readonly name: string; readonly start: () => Promise<Server> }

export const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export const kube: Contender = { name: 'kube-apiserver + etcd', start: startReal }
export const berth: Contender = { name: 'berth up', start: startUp }

async function startReal(): Promise<Server> {
  const engine = findEngine()
  if ('why' in engine) throw new Error(engine.why)
  const [address, startedMs] = await timed(() => startKube(engine.folder, { etcdFlags: [] }))
  return {
    name: kube.name,
    url: new URL(address.server),
    ca: readFileSync(address.caFile, 'utf8'),
    token: tokenOf('admin'),
    address,
    startedMs,
    memory: () => memoryOf(childrenCalled(['kube-apiserver', 'etcd'])),
    // etcd keeps running, which saves it the time to read its own file.
    async restart() {
      await address.stopApi('SIGTERM')
      const [, ms] = await timed(address.startApi)
      return ms
    },
    stop: address.stop,
  }
}

async function startUp(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-bench-'))
  const data = join(folder, 'data')
  const port = await freePort()
  const start = (): Promise<Program> => startProcess(folder, data, port)
  const [first, startedMs] = await timed(start)
  let program = first
  const token = tokenFor(data)
  const tokens = { admin: token, engine: token, berth: token, reader: token, nobody: token }
  const caFile = join(data, 'ca.crt')
  const server = `https://127.0.0.1:${port}`
  return {
    name: berth.name,
    url: new URL(server),
    ca: readFileSync(caFile, 'utf8'),
    token,
    address: { server, caFile, etcd: '', folder, tokens },
    startedMs,
    memory: () => memoryOf([program.pid]),
    async restart() {
      await program.stop('SIGTERM')
      const [again, ms] = await timed(start)
      program = again
      return ms
    },
    async stop() {
      await program.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** As `--background` starts it; its last message says that it runs. */
async function startProcess(folder: string, data: string, port: number): Promise<Program> {
  const args = [...nodeFlags, main, 'up', '--data', data, '--port', String(port)]
  const program = startProgram({ name: 'berth', path: process.execPath, args, folder })
  while (!existsSync(join(data, 'running.json'))) {
    if (program.hasEnded()) throw new Error(`berth up exited:\n${program.lastWords()}`)
    await sleep(5)
  }
  return program
}

function tokenFor(data: string): string {
  const ran = spawnSync(process.execPath, [main, 'token', '--data', data], { encoding: 'utf8' })
  if (ran.status !== 0) throw new Error(`no token: ${ran.stderr}`)
  return ran.stdout.trim()
}

export async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now()
  const done = await work()
  return [done, performance.now() - start]
}

function childrenCalled(names: readonly string[]): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => {
    const [, name = '', parent] = /^\d+ \((.*)\) \S (\d+)/.exec(procFile(pid, 'stat')) ?? []
    return Number(parent) === process.pid && names.some((one) => one.startsWith(name))
  })
}

function memoryOf(pids: readonly number[]): Memory {
  const files = pids.map((pid) => procFile(pid, 'status'))
  const sum = (field: string): number =>
    files
      .map((text) => Number(new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024)
      .reduce((one, other) => one + other, 0)
  return { nowMb: sum('VmRSS'), peakMb: sum('VmHWM') }
}

/** '' once the process is gone. */
function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof bound === 'object' && bound !== null ? bound.port : 0
}
