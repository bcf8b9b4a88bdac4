// What do scenarios run on in a cluster? A Kubernetes of their own for each lane, with what we ship
// for the controller, and the controller and its webhooks under the account that comes with it.
import { Readable } from 'node:stream'
import type { Target, Targets, Wants } from '../../src/app/cli/scenarios/target.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { ServedKinds } from '../../src/edge/kube/api/servedKinds.ts'
import { readManifests } from '../../src/edge/manifests/readManifests.ts'
import { core, merge, verbs } from '../kube/cluster.ts'
import { definitions, installCrds, installCrdsOfOthers } from '../kube/crds.ts'
import { connectionFor, type Kube, type KubeAddress, startKube } from '../kube/harness.ts'
import { installOpenstack } from '../kube/ipsetStand.ts'
import { hasSeenAll } from '../kube/seenAll.ts'
import { until } from '../kube/waits.ts'
import { newProgram } from './controllerProgram.ts'

const lanes = 3
const controllers = ['garbage-collector-controller', 'namespace-controller']
const bothFamilies = ['--service-cluster-ip-range=10.96.0.0/12,fd00:10:96::/112']
const namespace = 'metallb-system'

export type Running = Target & {
  readonly kube: KubeAddress
  readonly controllerQuiet: () => Promise<unknown>
  readonly inMode: (mode: Wants['bgpMode']) => Promise<void>
}

export function kubernetesTargets(engine: string): Targets {
  const known = new Map<string, Promise<Running>>()
  return {
    lanes,
    async get({ bgpMode, isSingleStack }, lane) {
      const name = JSON.stringify([isSingleStack, lane])
      const started = known.get(name) ?? startTarget(engine, isSingleStack)
      known.set(name, started)
      const target = await started
      await target.inMode(bgpMode)
      return target
    },
    async discard(target) {
      for (const [name, one] of known) if ((await one) === target) known.delete(name)
      await target.close()
    },
    async close() {
      await Promise.all([...known.values()].map(async (one) => (await one).close()))
    },
  }
}

export async function startTarget(engine: string, isSingleStack: boolean): Promise<Running> {
  const apiFlags = isSingleStack ? [] : bothFamilies
  const kube = await startKube(engine, { controllers, apiFlags, define })
  const admin = newApi(connectionFor(kube, 'admin'))
  const program = await newProgram({ token: await tokenOn(kube), kube, namespace })
  await callWebhooks(kube, program.webhooks)
  await program.start('native')
  await peersAreServed(admin)
  return {
    api: admin,
    kube,
    served: new ServedKinds(admin),
    isOwn: true,
    namespaces: new Set(),
    progress: async () => program.progress(),
    controllerQuiet: () =>
      until('the controller is quiet', async () => {
        const { isQuiet, seen } = program.progress()
        const own = { api: admin, namespace }
        return (isQuiet && (await hasSeenAll(own, seen).catch(() => false))) || undefined
      }),
    controller: { stop: program.stop, start: () => program.start(program.mode()) },
    async inMode(mode) {
      if (program.mode() === mode) return
      await program.stop()
      await program.start(mode)
    },
    async close() {
      await program.stop()
      admin.close()
      await kube.stop()
    },
  }
}

/** With those that infra-operator brings. */
async function define(admin: Api): Promise<void> {
  await installCrds(admin)
  await installCrdsOfOthers(admin)
  await installOpenstack(admin)
}

type Shipped = {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

const folder = 'deploy/kustomize'

async function shipped(file: string): Promise<readonly Shipped[]> {
  const reads = await Array.fromAsync(readManifests([`${folder}/${file}`], Readable.from([])))
  return reads.flatMap((read) => (read.ok ? [read.manifest.json as unknown as Shipped] : []))
}

const rbac = (plural: string) => ({ group: 'rbac.authorization.k8s.io', version: 'v1', plural })

/** Namespace, account and rights are made as they are shipped; answers with a token as pods get it. */
async function tokenOn(kube: Kube): Promise<string> {
  const admin = newApi(connectionFor(kube, 'admin'))
  const plurals: Readonly<Record<string, ReturnType<typeof core>>> = {
    Namespace: core('namespaces'),
    ServiceAccount: core('serviceaccounts', namespace),
    Role: { ...rbac('roles'), namespace },
    RoleBinding: { ...rbac('rolebindings'), namespace },
    ClusterRole: rbac('clusterroles'),
    ClusterRoleBinding: rbac('clusterrolebindings'),
  }
  const files = ['without-policies/namespace.yaml', 'controller/rbac.yaml']
  for (const file of [...files, 'openstack/rights/rbac.yaml']) {
    for (const json of await shipped(file)) {
      const resource = plurals[json.kind]
      if (resource !== undefined) await verbs(admin, resource).create(json)
    }
  }
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/berth-controller/token`
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const answer = (await admin.call({ method: 'POST', path, body })) as { status: { token: string } }
  admin.close()
  return answer.status.token
}

/** As shipped, but by the port: nothing here makes a Service's address reachable. */
async function callWebhooks(kube: Kube, url: string): Promise<void> {
  const admin = newApi(connectionFor(kube, 'admin'))
  type Hook = { readonly clientConfig: { readonly service: { readonly path: string } } }
  const files = ['controller/webhooks.yaml', 'openstack/rights/webhooks.yaml']
  for (const json of (await Promise.all(files.map(shipped))).flat()) {
    if (json.kind === 'Secret') await verbs(admin, core('secrets', namespace)).create(json)
    const plural = configurations[json.kind]
    if (plural === undefined) continue
    const { webhooks } = json as unknown as { webhooks: readonly Hook[] }
    const called = webhooks.map((hook) => ({
      ...hook,
      clientConfig: { url: `${url}${hook.clientConfig.service.path}` },
    }))
    const resource = { group: 'admissionregistration.k8s.io', version: 'v1', plural }
    await verbs(admin, resource).create({ ...json, webhooks: called })
  }
  const clientConfig = { service: null, url: `${url}/convert` }
  const body = { spec: { conversion: { webhook: { clientConfig } } } }
  await verbs(admin, definitions).patch('bgppeers.metallb.io', { type: merge, body })
  admin.close()
}

const configurations: Readonly<Record<string, string>> = {
  ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
  MutatingWebhookConfiguration: 'mutatingwebhookconfigurations',
}

/** The API server sets a kind's storage up anew after its conversion has changed, and says 429. */
async function peersAreServed(admin: Api): Promise<void> {
  const peers = verbs(admin, { group: 'metallb.io', version: 'v1beta2', plural: 'bgppeers' })
  const isServed = () =>
    peers.list().then(
      () => true,
      () => undefined,
    )
  await until('BGPPeers are served', isServed)
}
