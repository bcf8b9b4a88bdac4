// frr-k8s on the node: its own program, which BERTH_FRR_K8S names, with its own reloader and FRR, on an API.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { FrrK8sObject } from '../../../src/app/speaker/frr/frrK8sObject.ts'
import { newApi } from '../../../src/edge/kube/api/client.ts'
import { core, verbs } from '../../kube/cluster.ts'
import { defineCrd } from '../../kube/crds.ts'
import { startEmbedded } from '../../kube/embedded.ts'
import { definitionsFolder, frrDefinitions, frrGroup } from '../../kube/frrDefinitions.ts'
import { connectionFor, kubeconfigFor } from '../../kube/harness.ts'
import { until } from '../../kube/waits.ts'
import { startFrrDaemons } from './frrDaemons.ts'
import { killed, type Stand } from './stand.ts'

/** Not built here; '' where it is not said where it is. */
export const frrK8sProgram = process.env['BERTH_FRR_K8S'] ?? ''
const namespace = 'metallb-system'

export type FrrK8sOnNode = {
  readonly object: FrrK8sObject
  readonly vtysh: (line: string) => string
  readonly configurations: ReturnType<typeof verbs>
  readonly secrets: ReturnType<typeof verbs>
  readonly said: () => string
  readonly stop: () => Promise<void>
}

export async function startFrrK8s(stand: Stand): Promise<FrrK8sOnNode> {
  const kube = await startEmbedded()
  const api = newApi(connectionFor(kube, 'admin'))
  for (const { name, json } of frrDefinitions()) await defineCrd(api, name, json)
  await verbs(api, core('namespaces')).create({ metadata: { name: namespace } })
  const labels = { 'kubernetes.io/hostname': 'node-1' }
  await verbs(api, core('nodes')).create({ metadata: { name: 'node-1', labels } })
  const { folder, vtysh } = await startFrrDaemons(stand, '/')
  // What FRR runs with is written back to its own folder, over what is there.
  const own = join(stand.folder, 'etc')
  mkdirSync(own)
  writeFileSync(join(own, 'vtysh.conf'), '')
  // Both know no other places than these.
  const places = [['/etc/frr_reloader', folder] as const, ['/run/frr', folder], ['/etc/frr', own]]
  const binds = places.map(([at, what]) => `mkdir -p ${at} && mount --bind ${what} ${at}`)
  const inPlace = (...commands: readonly string[]): string[] => [
    ...['unshare', '--mount', 'bash', '-c', [...binds, ...commands].join(' && ')],
  ]
  const reloader = join(definitionsFolder(), '../../../cmd/reloader/frr-reloader.sh')
  // It leaves a file in /tmp.
  stand.start('node', ...inPlace('mount -t tmpfs none /tmp', `exec bash ${reloader}`))
  await until('the reloader', () => stand.run('node', 'cat', `${folder}/reloader.pid`) || undefined)
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, kubeconfigFor(kube, 'admin'))
  const flags = [
    ...['--node-name=node-1', `--namespace=${namespace}`, '--metrics-bind-address=0'],
    ...['--health-probe-bind-address=0', '--bgp-debounce-timeout=100'],
  ]
  // Where the API is, and not in a namespace of the stand.
  const [program = '', ...args] = inPlace(`exec ${frrK8sProgram} ${flags.join(' ')}`)
  const child: ChildProcess = spawn(program, args, {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes) => {
      said += String(bytes)
    })
  }
  const configurations = verbs(api, {
    ...{ group: frrGroup, version: 'v1beta1', plural: 'frrconfigurations', namespace },
  })
  return {
    object: new FrrK8sObject({
      api,
      keys: { keyOf: async () => Buffer.from('interop'), keep: () => undefined },
      namespace,
      nowMs: () => performance.now(),
    }),
    vtysh,
    configurations,
    secrets: verbs(api, core('secrets', namespace)),
    said: () => said,
    async stop() {
      await killed(child)
      api.close()
      await kube.stop()
    },
  }
}
