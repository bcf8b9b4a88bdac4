// Which object does a body hold? JSON, YAML or protobuf, of the kind that the path serves; refusals
// are worded as in Kubernetes.
import { type Parsed, parsed } from '../../../core/net/parsed.ts'
import { isRecord } from '../../kube/decode/fields.ts'
import { decodeProtobuf, protobufMediaType } from '../proto/decodeProtobuf.ts'
import type { TypeMeta } from '../proto/messages.ts'
import { badRequest, done, type Outcome, type Refused, refused } from '../values/status.ts'
import type { SentObject } from '../write/asked.ts'
import { type Json, parseJson } from './jsonBody.ts'
import { unknownFormat } from './refusals.ts'

/** One document, within bounds. */
export type ParseYaml = (text: string) => Parsed<unknown>

export type Sent = {
  readonly bytes: Uint8Array
  /** The Content-Type header. */
  readonly type: string
  readonly parseYaml: ParseYaml
}

export const ofObjects = ['application/json', 'application/yaml', protobufMediaType]

export const mediaOf = (type: string): string => {
  const [media = ''] = type.split(';')
  return media.trim().toLowerCase()
}

/** Accepts the expected kind, or none. */
export function decodeObject(
  sent: Sent,
  expected: TypeMeta,
  isCustom: boolean,
): Outcome<SentObject> {
  const media = mediaOf(sent.type)
  if (media === protobufMediaType) {
    const decoded = decodeProtobuf(sent.bytes, expected)
    return decoded.ok
      ? named({ value: decoded.value, duplicates: [] }, expected, isCustom)
      : decoded
  }
  const read = readText(sent, media)
  if (read === undefined) return unknownFormat(ofObjects)
  if (read.ok) return named(read.value, expected, isCustom)
  return unrecognized(expected, `couldn't get version/kind; json parse error: ${read.why}`)
}

/** Undefined for another media type. */
export function readText({ bytes, parseYaml }: Sent, media: string): Parsed<Json> | undefined {
  if (media === '' || media === 'application/json') return parseJson(bytes)
  return media === 'application/yaml' ? readYaml(bytes, parseYaml) : undefined
}

/** Most clients that declare YAML send JSON, as kubectl does. */
export function readYaml(bytes: Uint8Array, parseYaml: ParseYaml): Parsed<Json> {
  const json = parseJson(bytes)
  if (json.ok) return json
  const read = parseYaml(Buffer.from(bytes).toString('utf8'))
  return read.ok ? parsed({ value: read.value, duplicates: [] }) : read
}

function named(
  { value, duplicates }: Json,
  expected: TypeMeta,
  isCustom: boolean,
): Outcome<SentObject> {
  const object = value === null && !isCustom ? {} : value
  if (!isRecord(object)) return unrecognized(expected, 'it is not an object')
  const { kind = '', apiVersion = '' } = object
  if (typeof kind !== 'string' || typeof apiVersion !== 'string') {
    return unrecognized(expected, 'kind and apiVersion are not strings')
  }
  const wrong = isCustom
    ? wrongOfCustom({ kind, apiVersion }, expected)
    : wrongOfBuiltIn({ kind, apiVersion }, expected)
  return wrong ?? done({ object: { ...object, ...expected }, duplicates })
}

/** A missing kind or apiVersion is taken from the path. */
function wrongOfBuiltIn(said: TypeMeta, expected: TypeMeta): Refused | undefined {
  const kind = said.kind || expected.kind
  const apiVersion = said.apiVersion || expected.apiVersion
  if (kind === expected.kind && apiVersion === expected.apiVersion) return undefined
  const version = apiVersion.split('/').at(-1)
  const why = `no kind ${JSON.stringify(kind)} is expected of version ${JSON.stringify(apiVersion)}`
  return badRequest(
    `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${expected.kind}: ${why}`,
  )
}

function wrongOfCustom(said: TypeMeta, expected: TypeMeta): Refused | undefined {
  if (said.kind === '') return unrecognized(expected, "Object 'Kind' is missing")
  if (said.apiVersion !== expected.apiVersion) {
    const wanted = `the expected API version (${expected.apiVersion})`
    return badRequest(`the API version in the data (${said.apiVersion}) does not match ${wanted}`)
  }
  if (said.kind === expected.kind) return undefined
  const [group = ''] = expected.apiVersion.split('/')
  const message = `Invalid value: ${JSON.stringify(said.kind)}: must be ${expected.kind}`
  const text = `${said.kind}.${group} "" is invalid: kind: ${message}`
  return refused(
    { code: 422, reason: 'Invalid', message: text },
    {
      group,
      kind: said.kind,
      causes: [{ reason: 'FieldValueInvalid', message, field: 'kind' }],
    },
  )
}

const unrecognized = ({ kind }: TypeMeta, why: string): Refused =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`)
