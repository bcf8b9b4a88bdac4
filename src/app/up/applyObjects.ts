// How do manifests get into the API? Applied by the server under a manager of our own, definitions
// and namespaces first; what is refused is told and stops nothing else.
import type { JsonObject } from '../../core/model/gate.ts'
import type { Api } from '../../edge/kube/api/client.ts'
import { ApiError } from '../../edge/kube/api/fault.ts'
import { pathOf, type Resource } from '../../edge/kube/api/resource.ts'
import { Fields, isRecord } from '../../edge/kube/decode/fields.ts'

export type Applied = {
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
  const places = new Map<string, Promise<readonly Served[]>>()
  for (const json of [...objects].sort((a, b) => rank(a) - rank(b))) {
    const object = titleOf(json)
    try {
      const resource = await resourceFor(api, json, places)
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

type Served = { readonly kind: string; readonly plural: string; readonly isNamespaced: boolean }

async function resourceFor(
  api: Api,
  json: JsonObject,
  places: Map<string, Promise<readonly Served[]>>,
): Promise<Resource | undefined> {
  const { group, version, path } = placeOf(json)
  // Definitions that were just applied are served from then on.
  const listing = places.get(path) ?? served(api, path)
  const found = (await listing).find(({ kind }) => kind === json['kind'])
  if (found === undefined) return undefined
  places.set(path, listing)
  const { plural, isNamespaced } = found
  const namespace = new Fields(json, []).inner('metadata').text('namespace') || 'default'
  return { group, version, plural, ...(isNamespaced ? { namespace } : {}) }
}

async function served(api: Api, path: string): Promise<readonly Served[]> {
  try {
    const answer = await api.call({ method: 'GET', path })
    const resources = isRecord(answer) ? answer['resources'] : undefined
    return (Array.isArray(resources) ? resources : []).filter(isRecord).map((one) => ({
      kind: String(one['kind']),
      plural: String(one['name']),
      isNamespaced: one['namespaced'] === true,
    }))
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return []
    throw error
  }
}

function placeOf(json: JsonObject) {
  const apiVersion = String(json['apiVersion'])
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  return { group, version, path: group === '' ? `/api/${version}` : `/apis/${apiVersion}` }
}

const kindOf = (json: JsonObject): string => `${String(json['kind'])} of ${json['apiVersion']}`

function titleOf(json: JsonObject): string {
  const metadata = new Fields(json, []).inner('metadata')
  const namespace = metadata.text('namespace')
  const name = metadata.text('name')
  return `${String(json['kind'])} ${namespace === '' ? name : `${namespace}/${name}`}`
}
