// Is this user allowed to do that? Everything in its scope and what is public, nothing else.
import { apiGroups } from '../../../core/model/apiGroups.ts'
import { resourceOf } from '../kinds/storedKind.ts'
import { type Refused, refused } from '../values/status.ts'
import { masters, type Person } from './person.ts'
import type { ResourceTarget, Target } from './target.ts'

const reading = new Set(['get', 'list', 'watch'])
/** Discovery, OpenAPI, version and health. */
const openPath = /^\/(?:api|apis|openapi|healthz|livez|readyz|version)(?:\/|$)/
const reviews: ReadonlySet<string> = new Set([
  'authentication.k8s.io/selfsubjectreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
])

type Attributes = Pick<
  ResourceTarget,
  'verb' | 'group' | 'plural' | 'namespace' | 'name' | 'subresource'
>

export function may(person: Person, target: Target): boolean {
  return target.type === 'path'
    ? mayAskPath(person, target.verb, target.path)
    : mayDo(person, target)
}

export function mayAskPath({ reach }: Person, verb: string, path: string): boolean {
  if (verb === 'get' && openPath.test(path)) return true
  if (reach === 'nothing' || reach.namespace !== undefined) return false
  return verb === 'get' || !reach.isReadOnly
}

export function mayDo({ reach }: Person, asked: Attributes): boolean {
  const { verb, group, plural, namespace } = asked
  if (verb === 'create' && reviews.has(`${group}/${plural}`)) return true
  if (reach === 'nothing') return false
  // A read-only user must not read the credentials of others.
  if (reach.isReadOnly && (!reading.has(verb) || isSecret(asked))) return false
  if (reach.namespace === undefined) return true
  // Its own Namespace can be read but not changed, as that would affect the cluster.
  const isOwn = namespace === reach.namespace
  // Addresses are given by the controller; Kubernetes has this right in no role for people either.
  if (isDecidedStatus(asked) && !reading.has(verb)) return false
  return group === '' && plural === 'namespaces' ? isOwn && verb === 'get' : isOwn
}

const isSecret = ({ group, plural }: Attributes): boolean => group === '' && plural === 'secrets'

/** By group; in the core group only Services have one. */
const decided = new Set<string>(
  [apiGroups.metallb, apiGroups.berth, apiGroups.openstack].map(({ group }) => group),
)

const isDecidedStatus = ({ group, plural, subresource }: Attributes): boolean =>
  subresource === 'status' && (decided.has(group) || (group === '' && plural === 'services'))

/** Only a user who may do everything may impersonate others. */
export const mayImpersonate = ({ groups, reach }: Person): boolean =>
  groups.includes(masters) &&
  reach !== 'nothing' &&
  reach.namespace === undefined &&
  !reach.isReadOnly

export function forbidden({ user }: Person, target: Target): Refused {
  const who = `User ${JSON.stringify(user)} cannot ${target.verb}`
  if (target.type === 'path') {
    const message = `forbidden: ${who} path ${JSON.stringify(target.path)}`
    return refused({ code: 403, reason: 'Forbidden', message }, {})
  }
  const { group, plural, name, namespace, subresource } = target
  const what = subresource === undefined ? plural : `${plural}/${subresource}`
  const where =
    namespace === undefined
      ? 'at the cluster scope'
      : `in the namespace ${JSON.stringify(namespace)}`
  const resource = resourceOf(target)
  const named = name === undefined ? resource : `${resource} ${JSON.stringify(name)}`
  const asked = `resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`
  const details = {
    ...(name === undefined ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: plural,
  }
  const message = `${named} is forbidden: ${who} ${asked}`
  return refused({ code: 403, reason: 'Forbidden', message }, details)
}

/** Kubernetes 1.36 checks impersonation for each verb. */
export function forbiddenToAct(person: Person, as: Person, target: Target): Refused {
  const kind = as.user.startsWith('system:serviceaccount:') ? 'serviceaccount' : 'user-info'
  const verb = `impersonate-on:${kind}:${target.verb}`
  return forbidden(person, { ...target, verb })
}
