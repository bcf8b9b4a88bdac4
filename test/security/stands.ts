// Where are the attempts made? On a real API server with the rights that we ship and a controller
// that has them, and on `berth up`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderAt } from '../../src/app/up/folder.ts'
import { whoRuns } from '../../src/app/up/running.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import type { Connection } from '../../src/edge/kube/api/connection.ts'
import { writtenCredentials } from '../../src/edge/kube/api/credentials.ts'
import { core, loadBalancer, verbs } from '../kube/cluster.ts'
import { pool, shownBy } from '../kube/controllers.ts'
import { defineCrd } from '../kube/crds.ts'
import { openFrrDefinitions } from '../kube/frrDefinitions.ts'
import { connectionFor, startKube } from '../kube/harness.ts'
import {
  adminKubeconfig,
  definitionsEstablished,
  programAt,
  startController,
} from '../kube/helm/programs.ts'
import { startProgram } from '../kube/program.ts'
import { aNode } from '../kube/speakers.ts'
import { until } from '../kube/waits.ts'
import { apiOf, berth, command } from '../up/berth.ts'
import {
  alphaRange,
  berthKind,
  betaRange,
  gatewayIp,
  metallb,
  openRange,
  ownNamespace,
  quota,
  type Stand,
  victimIp,
} from './attempt.ts'

export type RunningStand = Stand & { readonly stop: () => Promise<void> }

const tenant = (name: string, range: string, more: object = {}): object => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Tenant',
  metadata: { name },
  spec: {
    namespaces: { names: [name], selector: { matchLabels: { team: name } } },
    networks: [
      { name: 'lan', cidrs: ['198.51.100.0/24'], gateway: gatewayIp, loadBalancer: [range] },
    ],
    ...more,
  },
})

/** As Stand says. */
async function furnish(admin: Api): Promise<void> {
  for (const name of ['alpha', 'beta']) {
    await verbs(admin, core('namespaces')).create({ metadata: { name } })
  }
  await verbs(admin, metallb('ipaddresspools')).create(pool('open', [openRange]))
  const tenants = verbs(admin, berthKind('tenants'))
  await tenants.create(tenant('alpha', alphaRange, { quota: { addresses: quota } }))
  await tenants.create(tenant('beta', betaRange))
  const services = verbs(admin, core('services', 'beta'))
  const annotations = {
    'metallb.io/loadBalancerIPs': victimIp,
    'metallb.io/allow-shared-ip': 'key-of-beta',
  }
  const metadata = { name: 'victim', annotations }
  await services.create({ ...loadBalancer('victim'), metadata })
  await until('the victim is served', async () => shownBy(await services.get('victim'))[0])
}

/** Policies came with Kubernetes 1.30. */
export const hasPolicies = process.env['BERTH_KUBE_VERSION']?.startsWith('1.29') !== true

export async function startOnKubernetes(
  engine: string,
  kubectlPath: string,
): Promise<RunningStand> {
  const kube = await startKube(engine, { controllers: ['serviceaccount-controller'] })
  const kubectl = programAt(kubectlPath, kube.folder, adminKubeconfig(kube))
  const shipped = hasPolicies ? ['openstack'] : ['without-policies', 'openstack/rights']
  for (const folder of shipped) kubectl('apply', '-k', `deploy/kustomize/${folder}`)
  kubectl('apply', '-f', 'deploy/openstack/crds')
  kubectl('apply', '-k', 'deploy/kustomize/frr-k8s/rights')
  await definitionsEstablished(kubectl)
  const admin = newApi(connectionFor(kube, 'admin'))
  const as = (text: string): Api => newApi(withToken(connectionFor(kube, 'nobody'), text))
  const token = (account: string, namespace: string, ...args: readonly string[]): string =>
    kubectl('create', 'token', account, '-n', namespace, ...args).trim()
  const ours = token('berth-controller', ownNamespace)
  const pod = { token: ours, namespace: ownNamespace, uid: 'u' }
  const controller = startController(kube, pod, '--openstack=auto')
  for (const { name, json } of openFrrDefinitions()) await defineCrd(admin, name, json)
  await furnish(admin)
  kubectl('create', 'serviceaccount', 'dev', '-n', 'alpha')
  // What the role `edit` is made of.
  for (const part of ['edit', 'view']) {
    const role = [`--clusterrole=system:aggregate-to-${part}`, '--serviceaccount=alpha:dev']
    kubectl('create', 'rolebinding', part, '-n', 'alpha', ...role)
  }
  // As installed by OLM, infra-operator adds its kinds to that role.
  const kinds = `--resource=${['netconfigs', 'ipsets', 'reservations'].map((one) => `${one}.network.openstack.org`)}`
  kubectl('create', 'role', 'openstack', '-n', 'alpha', '--verb=*', kinds)
  const mayAll = ['--role=openstack', '--serviceaccount=alpha:dev']
  kubectl('create', 'rolebinding', 'openstack', '-n', 'alpha', ...mayAll)
  for (const name of ['node-a', 'node-b']) {
    const labels = { 'kubernetes.io/hostname': `${name}.example.com` }
    await verbs(admin, core('nodes')).create({ ...aNode(name), metadata: { name, labels } })
  }
  writeFileSync(join(kube.folder, 'pod.json'), JSON.stringify(speakerPod))
  kubectl('create', '-f', join(kube.folder, 'pod.json'))
  const bound = ['--bound-object-kind=Pod', '--bound-object-name=berth-speaker-a']
  const tokens = [token('dev', 'alpha'), token('berth-speaker', ownNamespace, ...bound), ours]
  const apis = tokens.map(as)
  const [mine, node, itself] = apis
  if (mine === undefined) throw new Error('no tenant')
  return {
    ...{ engine: 'kubernetes', admin, tenant: mine, node, controller: itself },
    isRunning: () => !controller.hasEnded(),
    async stop() {
      for (const api of [admin, ...apis]) api.close()
      await controller.stop('SIGTERM')
      await kube.stop()
    },
  }
}

const speakerPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'berth-speaker-a', namespace: ownNamespace },
  spec: {
    nodeName: 'node-a',
    serviceAccountName: 'berth-speaker',
    containers: [{ name: 'speaker', image: 'berth' }],
  },
}

const withToken = (connection: Connection, text: string): Connection => ({
  ...connection,
  credentials: writtenCredentials({ token: { text } }),
})

export async function startOnEmbedded(): Promise<RunningStand> {
  const root = mkdtempSync(join(tmpdir(), 'berth-attempts-'))
  const folder = folderAt(join(root, 'data'))
  const args = ['up', '--data', folder.path, '--port', '0']
  const program = startProgram({ name: 'berth-up', path: command, args, folder: root })
  await until('berth up is there', () => {
    if (program.hasEnded()) throw new Error(`it has ended:\n${program.lastWords()}`)
    return whoRuns(folder)
  })
  const admin = await apiOf(folder.kubeconfig)
  await furnish(admin)
  await verbs(admin, core('nodes')).create(aNode('node-a'))
  const bound = ['--namespace', 'alpha', '-o', 'kubeconfig']
  const { out } = await berth('token', '--data', folder.path, ...bound)
  const kubeconfig = join(root, 'alpha.kubeconfig')
  writeFileSync(kubeconfig, out)
  const mine = await apiOf(kubeconfig)
  return {
    ...{ engine: 'embedded', admin, tenant: mine, node: undefined, controller: undefined },
    isRunning: () => !program.hasEnded(),
    async stop() {
      for (const api of [admin, mine]) api.close()
      await program.stop('SIGTERM')
      rmSync(root, { recursive: true, force: true })
    },
  }
}
