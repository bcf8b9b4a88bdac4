// What did kubectl apply on the client side before? Its annotation says. Unchanged fields can move
// to server-side apply without a conflict, and the annotation is kept up to date.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../../kube/decode/fields.ts'
import { goJson } from '../values/goText.ts'
import { checkTyped } from './fields/checkTyped.ts'
import { difference } from './fields/combine.ts'
import { compare } from './fields/compare.ts'
import type { FieldSet } from './fields/fieldSet.ts'
import { fieldsOf } from './fields/fieldsOf.ts'
import { shapeOf } from './fields/shape.ts'
import type { Target } from './target.ts'

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
/** The total size of annotations, as ValidateAnnotationsSize of Kubernetes. */
const maxAnnotations = 256 * 1024

/** Undefined without a usable annotation. */
export function lastAppliedFields(target: Target, live: JsonObject): FieldSet | undefined {
  const json = parsed(annotationsOf(live)[annotation])
  if (!isRecord(json) || json['apiVersion'] !== target.apiVersion) return undefined
  const shape = shapeOf(target.schema)
  if (checkTyped(shape, json) !== undefined) return undefined
  const { removed, modified, added } = compare(shape, json, live)
  return [modified, added, removed].reduce(difference, fieldsOf(shape, json))
}

/** Updates the annotation as kubectl would, if there is one. */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  const annotations = annotationsOf(object)
  if ((annotations[annotation] ?? '') === '') return object
  const text = `${goJson(withoutAnnotation(applied))}\n`
  const { [annotation]: _, ...others } = annotations
  const after = { ...annotations, [annotation]: text }
  const metadata = isRecord(object['metadata']) ? object['metadata'] : {}
  return {
    ...object,
    metadata: { ...metadata, annotations: sizeOf(after) > maxAnnotations ? others : after },
  }
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const { metadata } = applied
  if (!isRecord(metadata) || !isRecord(metadata['annotations'])) return applied
  const { [annotation]: _, ...annotations } = metadata['annotations']
  return { ...applied, metadata: { ...metadata, annotations } }
}

const annotationsOf = ({ metadata }: JsonObject): JsonObject =>
  isRecord(metadata) && isRecord(metadata['annotations']) ? metadata['annotations'] : {}

const sizeOf = (annotations: JsonObject): number =>
  Object.entries(annotations).reduce(
    (bytes, [name, value]) => bytes + Buffer.byteLength(`${name}${value}`),
    0,
  )

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}
