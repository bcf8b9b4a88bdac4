// Which JSON does a body in Kubernetes' protobuf mean? Magic number, envelope, then the message.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../../kube/decode/fields.ts'
import { badRequest, done, type Outcome, type Refused, refused } from '../values/status.ts'
import { messageNamed, messageOfKind, type TypeMeta } from './messages.ts'
import { toJson } from './toJson.ts'
import { Reading, tooManyValues } from './wire.ts'

export const protobufMediaType = 'application/vnd.kubernetes.protobuf'

/** As in Kubernetes. */
const bytesAtMost = 3 * 1024 * 1024
const valuesAtMost = 100_000
/** `k8s` and a zero byte, the only encoding. */
const magic = [0x6b, 0x38, 0x73, 0x00]

/**
 * `expected` is the kind that the path serves, used if the body names none. The caller refuses
 * another kind, as for a body in JSON.
 */
export function decodeProtobuf(bytes: Uint8Array, expected: TypeMeta): Outcome<JsonObject> {
  if (messageOfKind(expected) === undefined) return noProtobuf(expected)
  if (bytes.length > bytesAtMost) return tooLarge(`limit is ${bytesAtMost}`)
  const reading = new Reading(valuesAtMost)
  const { typeMeta, raw } = readEnvelope(bytes, reading)
  if (reading.fault !== undefined) return unrecognized(expected, reading.fault)
  const said: TypeMeta = {
    apiVersion: textIn(typeMeta, 'apiVersion') || expected.apiVersion,
    kind: textIn(typeMeta, 'kind') || expected.kind,
  }
  const message = messageOfKind(said)
  if (message === undefined) {
    return unfit(said, expected, `no kind "${said.kind}" is known for version "${said.apiVersion}"`)
  }
  const json = toJson(message, raw instanceof Uint8Array ? [raw] : [], reading)
  if (reading.fault === tooManyValues) return tooLarge(`limit is ${valuesAtMost} values`)
  if (reading.fault !== undefined) return unfit(said, expected, reading.fault)
  return done({ ...said, ...json })
}

function readEnvelope(bytes: Uint8Array, reading: Reading): JsonObject {
  if (bytes.length === 0) reading.fail('empty data')
  else if (magic.some((byte, at) => bytes[at] !== byte)) {
    const prefix = `expected prefix [${magic.join(' ')}]`
    reading.fail(`provided data does not appear to be a protobuf message, ${prefix}`)
  } else if (bytes.length === magic.length) reading.fail('empty body')
  const envelope = messageNamed('Unknown')
  return envelope === undefined ? {} : toJson(envelope, [bytes.subarray(magic.length)], reading)
}

function textIn(json: unknown, name: string): string {
  const value = isRecord(json) ? json[name] : undefined
  return typeof value === 'string' ? value : ''
}

const unrecognized = ({ kind }: TypeMeta, why: string): Refused =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`)

const unfit = (said: TypeMeta, { kind }: TypeMeta, why: string): Refused =>
  badRequest(`${said.kind} in version "${said.apiVersion}" cannot be handled as a ${kind}: ${why}`)

const tooLarge = (why: string): Refused =>
  refused({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: ${why}`,
  })

function noProtobuf({ apiVersion, kind }: TypeMeta): Refused {
  const taken = 'accepted media types include: application/json, application/yaml'
  const message = `${kind} of ${apiVersion} is not read from ${protobufMediaType} - ${taken}`
  return refused({ code: 415, reason: 'UnsupportedMediaType', message })
}
