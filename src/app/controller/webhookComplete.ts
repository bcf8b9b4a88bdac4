// What does the API server get when it asks whether an object is complete? A patch with what is
// filled in; nothing where nothing is missing, or where the object is too large to look at.
import type { JsonObject } from '../../core/model/gate.ts'
import { completed } from '../../edge/kube/completed.ts'
import { Fields, isRecord } from '../../edge/kube/decode/fields.ts'
import { readReview } from './webhookBody.ts'

const mostObjectBytes = 256 * 1024

/** Undefined when it is no AdmissionReview of admission.k8s.io/v1 about one of these kinds. */
export function reviewCompletion(body: Buffer, kinds: ReadonlySet<string>): JsonObject | undefined {
  const { json } = readReview(body, mostObjectBytes)
  const review = new Fields(json, [])
  const apiVersion = review.text('apiVersion')
  const request = review.inner('request')
  const about = request.inner('kind')
  const isAsked = apiVersion === 'admission.k8s.io/v1' && review.text('kind') === 'AdmissionReview'
  if (!isAsked || !kinds.has(`${about.text('group')}/${about.text('kind')}`)) return undefined
  const response = { uid: request.text('uid'), allowed: true, ...patchOf(request.json['object']) }
  return { apiVersion, kind: 'AdmissionReview', response }
}

function patchOf(object: unknown): JsonObject {
  if (!isRecord(object)) return {}
  const after = completed(object)
  if (after === object) return {}
  const patch = [{ op: 'add', path: '/spec', value: after['spec'] }]
  return {
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  }
}
