// What does the API server get for its AdmissionReview? The answer of the one admission, beside all
// that the World knows; while that is not everything, the object passes with a warning.
import type { FieldError } from '../../core/model/admission.ts'
import type { Gate, JsonObject } from '../../core/model/gate.ts'
import type { ReadonlyWorld } from '../../core/model/world.ts'
import { decode } from '../../edge/kube/decode/decode.ts'
import { Fields, isRecord } from '../../edge/kube/decode/fields.ts'

export type Judge = {
  readonly gate: Gate
  /** Undefined until every list is in. */
  readonly world: () => ReadonlyWorld | undefined
}

type Verdict = { readonly errors: readonly FieldError[]; readonly warnings: readonly string[] }

const notYet =
  'berth has not read the cluster yet and did not check this object: see berth lint --live'

/** Undefined when it is no AdmissionReview of admission.k8s.io/v1 about one of these kinds. */
export function reviewAdmission(
  json: unknown,
  kinds: ReadonlySet<string>,
  judge: Judge,
): JsonObject | undefined {
  const review = new Fields(json, [])
  const apiVersion = review.text('apiVersion')
  if (apiVersion !== 'admission.k8s.io/v1' || review.text('kind') !== 'AdmissionReview') {
    return undefined
  }
  const request = isRecord(json) && isRecord(json['request']) ? json['request'] : {}
  const { group, kind } = about(request)
  if (!kinds.has(`${group}/${kind}`)) return undefined
  const { errors, warnings } = verdictOn(request, judge)
  const { uid } = request
  const said = warnings.length === 0 ? {} : { warnings }
  const response =
    errors.length === 0
      ? { uid, allowed: true, ...said }
      : { uid, allowed: false, status: refusal(request, errors), ...said }
  return { apiVersion, kind: 'AdmissionReview', response }
}

function verdictOn(request: JsonObject, { gate, world: read }: Judge): Verdict {
  const world = read()
  if (world === undefined) return { errors: [], warnings: [notYet] }
  const { operation, object, oldObject } = request
  if (operation === 'DELETE') {
    // What cannot be read was never counted, so nothing depends on it.
    const decoded = decode(oldObject)
    const errors = decoded.kind === 'view' ? gate.admitDelete(world, decoded.view) : []
    return { errors, warnings: [] }
  }
  const admitted = gate.admit(world, object, isRecord(oldObject) ? oldObject : undefined)
  if (!admitted.ok) return { errors: admitted.errors, warnings: [] }
  return { errors: [], warnings: admitted.warnings }
}

function about(request: JsonObject) {
  const kind = new Fields(request, []).inner('kind')
  return { group: kind.text('group'), kind: kind.text('kind') }
}

/** As the API server refuses an object itself, but Forbidden: it is a rule that says no. */
function refusal(request: JsonObject, errors: readonly FieldError[]): JsonObject {
  const { name } = request
  return {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: 403,
    reason: 'Forbidden',
    message: errors.map(errorText).join('; '),
    details: { ...about(request), name, causes: errors.map(cause) },
  }
}

const errorText = ({ path, message }: FieldError): string =>
  path === '' ? message : `${path}: ${message}`

/** Kubernetes' word for the kind of mistake, by how its message begins. */
const mistakes: readonly (readonly [string, string])[] = [
  ['Required value', 'FieldValueRequired'],
  ['Duplicate value', 'FieldValueDuplicate'],
  ['Unsupported value', 'FieldValueNotSupported'],
  ['Forbidden', 'FieldValueForbidden'],
  ['Too many', 'FieldValueTooMany'],
]

function cause({ path, message }: FieldError): JsonObject {
  const [, reason] = mistakes.find(([start]) => message.startsWith(start)) ?? []
  return { reason: reason ?? 'FieldValueInvalid', message, field: path }
}
