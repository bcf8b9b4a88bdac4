// Which API do the libraries speak to? `berth up`, as a person starts it. BERTH_ENGINE=kubernetes
// puts a real Kubernetes in its place: the suites may ask nothing of ours that it does not give.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { folderAt } from '../../src/app/up/folder.ts'
import { whoRuns } from '../../src/app/up/running.ts'
import { findEngine, kubeconfigFor, startKube } from '../kube/harness.ts'
import { type Program, startProgram } from '../kube/program.ts'
import { until } from '../kube/waits.ts'

export const isKubernetes = process.env['BERTH_ENGINE'] === 'kubernetes'

export type Server = {
  readonly kubeconfig: string
  /** As a power cut does it; afterwards it is there again, on the same port. */
  readonly crash: () => Promise<void>
  readonly stop: () => Promise<void>
}

export const startServer = (): Promise<Server> => (isKubernetes ? startReal() : startBerth())

async function startBerth(): Promise<Server> {
  const root = mkdtempSync(join(tmpdir(), 'berth-clients-'))
  const folder = folderAt(join(root, 'data'))
  const start = async (port: string): Promise<Program> => {
    const args = ['up', '--data', folder.path, '--port', port]
    const berth = startProgram({ name: 'berth', path: resolve('berth'), args, folder: root })
    await until('berth up is ready', () => {
      if (berth.hasEnded()) throw new Error(`berth up has ended:\n${berth.lastWords()}`)
      return whoRuns(folder) && true
    })
    return berth
  }
  const clear = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  let berth = await start('0').catch((error: unknown) => {
    clear()
    throw error
  })
  return {
    kubeconfig: folder.kubeconfig,
    async crash() {
      const { port } = new URL(whoRuns(folder)?.server ?? '')
      await berth.stop('SIGKILL')
      berth = await start(port)
    },
    async stop() {
      await berth.stop('SIGTERM')
      clear()
    },
  }
}

const controllers = ['garbage-collector-controller', 'namespace-controller']
/** Nobody gives namespaces their accounts here. */
const apiFlags = ['--disable-admission-plugins=ServiceAccount']

async function startReal(): Promise<Server> {
  const engine = findEngine()
  if ('why' in engine) throw new Error(engine.why)
  const kube = await startKube(engine.folder, { controllers, apiFlags })
  const kubeconfig = join(kube.folder, 'admin.kubeconfig')
  writeFileSync(kubeconfig, kubeconfigFor(kube, 'admin'))
  return {
    kubeconfig,
    async crash() {
      await kube.stopApi()
      await kube.startApi()
    },
    stop: kube.stop,
  }
}

/** What `berth up` has from the start. */
export function bringDefinitions(kubectl: string, { kubeconfig }: Server): void {
  if (!isKubernetes) return
  const run = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(kubectl, ['--kubeconfig', kubeconfig, ...args])
    if (status !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`)
  }
  run('apply', '--server-side', '-f', 'deploy/crds')
  run('create', 'namespace', 'metallb-system')
  run('wait', '--for=condition=Established', 'crd', '--all')
}
