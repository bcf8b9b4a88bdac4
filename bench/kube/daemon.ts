// What runs, and what does it cost? A controller as shipped, in a process of its own.
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fields } from '../../src/edge/kube/decode/fields.ts'
import { yamlOrFault } from '../../src/edge/manifests/parseYaml.ts'
import { kubeconfigFor } from '../../test/kube/harness.ts'
import { type Program, startProgram } from '../../test/kube/program.ts'
import { until } from '../../test/kube/waits.ts'
import { ownNamespace, type Town } from './town.ts'

export type Cost = { readonly cpuMs: number; readonly peakRssMb: number }
export type Daemon = {
  readonly startedMs: number
  readonly cost: () => Cost
  /** Milliseconds from the start until it reports that every list has been read. */
  readonly ready: () => Promise<number>
  readonly stop: () => Promise<void>
}
/** Starts a new process every time. */
export type Contender = { readonly name: string; readonly start: (town: Town) => Daemon }

const root = fileURLToPath(new URL('../..', import.meta.url))
const [metricsPort, probePort] = [29_120, 27_472]

/** Started as by the Deployment, except for the ports and these options. */
export const berthWith = (...options: readonly string[]): Contender => ({
  name: 'Berth',
  start(town) {
    const { command, env } = shipped()
    const [, ...args] = command.map((word) => (word === program ? join(root, program) : word))
    const ports = [`--port=${metricsPort}`, `--health-probe-port=${probePort}`]
    const all = [...args, ...ports, ...options]
    return launch(town, { name: 'berth', path: process.execPath, args: all, env })
  },
})

export const berth = berthWith()

export const metallb = (path: string): Contender => ({
  name: 'MetalLB',
  start: (town) =>
    launch(town, {
      name: 'metallb',
      path,
      args: [`--port=${metricsPort}`, '--webhook-mode=disabled', '--log-level=error'],
      env: {},
    }),
})

const program = 'dist/main.js'

export type Shipped = {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export function shipped(): Shipped {
  const text = readFileSync(join(root, 'deploy/kustomize/controller/deployment.yaml'), 'utf8')
  const pod = new Fields(yamlOrFault(text), []).inner('spec').inner('template').inner('spec')
  const [container] = pod.each('containers')
  const command = container?.texts('command') ?? []
  if (!command.includes(program)) throw new Error(`the Deployment does not start ${program}`)
  const env = container?.each('env').map((one) => [one.text('name'), one.text('value')] as const)
  return { command, env: Object.fromEntries((env ?? []).filter(([, value]) => value !== '')) }
}

type Launch = Pick<Parameters<typeof startProgram>[0], 'name' | 'path' | 'args' | 'env'>

function launch({ kube }: Town, { name, path, args, env }: Launch): Daemon {
  const { folder } = kube
  const kubeconfig = join(folder, 'bench.kubeconfig')
  writeFileSync(kubeconfig, kubeconfigFor(kube, 'admin'))
  const all = { ...process.env, ...env, KUBECONFIG: kubeconfig, METALLB_NAMESPACE: ownNamespace }
  const startedMs = performance.now()
  const program = startProgram({ name, path, args, folder, env: all })
  return {
    startedMs,
    cost: () => costOf(program),
    async ready() {
      await until(`${name} is ready`, () => readyOf(program), 60_000)
      return performance.now() - startedMs
    },
    stop: () => program.stop('SIGTERM'),
  }
}

/** As counted by the kernel; CPU time comes in hundredths of a second. */
function costOf(program: Program): Cost {
  if (program.hasEnded()) throw new Error(`${program.name} has ended:\n${program.lastWords()}`)
  const status = readFileSync(`/proc/${program.pid}/status`, 'utf8')
  const stat = readFileSync(`/proc/${program.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return {
    cpuMs: (Number(stat[11]) + Number(stat[12])) * 10,
    peakRssMb: Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024,
  }
}

async function readyOf(program: Program): Promise<true | undefined> {
  costOf(program)
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port: probePort, path: '/readyz', agent: false })
    asked.on('error', () => resolve(undefined))
    asked.on('response', (response) => {
      response.resume()
      resolve(response.statusCode === 200 ? true : undefined)
    })
  })
}
