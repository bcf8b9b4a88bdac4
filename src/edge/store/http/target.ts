// What does a request ask for? Method and path, read as Kubernetes reads them.

import type { Kinds, RequestedKind } from '../kinds/kinds.ts'
import type { StoredKind } from '../kinds/storedKind.ts'
import { badRequest, done, type Outcome, type Refused } from '../values/status.ts'
import { notFound, notServed } from '../write/refusals.ts'
import { methodNotAllowed, noPage, notHere } from './refusals.ts'

/** `head`, `options` and others are verbs too, which no resource serves. */
export type ResourceTarget = {
  readonly type: 'resource'
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly plural: string
  /** For a Namespace its own name, so that a user of that namespace can read it. */
  readonly namespace: string | undefined
  readonly name: string | undefined
  readonly subresource: string | undefined
}
type PathTarget = {
  readonly type: 'path'
  readonly verb: string
  readonly path: string
}
export type Target = ResourceTarget | PathTarget

type Asked = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
}

const objectVerbs = new Map([
  ['GET', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
])
const collectionVerbs = new Map([
  ['GET', 'list'],
  ['POST', 'create'],
  ['DELETE', 'deletecollection'],
])

/** Refuses paths that cannot be decoded; whether the resource exists is checked later. */
export function targetOf({ method, path, query }: Asked): Outcome<Target> {
  const decoded = decodedPath(path)
  if (decoded === undefined) return badRequest(`the path ${JSON.stringify(path)} is malformed`)
  const [root, ...rest] = decoded.replace(/^\//, '').replace(/\/$/, '').split('/')
  const [group, version, ...below] = root === 'api' ? ['', ...rest] : rest
  const isResource = (root === 'api' || root === 'apis') && below.length > 0
  if (!isResource || group === undefined || version === undefined) {
    return done({ type: 'path', verb: method.toLowerCase(), path: decoded })
  }
  const place = placeOf(below)
  const verb = verbOf(method, place.name !== undefined, query)
  return done({ type: 'resource', verb, group, version, ...place })
}

function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

type PathParts = Pick<ResourceTarget, 'plural' | 'namespace' | 'name' | 'subresource'>

function placeOf(segments: readonly string[]): PathParts {
  const [first = '', namespace, third] = segments
  const isWithin = first === 'namespaces' && third !== undefined && third !== 'status'
  const [plural = '', name, ...deeper] = isWithin ? segments.slice(2) : segments
  const subresource = deeper.length === 0 ? undefined : deeper.join('/')
  return { plural, namespace: first === 'namespaces' ? namespace : undefined, name, subresource }
}

function verbOf(method: string, hasName: boolean, query: URLSearchParams): string {
  if (hasName) return objectVerbs.get(method) ?? method.toLowerCase()
  if (method === 'GET' && isSet(query.get('watch'))) return 'watch'
  return collectionVerbs.get(method) ?? method.toLowerCase()
}

/** Only `false` and `0` mean no, as in Kubernetes; `?watch` alone means yes. */
export const isSet = (value: string | null): boolean =>
  value !== null && value !== '0' && value.toLowerCase() !== 'false'

const ofObjects = new Set([...objectVerbs.values()])
const ofCollections = new Set([...collectionVerbs.values(), 'watch'])
const ofStatus = new Set(['get', 'update', 'patch'])

/** A missing resource of a built-in group gets a Status; of another, plain text. */
export const isOwnGroup = (kinds: Kinds, group: string): boolean =>
  group === '' || kinds.all().some((kind) => kind.isBuiltIn && kind.group === group)

/** The requested kind, if it is served at this path with this verb. */
export function kindAt(target: ResourceTarget, kinds: Kinds): Outcome<RequestedKind> {
  const nothing = isOwnGroup(kinds, target.group) ? notServed : noPage
  const found = kinds.find(target.group, target.version, target.plural)
  if (found === undefined || !isPlaced(target, found.kind)) return nothing
  const { name, subresource, verb } = target
  if (subresource !== undefined) {
    const isServed = subresource === 'status' && found.version.hasStatus
    if (!isServed) return noSubresource(found.kind, name ?? '', subresource)
    return ofStatus.has(verb) ? done(found) : methodNotAllowed
  }
  const verbs = name === undefined ? ofCollections : ofObjects
  if (!verbs.has(verb)) return methodNotAllowed
  if (verb === 'list' || verb === 'watch' || !isOfAll(target, found.kind)) return done(found)
  return found.kind.isBuiltIn ? methodNotAllowed : noPage
}

/** A known subresource is refused by name; otherwise the object would seem to be missing. */
function noSubresource(kind: StoredKind, name: string, subresource: string): Refused {
  if (!kind.isBuiltIn) return notFound(kind, name)
  const [first = ''] = subresource.split('/')
  const what = `${kind.plural}/${first}`
  return leftOut.has(what) ? notHere(what) : notServed
}

/** Subresources of Kubernetes that this API does not serve. */
const leftOut = new Set([
  'deployments/scale',
  'nodes/proxy',
  'pods/attach',
  'pods/binding',
  'pods/ephemeralcontainers',
  'pods/eviction',
  'pods/exec',
  'pods/log',
  'pods/portforward',
  'pods/proxy',
  'pods/resize',
  'serviceaccounts/token',
  'services/proxy',
])

/** Whether the namespace and the name fit the scope of the kind. */
function isPlaced({ namespace, name, plural }: ResourceTarget, kind: StoredKind): boolean {
  if (namespace === '' || name === '' || plural === '') return false
  if (kind.isNamespaced) return namespace !== undefined || name === undefined
  return namespace === undefined || (kind.plural === 'namespaces' && name === namespace)
}

/** Across all namespaces only reading is allowed; Namespaces are deleted one by one. */
const isOfAll = ({ namespace, verb }: ResourceTarget, kind: StoredKind): boolean =>
  kind.isNamespaced
    ? namespace === undefined
    : verb === 'deletecollection' && kind.isBuiltIn && kind.plural === 'namespaces'
