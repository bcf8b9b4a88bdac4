// Are an object's name, namespace and labels what Kubernetes allows, and where it belongs?

import type { FieldError } from '../../core/model/admission.ts'
import { invalid } from '../../core/model/fieldError.ts'
import type { JsonObject } from '../../core/model/gate.ts'
import { isDnsLabel, isDnsSubdomain, isLabelKey, isLabelValue } from '../../core/model/names.ts'
import type { Labels } from '../../core/model/selector.ts'
import type { AdmittedKind } from './admissionKinds.ts'
import { metaOf } from './decode/decodeMeta.ts'
import { Fields, isRecord } from './decode/fields.ts'

/** kubectl's default where none is written; none at all where the kind has no namespaces. */
export function placed(json: JsonObject, { isNamespaced }: AdmittedKind): JsonObject {
  const { metadata } = json
  if (!isRecord(metadata)) return json
  const { namespace, ...rest } = metadata
  if (!isNamespaced) return namespace === undefined ? json : { ...json, metadata: rest }
  const isWritten = namespace !== undefined && namespace !== null && namespace !== ''
  return isWritten ? json : { ...json, metadata: { ...rest, namespace: 'default' } }
}

type Form = { readonly fits: (text: string) => boolean; readonly words: string }
const label: Form = {
  fits: isDnsLabel,
  words: "must be at most 63 of a-z, 0-9 and '-', beginning and ending with a letter or digit",
}
const subdomain: Form = {
  fits: isDnsSubdomain,
  words: "must be a-z, 0-9, '-' and '.', every part beginning and ending with a letter or digit",
}
/** DNS names are made of these, so they hold no dot. */
const namedByLabel = new Set(['/Service', '/Namespace'])

export function checkMeta(json: JsonObject, { group, kind }: AdmittedKind): readonly FieldError[] {
  const { name, namespace, labels, annotations } = metaOf(new Fields(json, []))
  const form = namedByLabel.has(`${group}/${kind}`) ? label : subdomain
  return [
    ...checkForm('metadata.name', name, form),
    ...(namespace === '' ? [] : checkForm('metadata.namespace', namespace, label)),
    ...checkKeys('metadata.labels', labels),
    ...checkKeys('metadata.annotations', annotations),
    ...Object.values(labels)
      .filter((value) => !isLabelValue(value))
      .map((value) => invalid('metadata.labels', value, 'not a label value')),
  ]
}

const checkForm = (path: string, text: string, { fits, words }: Form): readonly FieldError[] =>
  fits(text) ? [] : [invalid(path, text, words)]

const checkKeys = (path: string, labels: Labels): readonly FieldError[] =>
  Object.keys(labels)
    .filter((key) => !isLabelKey(key))
    .map((key) => invalid(path, key, 'not a label key'))
