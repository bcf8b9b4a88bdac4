// How do helm, kubectl and the controller meet the API server under test? As operators call them.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'
import { type KubeAddress, kubeconfigFor } from '../harness.ts'
import { type Program, startProgram } from '../program.ts'
import { until } from '../waits.ts'

export type Run = (...args: readonly string[]) => string

/** What the program wrote; whatever it does not like is a failure of the test. */
export function programAt(path: string, folder: string, kubeconfig = '/dev/null'): Run {
  const env = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: kubeconfig }
  return (...args) => {
    const { status, stdout, stderr } = spawnSync(path, args, { encoding: 'utf8', env, maxBuffer })
    if (status !== 0) throw new Error(`${path} ${args.join(' ')}: ${status}\n${stdout}${stderr}`)
    return stdout
  }
}

const maxBuffer = 16 * 1024 * 1024

/** `kubectl wait` and JSONPath do not bear a definition that has no conditions yet. */
export async function definitionsEstablished(kubectl: Run): Promise<void> {
  type Definition = { status?: { conditions?: readonly { type: string; status: string }[] } }
  const isEstablished = ({ status }: Definition): boolean =>
    status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True') ?? false
  await until('every definition is established', () => {
    const { items }: { items: readonly Definition[] } = JSON.parse(kubectl('get', 'crd', '-o=json'))
    return (items.length > 0 && items.every(isEstablished)) || undefined
  })
}

export function adminKubeconfig(kube: KubeAddress): string {
  const file = join(kube.folder, 'admin.kubeconfig')
  writeFileSync(file, kubeconfigFor(kube, 'admin'))
  return file
}

export type PodRun = {
  /** Of the account that was shipped. */
  readonly token: string
  readonly namespace: string
  /** The pod's. */
  readonly uid: string
}

/** The controller as the pod would run it. */
export function startController(
  kube: KubeAddress,
  { token, namespace, uid }: PodRun,
  ...more: readonly string[]
): Program {
  const kubeconfig = join(kube.folder, 'controller.kubeconfig')
  const cluster = { server: kube.server, 'certificate-authority': kube.caFile }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'controller', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'controller' } }],
    'current-context': 'test',
  }
  writeFileSync(kubeconfig, JSON.stringify(config))
  const main = join(import.meta.dirname, '..', '..', '..', 'src', 'main.ts')
  return startProgram({
    name: `controller-${namespace}`,
    path: process.execPath,
    args: [
      main,
      'controller',
      `--kubeconfig=${kubeconfig}`,
      `--namespace=${namespace}`,
      '--port=0',
      '--health-probe-port=0',
      '--webhook-mode=disabled',
      ...more,
    ],
    folder: kube.folder,
    env: { ...process.env, METALLB_POD_NAME: 'berth-controller-x', BERTH_POD_UID: uid },
  })
}

export type Manifest = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
}

/** A template that renders to nothing leaves an empty document. */
export const manifestsIn = (yaml: string): Manifest[] =>
  loadAll(yaml).filter((json): json is Manifest => typeof json === 'object' && json !== null)
