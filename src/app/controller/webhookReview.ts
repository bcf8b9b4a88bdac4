// What does the API server get for its AdmissionReview? The answer of the one admission, beside all
// that the World knows; while that is not everything, the object passes with a warning.
import type { FieldError } from '../../core/model/admission.ts'
import type { Gate, JsonObject } from '../../core/model/gate.ts'
import type { ReadonlyWorld } from '../../core/model/world.ts'
import { decode } from '../../edge/kube/decode/decode.ts'
import { Fields, isRecord } from '../../edge/kube/decode/fields.ts'
import { mostErrors } from '../../edge/kube/schema/schemaCheck.ts'

export type Reviewer = {
  readonly gate: Gate
  /** Undefined while not every list is in. */
  readonly world: () => ReadonlyWorld | undefined
  /** As it was known last; undefined until every list was in once. */
  readonly lastKnown: () => ReadonlyWorld | undefined
}

/** A review as it came, and how long it was. */
type Asked = { readonly json: unknown; readonly lengthBytes: number }

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
  { json, lengthBytes }: Asked,
  kinds: ReadonlySet<string>,
  reviewer: Reviewer,
): JsonObject | undefined {
  const review = new Fields(json, [])
  const apiVersion = review.text('apiVersion')
  if (apiVersion !== 'admission.k8s.io/v1' || review.text('kind') !== 'AdmissionReview') {
    return undefined
  }
  const request = isRecord(json) && isRecord(json['request']) ? json['request'] : {}
  const { group, kind } = about(request)
  if (!kinds.has(`${group}/${kind}`)) return undefined
  const isLarge = lengthBytes > mostObjectBytes && isTooLarge(request)
  const { errors, warnings } = isLarge ? resultOfLarge(request) : resultOf(request, reviewer)
  const { uid } = request
  const said = warnings.length === 0 ? {} : { warnings: warnings.slice(0, mostErrors) }
  const response =
    errors.length === 0
      ? { uid, allowed: true, ...said }
      : { uid, allowed: false, status: refusal(request, errors), ...said }
  return { apiVersion, kind: 'AdmissionReview', response }
}

/** One that was too large may still become smaller, so what it was does not count. */
const isTooLarge = ({ operation, object }: JsonObject): boolean =>
  operation === 'DELETE' || JSON.stringify(object ?? null).length > mostObjectBytes

/** What is there must still be able to report, and to go; nothing new that nobody can validate. */
function resultOfLarge({ operation, object, oldObject }: JsonObject): ReviewResult {
  const fields = new Fields(object, [])
  const isGoing = fields.inner('metadata').text('deletionTimestamp') !== ''
  if (operation === 'DELETE' || isGoing || isSameSpec(object, oldObject)) {
    return { errors: [], warnings: [] }
  }
  return { errors: [{ path: '', message: tooLarge }], warnings: [] }
}

const isSameSpec = (one: unknown, other: unknown): boolean =>
  isRecord(one) && isRecord(other) && isSame(one['spec'], other['spec'])

/** Ends at the first difference. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return one === other
  }
  const names = Object.keys(one)
  if (Array.isArray(one) !== Array.isArray(other)) return false
  if (names.length !== Object.keys(other).length) return false
  const [mine, theirs] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  return names.every((name) => theirs.has(name) && isSame(mine.get(name), theirs.get(name)))
}

function resultOf(request: JsonObject, reviewer: Reviewer): ReviewResult {
  const { operation, object, oldObject } = request
  if (operation === 'DELETE') return resultOfDeletion(oldObject, reviewer)
  const { gate } = reviewer
  const world = reviewer.world()
  if (world === undefined) return { errors: [], warnings: [notYet] }
  const admitted = gate.admit(world, object, isRecord(oldObject) ? oldObject : undefined)
  if (!admitted.ok) return { errors: admitted.errors, warnings: [] }
  return { errors: [], warnings: admitted.warnings }
}

/** Nothing brings back what a deletion takes away, so it waits until we know who depends on it. */
function resultOfDeletion(gone: unknown, { gate, lastKnown }: Reviewer): ReviewResult {
  const world = lastKnown()
  // What cannot be read was never counted, so nothing depends on it.
  const decoded = decode(gone)
  const view = decoded.kind === 'view' ? decoded.view : undefined
  if (world === undefined) {
    // Of a pool it is only said what that would cost.
    if (view?.kind === 'IPAddressPool') return { errors: [], warnings: [notYet] }
    return { errors: [{ path: '', message: tryAgain }], warnings: [] }
  }
  if (view === undefined) return { errors: [], warnings: [] }
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
