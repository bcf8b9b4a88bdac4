// Does admission allow a write? Services and our own kinds are checked beyond their schema, and a
// refusal reads as on a cluster, where a webhook sends it.

import type { FieldError } from '../../../core/model/admission.ts'
import { errorsText } from '../../../core/model/fieldError.ts'
import type { JsonObject, Operation } from '../../../core/model/gate.ts'
import { kinds } from '../../kube/kinds.ts'
import { convert } from '../kinds/convert.ts'
import { resourceOf, type StoredKind } from '../kinds/storedKind.ts'
import { metaOf, textOf } from '../values/jsonRead.ts'
import { done, type Outcome, type Refused, refused } from '../values/status.ts'
import type { WriteTarget } from './asked.ts'
import { cause } from './causes.ts'
import { listed } from './firstErrors.ts'
import { invalid } from './refusals.ts'

type Admitted =
  | { readonly ok: true; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly errors: readonly FieldError[] }

/** Objects are passed in the storage version. */
export type Admission = {
  readonly admit: (object: JsonObject, before: JsonObject | undefined) => Admitted
  readonly admitDelete: (object: JsonObject) => Admitted
  /**
   * Our own controllers write what follows from admitted objects, so they are not checked again.
   */
  readonly isOurs: (person: WriteTarget['person']) => boolean
}

/** Allows every write. */
export const noAdmission: Admission = {
  admit: () => ({ ok: true, warnings: [] }),
  admitDelete: () => ({ ok: true, warnings: [] }),
  isOurs: () => false,
}

type AdmissionRequest = {
  readonly place: WriteTarget
  readonly object: JsonObject
  readonly before: JsonObject | undefined
}
/** The answer has the warnings to send along. */
export function admitWrite(
  admission: Admission,
  { place, object, before }: AdmissionRequest,
): Outcome<readonly string[]> {
  const { kind } = place.found
  const isChecked = isRegistered(kind, before === undefined ? 'CREATE' : 'UPDATE')
  if (!isChecked || place.isStatus || admission.isOurs(place.person)) return done([])
  const stored = (one: JsonObject): JsonObject => convert(kind, one, kind.storage)
  const admitted = admission.admit(stored(object), before && stored(before))
  return admitted.ok ? done(admitted.warnings) : denied(kind, object, admitted.errors)
}

/** The same of a deletion. */
export function admitDelete(
  admission: Admission,
  place: WriteTarget,
  object: JsonObject,
): Outcome<readonly string[]> {
  const { kind } = place.found
  if (!isRegistered(kind, 'DELETE') || admission.isOurs(place.person)) return done([])
  const admitted = admission.admitDelete(convert(kind, object, kind.storage))
  return admitted.ok ? done(admitted.warnings) : denied(kind, object, admitted.errors)
}

const isRegistered = (kind: StoredKind, operation: Operation): boolean => {
  if (resourceOf(kind) === 'services') return operation !== 'DELETE'
  return webhookOf(kind)?.operations.includes(operation) ?? false
}

const webhookOf = ({ group, plural }: StoredKind) =>
  kinds.find((row) => row.group === group && row.plural === plural)?.webhook

function denied(kind: StoredKind, object: JsonObject, all: readonly FieldError[]): Refused {
  const name = textOf(metaOf(object)['name'])
  const webhook = webhookOf(kind)
  if (webhook === undefined) return invalid(kind, name, all)
  const errors = listed(all)
  const by = `admission webhook "${webhook.name}.${kind.group}" denied the request`
  return refused(
    { code: 403, reason: 'Forbidden', message: `${by}: ${errorsText(errors)}` },
    { name, group: kind.group, kind: kind.kind, causes: errors.map(cause) },
  )
}
