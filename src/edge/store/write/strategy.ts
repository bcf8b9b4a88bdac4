// What is particular to a kind when its objects are written? In Kubernetes' order: its defaults are
// filled in, it is prepared beside what it was before, and then it is checked.
import type { FieldError } from '../../../core/model/admission.ts'
import type { JsonObject } from '../../../core/model/gate.ts'
import type { MetaRules } from './metadata.ts'

type Before = JsonObject | undefined

export type Strategy = {
  readonly meta: MetaRules
  /** Whether a PUT creates what is not there. */
  readonly isUpsert: boolean
  /** Whether a PUT may leave out the resourceVersion that it replaces. */
  readonly isUnconditional: boolean
  /** Whether a DELETE answers the object in place of a Status. */
  readonly returnsDeleted: boolean
  readonly defaulted: (object: JsonObject) => JsonObject
  /** `before` is undefined for a new object. */
  readonly prepared: (object: JsonObject, before: Before) => JsonObject
  /** Metadata included, as often as Kubernetes looks at it: each time is a cause of its own. */
  readonly checked: (object: JsonObject, before: Before) => readonly FieldError[]
  /** Of a write to the status alone. */
  readonly preparedStatus: (object: JsonObject, before: JsonObject) => JsonObject
  readonly checkedStatus: (object: JsonObject, before: JsonObject) => readonly FieldError[]
  readonly warned: (object: JsonObject, before: Before) => readonly string[]
  /** What a field selector may ask. */
  readonly fields: (object: JsonObject) => Readonly<Record<string, string>>
}
