// What does the API server get for its AdmissionReview? The answer of the one admission, beside all
// that the World knows; while that is not everything, the object passes with a warning.

import type { FieldError } from '../../core/model/admission.ts'
import { errorsText } from '../../core/model/fieldError.ts'
import type { Gate, JsonObject } from '../../core/model/gate.ts'
import type { ReadonlyWorld } from '../../core/model/world.ts'
import { decode } from '../../edge/kube/decode/decode.ts'
import { Fields, isRecord } from '../../edge/kube/decode/fields.ts'
import { mostErrors } from '../../edge/kube/schema/schemaCheck.ts'
import { type Large, readReview } from './webhookBody.ts'

export type Reviewer = {
  readonly gate: Gate
  /** Undefined while not every list is in. */
  readonly world: () => ReadonlyWorld | undefined
  /** As it was known last; undefined until every list was in once. */
  readonly lastKnown: () => ReadonlyWorld | undefined
}

/** The loop renews the Lease: what would hold it over a tenth of a second is not validated. */
const mostObjectBytes = 256 * 1024
const tooLarge =
  'too large to be validated: an object of Berth or MetalLB has at most 256 KiB; divide it'

type ReviewResult = { readonly errors: readonly FieldError[]; readonly warnings: readonly string[] }

const tryAgain =
  'berth has not read the cluster yet and cannot tell who uses this object: try again in a moment'
const notYet =
  'berth has not read the cluster yet and did not check this object: see berth lint --live'

/** Undefined when it is no AdmissionReview of admission.k8s.io/v1 about one of these kinds. */
export function reviewAdmission(
  body: Buffer,
  kinds: ReadonlySet<string>,
  reviewer: Reviewer,
): JsonObject | undefined {
  const { json, large } = readReview(body, mostObjectBytes)
  const review = new Fields(json, [])
  const apiVersion = review.text('apiVersion')
  if (apiVersion !== 'admission.k8s.io/v1' || review.text('kind') !== 'AdmissionReview') {
    return undefined
  }
  const request = isRecord(json) && isRecord(json['request']) ? json['request'] : {}
  const { group, kind } = about(request)
  if (!kinds.has(`${group}/${kind}`)) return undefined
  const { errors, warnings } =
    large === undefined ? resultOf(request, reviewer) : resultOfLarge(large)
  const { uid } = request
  const said = warnings.length === 0 ? {} : { warnings: warnings.slice(0, mostErrors) }
  const response =
    errors.length === 0
      ? { uid, allowed: true, ...said }
      : { uid, allowed: false, status: refusal(request, errors), ...said }
  return { apiVersion, kind: 'AdmissionReview', response }
}

/** What is there must still be able to report, and to go; nothing new that nobody can validate. */
const resultOfLarge = ({ isGoing, isSame }: Large): ReviewResult => ({
  errors: isGoing || isSame ? [] : [{ path: '', message: tooLarge }],
  warnings: [],
})

function resultOf(request: JsonObject, reviewer: Reviewer): ReviewResult {
  const { operation, object, oldObject } = request
  if (operation === 'DELETE') return resultOfDeletion(request, reviewer)
  const { gate } = reviewer
  const world = reviewer.world()
  if (world === undefined) return { errors: [], warnings: [notYet] }
  const admitted = gate.admit(world, object, isRecord(oldObject) ? oldObject : undefined)
  if (!admitted.ok) return { errors: admitted.errors, warnings: [] }
  return { errors: [], warnings: admitted.warnings }
}

/** Nothing brings back what a deletion takes away, so it waits until we know who depends on it. */
function resultOfDeletion(request: JsonObject, { gate, lastKnown }: Reviewer): ReviewResult {
  const world = lastKnown()
  if (world === undefined) {
    // A pool may always go; it would only be said whom that concerns.
    const isPool = about(request).kind === 'IPAddressPool'
    return isPool
      ? { errors: [], warnings: [notYet] }
      : { errors: [{ path: '', message: tryAgain }], warnings: [] }
  }
  // What cannot be read was never counted, so nothing depends on it.
  const decoded = decode(request['oldObject'])
  if (decoded.kind !== 'view') return { errors: [], warnings: [] }
  const { view } = decoded
  const errors = gate.admitDelete(world, view)
  return { errors, warnings: errors.length > 0 ? [] : gate.foresee(world, { view, isGone: true }) }
}

function about(request: JsonObject) {
  const kind = new Fields(request, []).inner('kind')
  return { group: kind.text('group'), kind: kind.text('kind') }
}

/** As the API server refuses an object itself, but Forbidden: it is a rule that says no. */
function refusal(request: JsonObject, all: readonly FieldError[]): JsonObject {
  const { name } = request
  const errors = all.slice(0, mostErrors)
  return {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: 403,
    reason: 'Forbidden',
    message: errorsText(errors),
    details: { ...about(request), name, causes: errors.map(cause) },
  }
}

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
