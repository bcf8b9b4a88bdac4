// What do the webhook tests stand on? Rights, the configuration that is shipped, and who may ask.
import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { Readable } from 'node:stream'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import type { Api } from '../../src/edge/kube/api/client.ts'
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { readManifests } from '../../src/edge/manifests/readManifests.ts'
import { kube, verbs } from './cluster.ts'

export const namespace = 'webhooks'

/** What the controller may do for its webhooks, and no more. */
const rights = [
  {
    scope: 'Role',
    rules: [
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
      {
        apiGroups: [''],
        resources: ['secrets'],
        resourceNames: ['berth-webhook-cert'],
        verbs: ['get', 'patch'],
      },
    ],
  },
  {
    scope: 'ClusterRole',
    rules: [
      {
        apiGroups: ['admissionregistration.k8s.io'],
        resources: ['validatingwebhookconfigurations'],
        resourceNames: ['berth-webhook-configuration'],
        verbs: ['get', 'patch'],
      },
      {
        apiGroups: ['apiextensions.k8s.io'],
        resources: ['customresourcedefinitions'],
        resourceNames: ['bgppeers.metallb.io'],
        verbs: ['get', 'patch'],
      },
    ],
  },
]

/** What is handed back takes them away again. */
export async function grantRights(admin: Api): Promise<() => Promise<void>> {
  const undo: (() => Promise<unknown>)[] = []
  const apiGroup = 'rbac.authorization.k8s.io'
  const of = (plural: string): Resource => ({ group: apiGroup, version: 'v1', plural })
  for (const { scope, rules } of rights) {
    const isCluster = scope === 'ClusterRole'
    const place = isCluster ? {} : { namespace }
    const metadata = { name: 'webhook-suite' }
    const roleRef = { apiGroup, kind: scope, name: 'webhook-suite' }
    const subjects = [{ apiGroup, kind: 'User', name: 'berth' }]
    const [roles, bindings] = isCluster
      ? (['clusterroles', 'clusterrolebindings'] as const)
      : (['roles', 'rolebindings'] as const)
    const grants = { [roles]: { metadata, rules }, [bindings]: { metadata, roleRef, subjects } }
    for (const [plural, body] of Object.entries(grants)) {
      const resource = verbs(admin, { ...of(plural), ...place })
      await resource.create(body)
      undo.push(() => resource.remove(metadata.name))
    }
  }
  return async () => {
    for (const each of undo) await each()
  }
}

export type Hook = {
  readonly name: string
  readonly clientConfig: {
    readonly url?: string
    readonly service?: { readonly path?: string }
    readonly caBundle?: string
  }
}
export type Configuration = { readonly webhooks: readonly Hook[] }

/** The one that is shipped, for our namespace, calling the port instead of the Service. */
export async function shippedConfiguration(url: string): Promise<Configuration> {
  const path = '../../deploy/kustomize/controller/webhooks.yaml'
  const file = fileURLToPath(new URL(path, import.meta.url))
  const reads = await Array.fromAsync(readManifests([file], Readable.from([])))
  const found = reads
    .flatMap((read) => (read.ok ? [read.manifest.json] : []))
    .find(({ kind }) => kind === 'ValidatingWebhookConfiguration')
  const text = JSON.stringify(found).replaceAll('metallb-system', namespace)
  const configuration = JSON.parse(text) as Configuration
  const webhooks = configuration.webhooks.map((hook) => ({
    ...hook,
    clientConfig: { url: `${url}${hook.clientConfig.service?.path}` },
  }))
  return { ...configuration, webhooks }
}

/** Neither is ever called: they only show whose trust is ours to state. */
export const bystander = (name: string, serviceName: string): object => ({
  name,
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  failurePolicy: 'Ignore',
  clientConfig: { service: { name: serviceName, namespace } },
  rules: [{ apiGroups: ['none'], apiVersions: ['*'], resources: ['none'], operations: ['CREATE'] }],
})

/** The certificate that is served there. */
export function presented(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const given = { host: '127.0.0.1', port, rejectUnauthorized: false }
    const socket = connect(given, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw).toString())
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

export type Ran = { readonly code: number; readonly out: string; readonly err: string }

/** Not in this thread: the API server asks us while kubectl waits. */
function kubectl(input: object, ...args: readonly string[]): Promise<Ran> {
  const config = `--kubeconfig=${kube.folder}/webhooks.kubeconfig`
  return new Promise((resolve) => {
    const run = execFile(inject('kubectl'), [config, ...args], (error, out, err) => {
      resolve({ code: error === null ? 0 : 1, out, err })
    })
    run.stdin?.end(JSON.stringify(input))
  })
}
export const applied = (input: object, ...more: readonly string[]): Promise<Ran> =>
  kubectl(input, 'apply', '-f', '-', ...more)
