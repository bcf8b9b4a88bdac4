// How are ConfigMaps and Secrets written? Keys are file names, the size is at most 1 MiB, and
// immutable ones cannot change.
import type { FieldError } from '../../../../core/model/admission.ts'
import { forbidden } from '../../../../core/model/fieldError.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { invalid } from '../../../kube/schema/schemaMessages.ts'
import { metaOf, recordOf, textOf } from '../../values/jsonRead.ts'
import { sameJson } from '../../values/sameJson.ts'
import { firstErrors } from '../firstErrors.ts'
import { changed } from '../jsonChange.ts'
import { checkMeta, checkMetaUpdate } from '../metadata.ts'
import { inNamespace, plainStrategy } from '../plainStrategy.ts'
import type { Strategy } from '../strategy.ts'

const maxBytes = 1024 * 1024

export const configMap: Strategy = plainStrategy(inNamespace, {
  checked: (object, before) => [
    ...(before === undefined ? [] : checkMetaUpdate(object, before, inNamespace)),
    ...checkImmutable(object, before, ['data', 'binaryData']),
    ...checkMeta(object, inNamespace),
    ...checkContent(object),
  ],
})

export const secret: Strategy = plainStrategy(inNamespace, {
  defaulted: (object) => changed(withStringData(object), { type: object['type'] ?? 'Opaque' }),
  checked: (object, before) => [
    ...(before === undefined ? [] : checkMetaUpdate(object, before, inNamespace)),
    ...(before === undefined || object['type'] === before['type']
      ? []
      : [invalid('type', object['type'], 'field is immutable')]),
    ...checkImmutable(object, before, ['data']),
    ...checkMeta(object, inNamespace),
    ...checkKeys(object, 'data'),
    ...(bytesIn(object, 'data') > maxBytes ? [tooLong('data')] : []),
    ...checkType(object),
  ],
  fields: ({ type }) => ({ type: textOf(type) }),
})

/** Sent as text, stored in base64. */
function withStringData(object: JsonObject): JsonObject {
  const { stringData, ...rest } = object
  if (stringData === undefined) return object
  const encoded = Object.entries(recordOf(stringData)).map(([key, text]) => [
    key,
    Buffer.from(textOf(text)).toString('base64'),
  ])
  return { ...rest, data: { ...recordOf(rest['data']), ...Object.fromEntries(encoded) } }
}

function checkImmutable(
  object: JsonObject,
  before: JsonObject | undefined,
  fields: readonly string[],
): readonly FieldError[] {
  if (before?.['immutable'] !== true) return []
  const changes = fields.filter((name) => !sameJson(object[name], before[name]))
  const all = object['immutable'] === true ? changes : ['immutable', ...changes]
  return all.map((name) => forbidden(name, 'field is immutable when `immutable` is set'))
}

function checkContent(object: JsonObject): readonly FieldError[] {
  const binary = recordOf(object['binaryData'])
  const twice = Object.keys(recordOf(object['data']))
    .filter((key) => Object.hasOwn(binary, key))
    .map((key) => invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'))
  const bytes = bytesIn(object, 'data') + bytesIn(object, 'binaryData')
  return [
    ...checkKeys(object, 'data'),
    ...twice,
    ...checkKeys(object, 'binaryData'),
    ...(bytes > maxBytes ? [tooLong('')] : []),
  ]
}

/** Base64 counts with its decoded size. */
function bytesIn(object: JsonObject, field: string): number {
  const isText = field === 'data' && object['kind'] === 'ConfigMap'
  return Object.values(recordOf(object[field]))
    .map((value) => Buffer.byteLength(textOf(value), isText ? 'utf8' : 'base64'))
    .reduce((sum, bytes) => sum + bytes, 0)
}

const tooLong = (path: string): FieldError => ({
  path,
  message: `Too long: may not be more than ${maxBytes} bytes`,
})

const checkKeys = (object: JsonObject, field: string): readonly FieldError[] =>
  firstErrors(Object.keys(recordOf(object[field])), (key) =>
    wrongInKey(key).map((why) => invalid(`${field}[${key}]`, key, why)),
  )

const keyPattern = /^[-._a-zA-Z0-9]+$/

function wrongInKey(key: string): readonly string[] {
  const errors: string[] = []
  if (Buffer.byteLength(key) > 253) errors.push('must be no more than 253 characters')
  if (!keyPattern.test(key)) {
    const words = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
    const examples = "'key.name',  or 'KEY_NAME',  or 'key-name', "
    errors.push(`${words} (e.g. ${examples}regex used for validation is '[-._a-zA-Z0-9]+')`)
  }
  if (key === '.') errors.push("must not be '.'")
  if (key === '..') errors.push("must not be '..'")
  else if (key.startsWith('..')) errors.push("must not start with '..'")
  return errors
}

/** The keys that a type of Secret requires. */
const required: ReadonlyMap<string, readonly string[]> = new Map([
  ['kubernetes.io/dockercfg', ['.dockercfg']],
  ['kubernetes.io/dockerconfigjson', ['.dockerconfigjson']],
  ['kubernetes.io/ssh-auth', ['ssh-privatekey']],
  ['kubernetes.io/tls', ['tls.crt', 'tls.key']],
])
const accountName = 'kubernetes.io/service-account.name'

function checkType(object: JsonObject): readonly FieldError[] {
  const type = textOf(object['type'])
  const data = recordOf(object['data'])
  const missing = (keys: readonly string[]): readonly FieldError[] =>
    keys.map((key) => ({ path: `data[${key}]`, message: 'Required value' }))
  if (type === 'kubernetes.io/service-account-token') {
    const annotations = recordOf(metaOf(object)['annotations'])
    if (textOf(annotations[accountName]) !== '') return []
    return [{ path: `metadata.annotations[${accountName}]`, message: 'Required value' }]
  }
  if (type === 'kubernetes.io/basic-auth') {
    const either = ['username', 'password']
    return either.some((key) => Object.hasOwn(data, key)) ? [] : missing(either)
  }
  return missing((required.get(type) ?? []).filter((key) => !Object.hasOwn(data, key)))
}
