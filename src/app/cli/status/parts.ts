// How are the parts around the controller? Asked of the API: how it answers itself, who serves its
// webhooks, and how many speakers are ready.
import { type Part, speakerPart, webhookPart } from '../../../core/policy/status/partsHealth.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { fieldsOf, type Look } from './look.ts'

/** `reporting`: how many nodes say what interfaces they have. */
export async function readParts(look: Look, reporting: number): Promise<readonly Part[]> {
  const { isOurs, ...api } = await readApi(look)
  const [webhooks, speakers] = await Promise.all([
    isOurs ? checksItself : orUnknown('webhooks', () => readWebhooks(look)),
    orUnknown('speakers', () => readSpeakers(look, reporting)),
  ])
  return [api, webhooks, speakers]
}

const checksItself: Part = {
  part: 'webhooks',
  state: 'well',
  message: "not needed: the API of 'berth up' checks changes itself",
}

async function readApi({ api }: Look): Promise<Part & { readonly isOurs: boolean }> {
  const beganMs = performance.now()
  const answer = new Fields(await api.call({ method: 'GET', path: '/version' }), [])
  const tookMs = Math.round(performance.now() - beganMs)
  const version = answer.text('gitVersion')
  const message = `Kubernetes ${version}, answered in ${tookMs} ms`
  return { part: 'API', state: 'well', message, isOurs: version.includes('+berth-') }
}

async function readWebhooks(look: Look): Promise<Part> {
  const configurations = await fieldsOf(look, 'ValidatingWebhookConfiguration')
  const ours = configurations.find((one) => metaOf(one).name === 'berth-webhook-configuration')
  if (ours === undefined) return webhookPart(undefined)
  const hooks = ours.each('webhooks')
  const slices = await fieldsOf(look, 'EndpointSlice', look.namespace)
  const servers = slices
    .filter((one) => metaOf(one).labels['kubernetes.io/service-name'] === 'berth-webhook-service')
    .flatMap((one) => one.each('endpoints'))
    .filter((endpoint) => endpoint.inner('conditions').flag('ready') !== false)
  return webhookPart({
    hasCertificate: hooks.every((one) => one.inner('clientConfig').text('caBundle') !== ''),
    servers: servers.length,
    isStrict: hooks.some((one) => one.text('failurePolicy') === 'Fail'),
  })
}

async function readSpeakers(look: Look, reporting: number): Promise<Part> {
  const daemonSets = await fieldsOf(look, 'DaemonSet', look.namespace)
  const status = daemonSets.find((one) => metaOf(one).name === 'berth-speaker')?.inner('status')
  if (status === undefined) return speakerPart(undefined, reporting)
  const ready = status.number('numberReady') ?? 0
  return speakerPart({ ready, wanted: status.number('desiredNumberScheduled') ?? 0 }, reporting)
}

/** Rights may be missing: the rest of the page is as good without. */
async function orUnknown(part: Part['part'], read: () => Promise<Part>): Promise<Part> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 403) throw error
    return { part, state: 'unknown', message: deniedText(error) }
  }
}

/** As Kubernetes says it: User "x" cannot list resource "daemonsets" in API group "apps". */
function deniedText({ message }: ApiError): string {
  const [, verb, resource] = /cannot (\w+) resource "([^"]+)"/.exec(message) ?? []
  return verb === undefined ? message : `you have no right to ${verb} ${resource}`
}
