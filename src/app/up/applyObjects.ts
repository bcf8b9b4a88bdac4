// How do manifests get into the API? Applied by the server under a manager of our own, definitions
// and namespaces first; what is refused is told and stops nothing else.
import type { JsonObject } from '../../core/model/gate.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { ApiError } from '../../edge/kube/api/fault.ts'
import { pathOf, type Resource } from '../../edge/kube/api/resource.ts'
import { type ServedKind, ServedKinds } from '../../edge/kube/api/servedKinds.ts'
import { Fields, isRecord } from '../../edge/kube/decode/fields.ts'

type Applied = {
  readonly json: JsonObject
  /** What it is called. */
  readonly object: string
  /** Why it was refused, if it was. */
  readonly why?: string
}

/** What others rest on goes first. */
function rank({ kind }: JsonObject): number {
  if (kind === 'CustomResourceDefinition') return 0
  return kind === 'Namespace' ? 1 : 2
}

/** One line for each object, in the order in which they were applied. */
export async function* applyObjects(
  api: Api,
  objects: readonly JsonObject[],
): AsyncGenerator<Applied> {
  const served = new ServedKinds(api)
  for (const json of [...objects].sort((a, b) => rank(a) - rank(b))) {
    const object = titleOf(json)
    try {
      const resource = placed(
        await served.find(String(json['apiVersion']), String(json['kind'])),
        json,
      )
      if (resource === undefined)
        yield { json, object, why: `this API does not serve ${kindOf(json)}` }
      else {
        await applyOne(api, resource, json)
        yield { json, object }
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      yield { json, object, why: error.message.replace(/^\S+ \S+ \d+ /, '') }
    }
  }
}

async function applyOne(api: Api, resource: Resource, json: JsonObject): Promise<void> {
  const name = new Fields(json, []).inner('metadata').text('name')
  await api.call({
    method: 'PATCH',
    path: pathOf(resource, name),
    query: { fieldManager: 'berth-up', force: 'true' },
    contentType: 'application/apply-patch+yaml',
    body: remembered(json),
  })
}

const mostRemembered = 200_000
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** As `kubectl apply` leaves it, so that the next one knows what it may take away. */
function remembered(json: JsonObject): JsonObject {
  const metadata = isRecord(json['metadata']) ? json['metadata'] : {}
  const annotations = isRecord(metadata['annotations']) ? metadata['annotations'] : {}
  const text = JSON.stringify(json)
  // All annotations together may have 256 KB; a server-side apply needs none of this.
  if (text.length > mostRemembered) return json
  return {
    ...json,
    metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: text } },
  }
}

/** kubectl's default where none is written. */
function placed(found: ServedKind | undefined, json: JsonObject): Resource | undefined {
  if (found === undefined) return undefined
  const namespace = new Fields(json, []).inner('metadata').text('namespace') || 'default'
  return found.isNamespaced ? { ...found.resource, namespace } : found.resource
}

const kindOf = (json: JsonObject): string => `${String(json['kind'])} of ${json['apiVersion']}`

function titleOf(json: JsonObject): string {
  const metadata = new Fields(json, []).inner('metadata')
  const namespace = metadata.text('namespace')
  const name = metadata.text('name')
  return `${String(json['kind'])} ${namespace === '' ? name : `${namespace}/${name}`}`
}
