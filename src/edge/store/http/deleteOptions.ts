// How is an object to be deleted? The body says, or without one the query parameters.
import type { JsonObject } from '../../../core/model/gate.ts'
import { Fields } from '../../kube/decode/fields.ts'
import { decodeProtobuf, protobufMediaType } from '../proto/decodeProtobuf.ts'
import { badRequest, type Cause, done, type Outcome } from '../values/status.ts'
import type { DeleteOptions } from '../write/asked.ts'
import { mediaOf, ofObjects, readText, type Sent } from './decodeBody.ts'
import { parseWhole } from './listOptions.ts'
import { invalidOptions, unknownFormat } from './refusals.ts'
import { isSet } from './target.ts'
import { wrongDryRun } from './writeOptions.ts'

const policies = ['Foreground', 'Background', 'Orphan'] as const

export function deleteOptions(sent: Sent, query: URLSearchParams): Outcome<DeleteOptions> {
  const asked = sent.bytes.length === 0 ? byQuery(query) : byBody(sent)
  return asked.ok ? checked(asked.value) : asked
}

/** The parameters in the form of a body. */
function byQuery(query: URLSearchParams): Outcome<JsonObject> {
  const grace = query.get('gracePeriodSeconds')
  const seconds = grace === null ? undefined : parseWhole(grace)
  if (seconds?.ok === false) return seconds
  const policy = query.get('propagationPolicy')
  const orphan = query.get('orphanDependents')
  return done({
    dryRun: query.getAll('dryRun'),
    ...(seconds === undefined ? {} : { gracePeriodSeconds: seconds.value }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(orphan === null ? {} : { orphanDependents: isSet(orphan) }),
  })
}

function byBody(sent: Sent): Outcome<JsonObject> {
  const media = mediaOf(sent.type)
  if (media === protobufMediaType) {
    return decodeProtobuf(sent.bytes, { apiVersion: 'v1', kind: 'DeleteOptions' })
  }
  const read = readText(sent, media)
  if (read === undefined) return unknownFormat(ofObjects)
  if (!read.ok) return badRequest(`couldn't get version/kind; json parse error: ${read.why}`)
  const value = read.value.value ?? {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    return badRequest("couldn't get version/kind; json parse error: it is not an object")
  }
  const fields = new Fields(value, [])
  const [kind, version] = [fields.text('kind'), fields.text('apiVersion') || 'meta.k8s.io/v1']
  if (kind === '' || kind === 'DeleteOptions') return done({ ...value })
  return badRequest(`no kind ${JSON.stringify(kind)} is expected of version ${version}`)
}

function checked(json: JsonObject): Outcome<DeleteOptions> {
  const fields = new Fields(json, [])
  const policy = fields.text('propagationPolicy')
  const orphan = fields.flag('orphanDependents')
  const known = policies.find((one) => one === policy)
  const dryRun = fields.texts('dryRun')
  const wrong = [...wrongPolicy(policy, orphan), ...wrongDryRun(dryRun)]
  if (wrong.length > 0) return invalidOptions('DeleteOptions', wrong)
  const preconditions = fields.inner('preconditions')
  const given = (name: string) => (preconditions.has(name) ? preconditions.text(name) : undefined)
  const ofOrphan = orphan === undefined ? undefined : orphan ? 'Orphan' : 'Background'
  return done({
    isDryRun: dryRun.length > 0,
    gracePeriodSeconds: fields.number('gracePeriodSeconds'),
    propagationPolicy: known ?? ofOrphan,
    preconditions: { uid: given('uid'), resourceVersion: given('resourceVersion') },
  })
}

function wrongPolicy(policy: string, orphan: boolean | undefined): readonly Required<Cause>[] {
  if (policy === '') return []
  const [said, field] = [JSON.stringify(policy), 'propagationPolicy']
  if (orphan !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set'
    return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${said}: ${why}`, field }]
  }
  if (policies.some((one) => one === policy)) return []
  const supported = 'supported values: "Foreground", "Background", "Orphan", "nil"'
  const message = `Unsupported value: ${said}: ${supported}`
  return [{ reason: 'FieldValueNotSupported', message, field }]
}
