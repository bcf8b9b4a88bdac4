// What does the API server get when it asks whether an object is complete? A patch with what is
// filled in; nothing where nothing is missing, or where the object is too large to look at.
import type { Complete } from '../../core/model/completion.ts'
import type { JsonObject } from '../../core/model/gate.ts'
import type { Labels } from '../../core/model/selector.ts'
import { completed } from '../../edge/kube/completed.ts'
import { Fields, isRecord } from '../../edge/kube/decode/fields.ts'
import { readReview } from './webhookBody.ts'

const mostObjectBytes = 256 * 1024

/** Undefined when it is no AdmissionReview of admission.k8s.io/v1 about one of these kinds. */
export function reviewCompletion(body: Buffer, kinds: ReadonlySet<string>): JsonObject | undefined {
  const { json } = readReview(body, mostObjectBytes)
  const asked = askedIn(json, kinds)
  return asked?.reply({ allowed: true, ...patchOf(asked.request.json['object']) })
}

function askedIn(json: unknown, kinds: ReadonlySet<string>) {
  const review = new Fields(json, [])
  const apiVersion = review.text('apiVersion')
  const request = review.inner('request')
  const about = request.inner('kind')
  const isAsked = apiVersion === 'admission.k8s.io/v1' && review.text('kind') === 'AdmissionReview'
  if (!isAsked || !kinds.has(`${about.text('group')}/${about.text('kind')}`)) return undefined
  const reply = (answer: JsonObject): JsonObject => ({
    apiVersion,
    kind: 'AdmissionReview',
    response: { uid: request.text('uid'), ...answer },
  })
  return { request, reply }
}

/** By group/Kind; the controller's, where it completes what is new. */
export type CompleteNew = (kind: string, asked: Parameters<Complete>[0]) => ReturnType<Complete>

/** The same of an object that is about to be made, which may be refused for now. */
export async function reviewNew(
  body: Buffer,
  kind: string,
  complete: CompleteNew,
): Promise<JsonObject | undefined> {
  const { json } = readReview(body, mostObjectBytes)
  const asked = askedIn(json, new Set([kind]))
  if (asked === undefined) return undefined
  const { request, reply } = asked
  const { object } = request.json
  if (!isRecord(object)) return reply({ allowed: true })
  const done = await complete(kind, {
    namespace: request.text('namespace'),
    object,
    isDryRun: request.flag('dryRun') === true,
    isVouchedFor: false,
  })
  if (!done.ok) return reply({ allowed: false, status: { code: 403, message: done.why } })
  return reply({ allowed: true, warnings: done.warnings, ...annotated(done.annotations) })
}

function annotated(annotations: Labels): JsonObject {
  const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
  const patch = Object.entries(annotations).map(([name, value]) => ({
    op: 'add',
    path: `/metadata/annotations/${escaped(name)}`,
    value,
  }))
  return patch.length === 0 ? {} : patched(patch)
}

const patched = (patch: readonly object[]): JsonObject => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
})

function patchOf(object: unknown): JsonObject {
  if (!isRecord(object)) return {}
  const after = completed(object)
  if (after === object) return {}
  return patched([{ op: 'add', path: '/spec', value: after['spec'] }])
}
