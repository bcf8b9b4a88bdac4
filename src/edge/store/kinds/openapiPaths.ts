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
    ...(kind.isNamespaced ? { [`${root}/${kind.plural}`]: { get: listing(place, 'all') } } : {}),
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
  return { ...paths, [`${collection}/{name}/status`]: { ...changing(place, 'Status'), parameters } }
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
  readonly action: keyof typeof verbs
  /** Of a subresource, or of all namespaces. */
  readonly of?: 'Status' | 'all'
  readonly gives: string
  readonly takes?: string
  readonly types?: readonly string[]
  readonly parameters?: readonly JsonObject[]
}

/** As Kubernetes calls them; generators of clients make functions of these. */
const verbs = {
  delete: 'delete',
  deletecollection: 'deleteCollection',
  get: 'read',
  list: 'list',
  patch: 'patch',
  post: 'create',
  put: 'replace',
} as const

function operationId({ kind, version }: DocumentedKind, { action, of }: What): string {
  const words = kind.isBuiltIn ? kind.group.replace(/\.k8s\.io$/, '') || 'core' : kind.group
  const group = [...words.split('.'), version].map((word) => word.replace(/^./, upper)).join('')
  if (of === 'all') return `${verbs[action]}${group}${kind.kind}ForAllNamespaces`
  const place = kind.isNamespaced ? 'Namespaced' : ''
  return `${verbs[action]}${group}${place}${kind.kind}${of ?? ''}`
}

const upper = (letter: string): string => letter.toUpperCase()

function operation(place: DocumentedKind, what: What): JsonObject {
  const { kind, version } = place
  const { action, gives, takes, types, parameters = ofWrites } = what
  const body = takes === undefined ? {} : { requestBody: { content: content(takes, types) } }
  return {
    operationId: operationId(place, what),
    parameters,
    ...body,
    responses: { 200: { description: 'OK', content: content(gives) } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group: kind.group, version, kind: kind.kind },
  }
}

const listing = (place: DocumentedKind, of?: 'all'): JsonObject =>
  operation(place, { action: 'list', gives: place.list, parameters: ofLists, ...(of && { of }) })

const patchTypes = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
]
const builtInPatchTypes = [...patchTypes, 'application/strategic-merge-patch+json']

function changing(place: DocumentedKind, of?: 'Status'): JsonObject {
  const { one } = place
  const about = of && { of }
  const types = place.kind.isBuiltIn ? builtInPatchTypes : patchTypes
  return {
    get: operation(place, { action: 'get', gives: one, parameters: [], ...about }),
    put: operation(place, { action: 'put', takes: one, gives: one, ...about }),
    patch: operation(place, {
      action: 'patch',
      takes: patch,
      gives: one,
      types,
      parameters: ofPatches,
      ...about,
    }),
  }
}
