// What does discovery answer? Groups, versions, resources and verbs, as one aggregated document and
// in the older form, one document for each group and version.
import type { JsonObject } from '../../../core/model/gate.ts'
import type { Kinds } from './kinds.ts'
import { reviewKinds } from './reviewKinds.ts'
import { apiVersionOf, type ServedVersion, type StoredKind } from './storedKind.ts'
import { versionOrder } from './versionOrder.ts'

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
/** Namespaces cannot be deleted as a collection, and reviews can only be created. */
function verbsOf(kind: StoredKind): readonly string[] {
  if (reviewKinds.includes(kind)) return ['create']
  const isNamespace = kind.isBuiltIn && kind.kind === 'Namespace'
  return isNamespace ? verbs.filter((verb) => verb !== 'deletecollection') : verbs
}
const ofStatus = ['get', 'patch', 'update']

type Version = { readonly name: string; readonly kinds: readonly StoredKind[] }

const answered = (kinds: Kinds): readonly StoredKind[] => [...reviewKinds, ...kinds.all()]

/** Built-in groups first, then by name. */
function groupsOf(kinds: Kinds): ReadonlyMap<string, readonly StoredKind[]> {
  const groups = new Map<string, StoredKind[]>()
  for (const kind of answered(kinds)) {
    groups.set(kind.group, [...(groups.get(kind.group) ?? []), kind])
  }
  return groups
}

/** Preferred first. */
function versionsOf(kinds: readonly StoredKind[]): readonly Version[] {
  const names = new Set(kinds.flatMap(({ versions }) => versions.map(({ name }) => name)))
  const serving = (name: string) => kinds.filter((kind) => versionIn(kind, name) !== undefined)
  return [...names].sort(versionOrder).map((name) => ({ name, kinds: serving(name) }))
}

const versionIn = ({ versions }: StoredKind, name: string): ServedVersion | undefined =>
  versions.find((version) => version.name === name)

/** APIGroupDiscoveryList of the core group (/api) or of all others (/apis). */
export function aggregated(kinds: Kinds, of: 'core' | 'groups'): JsonObject {
  const groups = [...groupsOf(kinds)].filter(([group]) => (group === '') === (of === 'core'))
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(([name, members]) => ({
      metadata: name === '' ? {} : { name },
      versions: versionsOf(members).map((version) => ({
        version: version.name,
        resources: version.kinds.map((kind) => aggregatedResource(kind, version.name)),
        freshness: 'Current',
      })),
    })),
  }
}

function aggregatedResource(kind: StoredKind, version: string): JsonObject {
  const responseKind = { group: kind.group, version, kind: kind.kind }
  const status = { subresource: 'status', responseKind, verbs: ofStatus }
  return {
    resource: kind.plural,
    responseKind,
    scope: kind.isNamespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: verbsOf(kind),
    ...namesOf(kind),
    ...(versionIn(kind, version)?.hasStatus ? { subresources: [status] } : {}),
  }
}

const namesOf = ({ shortNames, categories }: StoredKind): JsonObject => ({
  ...(shortNames.length === 0 ? {} : { shortNames }),
  ...(categories.length === 0 ? {} : { categories }),
})

/** /api */
export const apiVersions = (serverAddress: string): JsonObject => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
})

/** /apis */
export const apiGroups = (kinds: Kinds): JsonObject => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: [...groupsOf(kinds)]
    .filter(([group]) => group !== '')
    .map(([group, members]) => groupOf(group, members)),
})

/** /apis/GROUP; undefined when there is no such group. */
export function apiGroup(kinds: Kinds, group: string): JsonObject | undefined {
  const members = group === '' ? undefined : groupsOf(kinds).get(group)
  return members && { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group, members) }
}

function groupOf(group: string, members: readonly StoredKind[]): JsonObject {
  const versions = versionsOf(members).map(({ name }) => ({
    groupVersion: `${group}/${name}`,
    version: name,
  }))
  return { name: group, versions, preferredVersion: versions[0] }
}

/** /api/v1 or /apis/GROUP/VERSION; undefined when nothing is served there. */
export function apiResources(kinds: Kinds, group: string, version: string): JsonObject | undefined {
  const isThere = (kind: StoredKind) => kind.group === group && versionIn(kind, version)
  const members = answered(kinds).filter(isThere)
  const [first] = members
  if (first === undefined) return undefined
  const resources = members.flatMap((kind) => plainResources(kind, version))
  const groupVersion = apiVersionOf(first, version)
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources }
}

function plainResources(kind: StoredKind, version: string): readonly JsonObject[] {
  const common = { namespaced: kind.isNamespaced, kind: kind.kind }
  const main = {
    name: kind.plural,
    singularName: kind.singular,
    ...common,
    verbs: verbsOf(kind),
    ...namesOf(kind),
  }
  if (!versionIn(kind, version)?.hasStatus) return [main]
  return [main, { name: `${kind.plural}/status`, singularName: '', ...common, verbs: ofStatus }]
}
