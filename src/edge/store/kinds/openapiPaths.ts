// Which OpenAPI paths does a kind have? As much as clients read: kubectl looks for the kind, its
// patch types and fieldValidation.
import type { JsonObject } from '../../../core/model/gate.ts'
import type { StoredKind } from './storedKind.ts'

type DocumentedKind = {
  readonly kind: StoredKind
  readonly version: string
  /** The names of their definitions. */
  readonly one: string
  readonly list: string
}

export function pathsOf(place: DocumentedKind): Readonly<Record<string, JsonObject>> {
  const { kind, version } = place
  const root = kind.group === '' ? `/api/${version}` : `/apis/${kind.group}/${version}`
  const inNamespace = `${root}/namespaces/{namespace}`
  const collection = `${kind.isNamespaced ? inNamespace : root}/${kind.plural}`
  const { hasStatus } = kind.versions.find(({ name }) => name === version) ?? { hasStatus: false }
  const paths = {
    ...(kind.isNamespaced ? { [`${root}/${kind.plural}`]: { get: listing(place) } } : {}),
    [collection]: {
      get: listing(place),
      post: operation(place, { action: 'post', takes: place.one, gives: place.one }),
      delete: operation(place, { action: 'deletecollection', takes: deleteOptions, gives: status }),
      parameters: kind.isNamespaced ? [namespace] : [],
    },
    [`${collection}/{name}`]: {
      ...changing(place),
      delete: operation(place, { action: 'delete', takes: deleteOptions, gives: status }),
      parameters: [nameOf(kind), ...(kind.isNamespaced ? [namespace] : [])],
    },
  }
  if (!hasStatus) return paths
  const parameters = [nameOf(kind), ...(kind.isNamespaced ? [namespace] : [])]
  return { ...paths, [`${collection}/{name}/status`]: { ...changing(place), parameters } }
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const deleteOptions = `${meta}.DeleteOptions`
const status = `${meta}.Status`
const patch = `${meta}.Patch`
/** The definitions that the paths refer to, besides the kind. */
export const usedByPaths: readonly string[] = [deleteOptions, status, patch]

const inPath = (name: string, description: string): JsonObject => ({
  name,
  in: 'path',
  description,
  required: true,
  schema: { type: 'string', uniqueItems: true },
})
const namespace = inPath('namespace', 'object name and auth scope, such as for teams and projects')
const nameOf = ({ kind }: StoredKind): JsonObject => inPath('name', `name of the ${kind}`)

const asked = (name: string, type: string): JsonObject => ({
  name,
  in: 'query',
  schema: { type, uniqueItems: true },
})
const ofLists = [
  asked('allowWatchBookmarks', 'boolean'),
  asked('continue', 'string'),
  asked('fieldSelector', 'string'),
  asked('labelSelector', 'string'),
  asked('limit', 'integer'),
  asked('resourceVersion', 'string'),
  asked('resourceVersionMatch', 'string'),
  asked('sendInitialEvents', 'boolean'),
  asked('timeoutSeconds', 'integer'),
  asked('watch', 'boolean'),
]
const ofWrites = [
  asked('dryRun', 'string'),
  asked('fieldManager', 'string'),
  asked('fieldValidation', 'string'),
]
const ofPatches = [...ofWrites, asked('force', 'boolean')]

const content = (name: string, types: readonly string[] = ['application/json']): JsonObject => {
  const schema = { $ref: `#/components/schemas/${name}` }
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}

type What = {
  readonly action: string
  readonly gives: string
  readonly takes?: string
  readonly types?: readonly string[]
  readonly parameters?: readonly JsonObject[]
}

function operation({ kind, version }: DocumentedKind, what: What): JsonObject {
  const { action, gives, takes, types, parameters = ofWrites } = what
  const body = takes === undefined ? {} : { requestBody: { content: content(takes, types) } }
  return {
    parameters,
    ...body,
    responses: { 200: { description: 'OK', content: content(gives) } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group: kind.group, version, kind: kind.kind },
  }
}

const listing = (place: DocumentedKind): JsonObject =>
  operation(place, { action: 'list', gives: place.list, parameters: ofLists })

const patchTypes = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
]
const builtInPatchTypes = [...patchTypes, 'application/strategic-merge-patch+json']

function changing(place: DocumentedKind): JsonObject {
  const { one } = place
  const types = place.kind.isBuiltIn ? builtInPatchTypes : patchTypes
  return {
    get: operation(place, { action: 'get', gives: one, parameters: [] }),
    put: operation(place, { action: 'put', takes: one, gives: one }),
    patch: operation(place, {
      action: 'patch',
      takes: patch,
      gives: one,
      types,
      parameters: ofPatches,
    }),
  }
}
