// What does a test of pods that keep their address stand on? A namespace that asks for it, an
// attachment with the static plugin, and whoever makes the pods: on Kubernetes the StatefulSet's own
// controller through our webhook, on the embedded API the test itself.
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { startWebhooks } from '../../src/app/controller/webhooks.ts'
import { check, checkDelete } from '../../src/core/policy/check/check.ts'
import { systemClock } from '../../src/edge/host/clock.ts'
import { admission } from '../../src/edge/kube/admission.ts'
import { typeOf } from '../../src/edge/kube/kinds.ts'
import { readManifests } from '../../src/edge/manifests/readManifests.ts'
import { core, type KubeObject, merge, verbs } from './cluster.ts'
import { type Cluster, ownNamespace, type Running } from './controllers.ts'
import { defineCrd, shippedCrds } from './crds.ts'
import { isEmbedded } from './harness.ts'
import { type IpSetStand, newIpSetStand } from './ipsetStand.ts'
import { until } from './waits.ts'

export const networksOf = (pod: KubeObject): readonly Selection[] =>
  JSON.parse(pod.metadata.annotations?.['k8s.v1.cni.cncf.io/networks'] ?? '[]')
export type Selection = {
  readonly name: string
  readonly interface?: string
  readonly ips?: readonly string[]
  readonly 'default-route'?: readonly string[]
}

/** As operators write it (openstack.md 6.1), but for the address. */
const asked = [{ name: 'internalapi-sticky', namespace: '', interface: 'internalapi-sti' }]

export const attachmentConfig = {
  cniVersion: '0.3.1',
  name: 'internalapi',
  type: 'macvlan',
  master: 'enp6s0',
  capabilities: { ips: true },
  ipam: { type: 'static' },
}

export type StickyStand = IpSetStand & {
  readonly pods: ReturnType<typeof verbs>
  /** With so many pods; what is there already is scaled. */
  readonly scale: (name: string, replicas: number) => Promise<void>
  readonly removeSet: (name: string) => Promise<void>
  /** It is deleted, and made again. */
  readonly remake: (name: string) => Promise<KubeObject>
}

const cni = { group: 'k8s.cni.cncf.io', version: 'v1' }
const openstackFolder = fileURLToPath(new URL('../../deploy/embedded', import.meta.url))

export async function defineAttachments({ admin }: Cluster): Promise<void> {
  const crds = (await shippedCrds(openstackFolder)).filter(({ name }) => name.includes('cni'))
  await Promise.all(crds.map(({ name, json }) => defineCrd(admin, name, json)))
}

export async function newStickyStand(
  cluster: Cluster,
  namespace: string,
  { isAsked = true, sticky = 'InternalApi=172.17.0.60-172.17.0.62' } = {},
): Promise<StickyStand> {
  const { admin } = cluster
  const stand = await newIpSetStand(cluster, namespace, {
    annotations: { 'berth.dev/sticky': sticky },
  })
  if (isAsked) {
    const labels = { 'berth.dev/sticky-pods': 'true' }
    const body = { metadata: { labels } }
    await verbs(admin, core('namespaces')).patch(namespace, { type: merge, body })
  }
  await verbs(admin, { ...cni, plural: 'network-attachment-definitions', namespace }).create({
    ...typeOf('NetworkAttachmentDefinition'),
    metadata: {
      name: 'internalapi-sticky',
      annotations: { 'berth.dev/network': 'InternalApi' },
    },
    spec: { config: JSON.stringify(attachmentConfig) },
  })
  const pods = verbs(admin, core('pods', namespace))
  const makers = isEmbedded ? byHand(pods, namespace) : byController(cluster, pods, namespace)
  return { ...stand, pods, ...makers }
}

type Makers = Pick<StickyStand, 'scale' | 'removeSet' | 'remake'>

const template = (namespace: string) => ({
  metadata: {
    labels: { app: 'ovn' },
    annotations: {
      'k8s.v1.cni.cncf.io/networks': JSON.stringify(asked.map((one) => ({ ...one, namespace }))),
    },
  },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'none' }] },
})

function byController(
  { admin }: Cluster,
  pods: ReturnType<typeof verbs>,
  namespace: string,
): Makers {
  const sets = verbs(admin, { group: 'apps', version: 'v1', plural: 'statefulsets', namespace })
  return {
    async scale(name, replicas) {
      const isThere = (await sets.list()).items.some(({ metadata }) => metadata.name === name)
      if (isThere) await sets.patch(name, { type: merge, body: { spec: { replicas } } })
      else {
        const selector = { matchLabels: { app: 'ovn' } }
        const spec = { replicas, selector, serviceName: 'ovn', podManagementPolicy: 'Parallel' }
        await sets.create({ metadata: { name }, spec: { ...spec, template: template(namespace) } })
      }
    },
    async removeSet(name) {
      await sets.remove(name)
      await until('its pods are gone', async () =>
        (await pods.list()).items.length === 0 ? true : undefined,
      )
    },
    async remake(name) {
      const { uid } = (await pods.get(name)).metadata
      await pods.remove(name)
      return until(`${name} is made again`, async () => {
        const pod = await pods.get(name).catch(() => undefined)
        return pod === undefined || pod.metadata.uid === uid ? undefined : pod
      })
    },
  }
}

/** As the controller makes them. */
function byHand(pods: ReturnType<typeof verbs>, namespace: string): Makers {
  const uids = new Map<string, string>()
  const make = (name: string) => {
    const set = name.replace(/-\d+$/, '')
    const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: set, controller: true }
    const { metadata, spec } = template(namespace)
    const ownerReferences = [{ ...owner, uid: uids.get(set) ?? '' }]
    const labels = { ...metadata.labels, 'statefulset.kubernetes.io/pod-name': name }
    return pods.create({ metadata: { ...metadata, name, labels, ownerReferences }, spec })
  }
  return {
    async scale(name, replicas) {
      if (!uids.has(name)) uids.set(name, `00000000-0000-4000-8000-00000000000${uids.size}`)
      const known = new Set((await pods.list()).items.map(({ metadata }) => metadata.name))
      const wanted = Array.from({ length: replicas }, (_, at) => `${name}-${at}`)
      const made = wanted.filter((pod) => !known.has(pod)).map((pod) => make(pod).catch(() => 0))
      await Promise.all(made)
    },
    async removeSet(name) {
      const { items } = await pods.list()
      await Promise.all(items.map(({ metadata }) => pods.remove(metadata.name)))
      uids.delete(name)
    },
    async remake(name) {
      await pods.remove(name)
      return make(name)
    },
  }
}

/** The shipped webhook for pods, answered by the controller; gone with what is handed back. */
export async function serveWebhook(
  { admin }: Cluster,
  { controller }: Running,
): Promise<() => Promise<void>> {
  const crds = (await shippedCrds()).map(({ crd }) => crd)
  const world = () => (controller.isIn ? controller.world : undefined)
  const webhooks = await startWebhooks({
    api: admin,
    gate: admission({ crds, check, checkDelete, bgpMode: 'native' }),
    world,
    lastKnown: world,
    complete: controller.complete.bind(controller),
    namespace: ownNamespace,
    port: 0,
    host: '127.0.0.1',
    names: ['127.0.0.1'],
    // The configuration comes after it, and is looked for in rounds.
    clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 300), signal) },
    random: Math.random,
    now: () => new Date(),
    log: () => undefined,
  })
  const plural = 'mutatingwebhookconfigurations'
  const hooks = verbs(admin, { group: 'admissionregistration.k8s.io', version: 'v1', plural })
  await hooks.remove('berth-openstack-webhook-configuration').catch(() => undefined)
  await hooks.create(await podWebhook(`https://127.0.0.1:${webhooks.port}`))
  await until(
    'the API server knows whom to trust',
    async () => {
      const found = await hooks.get('berth-openstack-webhook-configuration')
      const { webhooks: [hook] = [] } = found as unknown as {
        webhooks?: { clientConfig: { caBundle?: string } }[]
      }
      return hook?.clientConfig.caBundle === undefined ? undefined : true
    },
    60_000,
  )
  return () => webhooks.close()
}

type Hook = { name: string; clientConfig: { service: { path: string } } }

async function podWebhook(url: string): Promise<object> {
  const path = '../../deploy/kustomize/openstack/rights/webhooks.yaml'
  const file = fileURLToPath(new URL(path, import.meta.url))
  const reads = await Array.fromAsync(readManifests([file], Readable.from([])))
  const found = reads
    .flatMap((read) => (read.ok ? [read.manifest.json] : []))
    .find(({ kind }) => kind === 'MutatingWebhookConfiguration')
  const { webhooks, ...rest } = found as unknown as { webhooks: readonly Hook[] }
  const pods = webhooks.filter(({ name }) => name.startsWith('pod'))
  return {
    ...rest,
    webhooks: pods.map((hook) => ({
      ...hook,
      clientConfig: { url: `${url}${hook.clientConfig.service.path}` },
    })),
  }
}
