// Is the metadata of an object valid, by itself and as an update?
import type { FieldError } from '../../../core/model/admission.ts'
import { forbidden } from '../../../core/model/fieldError.ts'
import type { JsonObject } from '../../../core/model/gate.ts'
import { mostErrors } from '../../kube/schema/schemaCheck.ts'
import { invalid, tooMany } from '../../kube/schema/schemaMessages.ts'
import { metaOf, recordOf, recordsOf, textOf, textsOf } from '../values/jsonRead.ts'
import { longestMessage } from '../values/longestMessage.ts'
import { sameJson } from '../values/sameJson.ts'
import { firstErrors } from './firstErrors.ts'
import { dnsLabel, type Form, labelValue, qualifiedName } from './names.ts'

export type MetaRules = {
  readonly isNamespaced: boolean
  readonly name: Form
  /** In built-in kinds, finalizers that Kubernetes does not define need a domain. */
  readonly isBuiltIn: boolean
}

const maxAnnotationBytes = 256 * 1024
/**
 * Owners, and labels, as of field managers: each owner is looked up in every write, and whenever
 * another one goes; labels are held in memory, where they are ten times as long.
 */
const mostTags = 1_000
export const orphaning = 'orphan'
export const foreground = 'foregroundDeletion'
const ownFinalizers: ReadonlySet<string> = new Set(['kubernetes', orphaning, foreground])

export function checkMeta(object: JsonObject, rules: MetaRules): readonly FieldError[] {
  const meta = metaOf(object)
  return [
    ...checkNames(meta, rules),
    ...checkCommon(meta),
    // Some kinds are checked here as an update, too; only a new object has no revision.
    ...(meta['resourceVersion'] === undefined ? checkCounts(meta, {}) : []),
    ...checkFinalizers(textsOf(meta['finalizers'])),
    ...checkQualified(meta, rules),
  ]
}

/** For an update. */
export function checkMetaUpdate(
  object: JsonObject,
  before: JsonObject,
  rules: MetaRules,
): readonly FieldError[] {
  const [meta, old] = [metaOf(object), metaOf(before)]
  const errors: FieldError[] = []
  if (old['deletionTimestamp'] !== undefined) errors.push(...checkLateFinalizers(meta, old))
  if (textOf(meta['resourceVersion']) === '') {
    errors.push(invalid('metadata.resourceVersion', '', 'must be specified for an update'))
  }
  for (const name of fixed) {
    if (sameJson(meta[name], old[name])) continue
    errors.push(invalid(`metadata.${name}`, meta[name] ?? '', 'field is immutable'))
  }
  return [
    ...errors,
    ...checkCommon(meta),
    ...checkCounts(meta, old),
    ...checkQualified(meta, rules),
  ]
}

const fixed = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]

function checkNames(meta: JsonObject, rules: MetaRules): readonly FieldError[] {
  const [name, generateName] = [textOf(meta['name']), textOf(meta['generateName'])]
  const namespace = textOf(meta['namespace'])
  const errors: FieldError[] = []
  if (generateName !== '') {
    const form: Form = (text) => rules.name(masked(text))
    errors.push(...fitting('metadata.generateName', generateName, form))
  }
  if (name === '') {
    const message = 'Required value: name or generateName is required'
    errors.push({ path: 'metadata.name', message })
  } else errors.push(...fitting('metadata.name', name, rules.name))
  if (!rules.isNamespaced && namespace !== '') {
    errors.push(forbidden('metadata.namespace', 'not allowed on this type'))
  }
  if (rules.isNamespaced) errors.push(...fitting('metadata.namespace', namespace, dnsLabel))
  return errors
}

/** A suffix follows, so it may end with a hyphen; Kubernetes drops the letter before it as well. */
const masked = (generateName: string): string =>
  generateName.length > 1 && generateName.endsWith('-')
    ? `${generateName.slice(0, -2)}a`
    : generateName

const fitting = (path: string, text: string, form: Form): readonly FieldError[] =>
  form(text).map((why) => invalid(path, text, why))

function checkCommon(meta: JsonObject): readonly FieldError[] {
  return [
    ...checkLabels(meta['labels'], 'metadata.labels'),
    ...checkAnnotations(recordOf(meta['annotations'])),
    ...checkOwners(recordsOf(meta['ownerReferences'])),
  ]
}

/** Also used for selectors. */
export const checkLabels = (labels: unknown, path: string): readonly FieldError[] =>
  firstErrors(Object.entries(recordOf(labels)), ([key, value]) => [
    ...fitting(path, key, qualifiedName),
    ...fitting(path, textOf(value), labelValue),
  ])

function checkAnnotations(annotations: JsonObject): readonly FieldError[] {
  const path = 'metadata.annotations'
  const form: Form = (key) => qualifiedName(key.toLowerCase())
  const errors = firstErrors(Object.keys(annotations), (key) => fitting(path, key, form))
  const bytes = Object.entries(annotations)
    .map(([key, value]) => Buffer.byteLength(key) + Buffer.byteLength(textOf(value)))
    .reduce((sum, one) => sum + one, 0)
  if (bytes <= maxAnnotationBytes) return errors
  return [
    ...errors,
    { path, message: `Too long: may not be more than ${maxAnnotationBytes} bytes` },
  ]
}

/** One that had more before keeps them, so that its finalizers can still be removed. */
function checkCounts(meta: JsonObject, old: JsonObject): readonly FieldError[] {
  const check = (field: string, countIn: (one: JsonObject) => number): readonly FieldError[] => {
    const count = countIn(meta)
    if (count <= Math.max(mostTags, countIn(old))) return []
    return [tooMany(`metadata.${field}`, count, mostTags)]
  }
  return [
    ...check('ownerReferences', (one) => recordsOf(one['ownerReferences']).length),
    ...check('labels', (one) => Object.keys(recordOf(one['labels'])).length),
  ]
}

function checkOwners(owners: readonly JsonObject[]): readonly FieldError[] {
  const path = 'metadata.ownerReferences'
  const controllers = owners
    .filter(({ controller }) => controller === true)
    .map(({ kind, name }) => `${kind}/${name}`)
    .slice(0, mostErrors)
  const [first, ...others] = controllers
  // Once for all: what is quoted may be as long as the body.
  const quoted = others.length === 0 ? '' : JSON.stringify(owners).slice(0, longestMessage)
  return [
    ...firstErrors(owners, (owner) => checkOwner(owner, path)),
    ...others.map((other) => {
      const found = `Found "true" in references for ${first} and ${other}`
      const why = `Only one reference can have Controller set to true. ${found}`
      return { path, message: `Invalid value: ${quoted}: ${why}` }
    }),
  ]
}

function checkOwner(owner: JsonObject, path: string): readonly FieldError[] {
  const [apiVersion, kind] = [textOf(owner['apiVersion']), textOf(owner['kind'])]
  const errors: FieldError[] = []
  const mustBe = (name: string, why: string): void => {
    const text = textOf(owner[name])
    if (text === '') errors.push(invalid(`${path}.${name}`, text, why))
  }
  mustBe('apiVersion', 'version must not be empty')
  for (const name of ['kind', 'name', 'uid']) mustBe(name, 'must not be empty')
  if (apiVersion === 'v1' && kind === 'Event') {
    errors.push(invalid(path, owner, '/v1, Kind=Event is disallowed from being an owner'))
  }
  return errors
}

function checkFinalizers(finalizers: readonly string[]): readonly FieldError[] {
  const path = 'metadata.finalizers'
  const errors = firstErrors(finalizers, (name) => fitting(path, name, qualifiedName))
  if (!finalizers.includes(orphaning) || !finalizers.includes(foreground)) return errors
  const why = `finalizer ${orphaning} and ${foreground} cannot be both set`
  return [...errors, invalid(path, finalizers, why)]
}

function checkQualified(meta: JsonObject, { isBuiltIn }: MetaRules): readonly FieldError[] {
  if (!isBuiltIn) return []
  const why = 'name is neither a standard finalizer name nor is it fully qualified'
  return firstErrors(textsOf(meta['finalizers']), (name, index) =>
    name.includes('/') || ownFinalizers.has(name)
      ? []
      : [invalid(`metadata.finalizers[${index}]`, name, why)],
  )
}

/** No finalizer can be added to an object that is being deleted. */
function checkLateFinalizers(meta: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = new Set(textsOf(old['finalizers']))
  const late = textsOf(meta['finalizers']).filter((name) => !before.has(name))
  if (late.length === 0) return []
  const names = late
    .sort()
    .map((name) => JSON.stringify(name))
    .join(', ')
  const why = 'no new finalizers can be added if the object is being deleted'
  return [forbidden('metadata.finalizers', `${why}, found new finalizers []string{${names}}`)]
}
