// How do manifests get into the API? By server-side apply with our own field manager, definitions
// and namespaces first. A refusal is reported and does not stop the rest.
import type { JsonObject } from '../../core/model/gate.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { ApiError } from '../../edge/kube/api/fault.ts'
import { pathOf, type Resource } from '../../edge/kube/api/resource.ts'
import { type ServedKind, ServedKinds } from '../../edge/kube/api/servedKinds.ts'
import { Fields, isRecord } from '../../edge/kube/decode/fields.ts'

type Applied = {
  readonly json: JsonObject
  /** Kind and name, for messages. */
  readonly object: string
  /** Why it was refused, if it was. */
  readonly why?: string
}

/** Objects that others depend on go first. */
function rank({ kind }: JsonObject): number {
  if (kind === 'CustomResourceDefinition') return 0
  return kind === 'Namespace' ? 1 : 2
}

/** One result for each object, in the order applied. */
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

/** Adds kubectl's last-applied annotation, so that the next `kubectl apply` can remove fields. */
function remembered(json: JsonObject): JsonObject {
  const metadata = isRecord(json['metadata']) ? json['metadata'] : {}
  const annotations = isRecord(metadata['annotations']) ? metadata['annotations'] : {}
  const text = JSON.stringify(json)
  // Annotations are limited to 256 KB in total; server-side apply does not need this one.
  if (text.length > mostRemembered) return json
  return {
    ...json,
    metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: text } },
  }
}

/** Adds kubectl's default namespace if none is given. */
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
