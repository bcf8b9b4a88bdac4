// What is read of a question before anything is parsed? To parse the largest one takes a tenth of a
// second, on the loop that renews the Lease; so an object that is too large is only measured.
import { Fields } from '../../edge/kube/decode/fields.ts'
import { type Span, spansOf } from '../../edge/kube/jsonSpans.ts'

/** An object that is not validated, as far as it was read. */
export type Large = {
  /** It is deleted, or may only let go of its finalizers. */
  readonly isGoing: boolean
  /** Its spec is what it was. */
  readonly isSame: boolean
}

type ReadReview = {
  /** Undefined where it is none, or is not JSON. */
  readonly json: unknown
  readonly large: Large | undefined
}

/** Objects up to so many bytes each; the earlier version of one is left out where it is larger. */
export function readReview(body: Buffer, mostBytes: number): ReadReview {
  if (body.length <= mostBytes) return { json: parsed(body), large: undefined }
  const request = spansOf(body, { from: 0, to: body.length }, ['request']).get('request')
  const spans = request && spansOf(body, request, ['object', 'oldObject'])
  const [after, before] = [spans?.get('object'), spans?.get('oldObject')]
  const isLarge = (span: Span | undefined): boolean => lengthOf(span) > mostBytes
  const leftOut = [after, before].flatMap((span) => (span && isLarge(span) ? [span] : []))
  const json = parsed(without(body, leftOut), 3 * mostBytes)
  const isDeletion = new Fields(json, []).inner('request').text('operation') === 'DELETE'
  if (!isLarge(isDeletion ? before : after)) return { json, large: undefined }
  const isGoing = isDeletion || (after !== undefined && isBeingDeleted(body, after))
  return { json, large: { isGoing, isSame: haveOneSpec(body, after, before) } }
}

const lengthOf = (span: Span | undefined): number => (span === undefined ? 0 : span.to - span.from)

/** With null in place of these. */
function without(body: Buffer, spans: readonly Span[]): Buffer {
  const parts: Buffer[] = []
  let from = 0
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    parts.push(body.subarray(from, span.from), Buffer.from('null'))
    from = span.to
  }
  return Buffer.concat([...parts, body.subarray(from)])
}

function isBeingDeleted(body: Buffer, object: Span): boolean {
  const metadata = spansOf(body, object, ['metadata']).get('metadata')
  if (metadata === undefined) return false
  const since = spansOf(body, metadata, ['deletionTimestamp']).get('deletionTimestamp')
  return since !== undefined && body[since.from] === 0x22 && lengthOf(since) > 2
}

/** The API server writes equal ones in the same way. */
function haveOneSpec(body: Buffer, one: Span | undefined, other: Span | undefined): boolean {
  const [mine, theirs] = [one, other].map((of) => of && spansOf(body, of, ['spec']).get('spec'))
  if (mine === undefined || theirs === undefined) return false
  return body.subarray(mine.from, mine.to).equals(body.subarray(theirs.from, theirs.to))
}

/** Undefined where it is not JSON, or more than that. */
export function parsed(body: Buffer, mostBytes = body.length): unknown {
  if (body.length > mostBytes) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
