// Whom does the API server trust when it calls us? It is told in the webhook configuration and in
// the CRD that wants conversion, and only where they name us: MetalLB's own are not touched.
import type { JsonObject } from '../../core/model/gate.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { ApiError } from '../../edge/kube/api/fault.ts'
import { ifThere } from '../../edge/kube/api/notFound.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'
import { untilInTime } from '../../edge/kube/write/race.ts'

const ours = 'berth-webhook-configuration'
/** With its own rights: without them it is not installed. */
const openstacks = 'berth-openstack-webhook-configuration'
const configured = [
  { kind: 'ValidatingWebhookConfiguration', name: ours },
  { kind: 'ValidatingWebhookConfiguration', name: openstacks },
  { kind: 'MutatingWebhookConfiguration', name: openstacks },
] as const

type BundleParts = {
  readonly api: Api
  /** That the certificate is good for. */
  readonly names: readonly string[]
  /** Authorities, PEM. */
  readonly bundle: string
}

const crds = resourceOf('CustomResourceDefinition')

/** Writes nothing where it is known already, nor where an object is not installed. */
export async function publishBundle(parts: BundleParts): Promise<void> {
  for (const { kind, name } of configured) {
    await untilInTime(() => inConfiguration(parts, pathOf(resourceOf(kind), name)))
  }
  await untilInTime(() => inConversion(parts))
}

async function inConfiguration({ api, names, bundle }: BundleParts, path: string): Promise<void> {
  const found = await read(api, path)
  const caBundle = Buffer.from(bundle).toString('base64')
  const webhooks = (found?.each('webhooks') ?? [])
    .filter((webhook) => isOutdated(webhook.inner('clientConfig'), names, caBundle))
    .map((webhook) => ({ name: webhook.text('name'), clientConfig: { caBundle } }))
  if (found === undefined || webhooks.length === 0) return
  await api.call({
    method: 'PATCH',
    path,
    contentType: 'application/strategic-merge-patch+json',
    body: { metadata: versionOf(found), webhooks },
  })
}

async function inConversion({ api, names, bundle }: BundleParts): Promise<void> {
  const path = pathOf(crds, 'bgppeers.metallb.io')
  const found = await read(api, path)
  const caBundle = Buffer.from(bundle).toString('base64')
  const config = found?.inner('spec').inner('conversion').inner('webhook').inner('clientConfig')
  if (found === undefined || config === undefined || !isOutdated(config, names, caBundle)) return
  await api.call({
    method: 'PATCH',
    path,
    contentType: 'application/merge-patch+json',
    body: {
      metadata: versionOf(found),
      spec: { conversion: { webhook: { clientConfig: { caBundle } } } },
    },
  })
}

async function read(api: Api, path: string): Promise<Fields | undefined> {
  const json = await ifThere(api.call({ method: 'GET', path })).catch((error: unknown) => {
    const isHidden = error instanceof ApiError && error.code === 403 && path.endsWith(openstacks)
    if (!isHidden) throw error
  })
  return json === undefined ? undefined : new Fields(json, [])
}

function isOutdated(config: Fields, names: readonly string[], caBundle: string): boolean {
  return names.includes(hostIn(config)) && config.text('caBundle') !== caBundle
}

/** The name by which the API server would call, and check the certificate against. */
function hostIn(config: Fields): string {
  const service = config.inner('service')
  if (service.has('name')) return `${service.text('name')}.${service.text('namespace')}.svc`
  const url = config.text('url')
  return URL.canParse(url) ? new URL(url).hostname : ''
}

const versionOf = (found: Fields): JsonObject => ({
  resourceVersion: found.inner('metadata').text('resourceVersion'),
})
