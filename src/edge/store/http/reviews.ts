// How are reviews answered? Who the user is, whether it may do something, and all that it may do.
import type { JsonObject } from '../../../core/model/gate.ts'
import { Fields } from '../../kube/decode/fields.ts'
import { badRequest, done, type Outcome, refused } from '../values/status.ts'
import { mayAskPath, mayDo } from './may.ts'
import type { Person, Reach } from './person.ts'

export type Review = {
  readonly kind: string
  readonly apiVersion: string
  readonly answer: (person: Person, asked: JsonObject, now: Date) => Outcome<JsonObject>
}

const authentication = 'authentication.k8s.io/v1'
const authorization = 'authorization.k8s.io/v1'

/** By the path that they are sent to. */
export const reviews: ReadonlyMap<string, Review> = new Map([
  [
    `${authentication}/selfsubjectreviews`,
    { kind: 'SelfSubjectReview', apiVersion: authentication, answer: whoAmI },
  ],
  [
    `${authorization}/selfsubjectaccessreviews`,
    { kind: 'SelfSubjectAccessReview', apiVersion: authorization, answer: mayI },
  ],
  [
    `${authorization}/selfsubjectrulesreviews`,
    { kind: 'SelfSubjectRulesReview', apiVersion: authorization, answer: whatMayI },
  ],
])

function whoAmI(person: Person, _asked: JsonObject, now: Date): Outcome<JsonObject> {
  const { user, uid, groups, extra } = person
  const creationTimestamp = now.toISOString().replace(/\.\d+Z$/, 'Z')
  const userInfo = {
    username: user,
    ...(uid === undefined ? {} : { uid }),
    groups,
    ...(extra === undefined ? {} : { extra }),
  }
  return done({ metadata: { creationTimestamp }, status: { userInfo } })
}

function mayI(person: Person, asked: JsonObject): Outcome<JsonObject> {
  const spec = new Fields(asked, []).inner('spec')
  const [ofPath, ofResource] = [spec.has('nonResourceAttributes'), spec.has('resourceAttributes')]
  if (ofPath === ofResource) return notOne(ofPath)
  const path = spec.inner('nonResourceAttributes')
  const resource = spec.inner('resourceAttributes')
  const allowed = ofPath
    ? mayAskPath(person, path.text('verb'), path.text('path'))
    : mayDo(person, {
        verb: resource.text('verb'),
        group: resource.text('group'),
        plural: resource.text('resource'),
        namespace: resource.text('namespace') || undefined,
        name: resource.text('name') || undefined,
        subresource: resource.text('subresource') || undefined,
      })
  return done({ metadata: {}, spec: asked['spec'], status: { allowed } })
}

function notOne(areBoth: boolean): Outcome<never> {
  const field = areBoth ? 'spec.nonResourceAttributes' : 'spec.resourceAttributes'
  const why = areBoth
    ? 'cannot be specified in combination with resourceAttributes'
    : 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
  const message = `Invalid value: null: ${why}`
  const group = 'authorization.k8s.io'
  return refused(
    { code: 422, reason: 'Invalid', message: `.${group} "" is invalid: ${field}: ${message}` },
    { group, causes: [{ reason: 'FieldValueInvalid', message, field }] },
  )
}

function whatMayI(person: Person, asked: JsonObject): Outcome<JsonObject> {
  const namespace = new Fields(asked, []).inner('spec').text('namespace')
  if (namespace === '') return badRequest('no namespace on request')
  const verbs = verbsIn(person.reach, namespace)
  const isOfCluster = person.reach !== 'nothing' && person.reach.namespace === undefined
  const open = [
    '/api',
    '/api/*',
    '/apis',
    '/apis/*',
    '/healthz',
    '/livez',
    '/openapi',
    '/openapi/*',
  ]
  const status = {
    resourceRules: [
      rule(['create'], 'authorization.k8s.io', 'selfsubjectaccessreviews'),
      rule(['create'], 'authorization.k8s.io', 'selfsubjectrulesreviews'),
      rule(['create'], 'authentication.k8s.io', 'selfsubjectreviews'),
      ...(verbs.length === 0 ? [] : [rule(verbs, '*', '*')]),
    ],
    nonResourceRules: [
      { verbs: ['get'], nonResourceURLs: [...open, '/readyz', '/version', '/version/'] },
      ...(isOfCluster && verbs.length > 0 ? [{ verbs, nonResourceURLs: ['*'] }] : []),
    ],
    ...gaps(person.reach, verbs),
  }
  return done({ metadata: {}, spec: {}, status })
}

/** Rules can only allow, so what is excepted is in the error. */
function gaps(reach: Reach, verbs: readonly string[]): JsonObject {
  if (reach === 'nothing' || verbs.length === 0) return { incomplete: false }
  const evaluationError = reach.isReadOnly
    ? 'a read-only user may not read secrets'
    : 'a user of one namespace may not write a status that Berth decides'
  const isWhole = !reach.isReadOnly && reach.namespace === undefined
  return isWhole ? { incomplete: false } : { incomplete: true, evaluationError }
}

const rule = (verbs: readonly string[], group: string, resource: string): JsonObject => ({
  verbs,
  apiGroups: [group],
  resources: [resource],
})

function verbsIn(reach: Reach, namespace: string): readonly string[] {
  if (reach === 'nothing') return []
  if (reach.namespace !== undefined && reach.namespace !== namespace) return []
  return reach.isReadOnly ? ['get', 'list', 'watch'] : ['*']
}
