// How do the rules of a kind enter a write? In Kubernetes' order: set defaults, prepare the object
// with the old one at hand, then check it.
import type { FieldError } from '../../../core/model/admission.ts'
import type { JsonObject } from '../../../core/model/gate.ts'
import type { MetaRules } from './metadata.ts'

type Before = JsonObject | undefined

export type Strategy = {
  readonly meta: MetaRules
  /** Whether PUT creates a missing object. */
  readonly isUpsert: boolean
  /** Whether PUT may omit the resourceVersion. */
  readonly isUnconditional: boolean
  /** Whether DELETE returns the object in place of a Status. */
  readonly returnsDeleted: boolean
  readonly defaulted: (object: JsonObject) => JsonObject
  /** `before` is undefined for a new object. */
  readonly prepared: (object: JsonObject, before: Before) => JsonObject
  /** Includes metadata as often as Kubernetes checks it, because each time adds a cause. */
  readonly checked: (object: JsonObject, before: Before) => readonly FieldError[]
  /** For a write to the status. */
  readonly preparedStatus: (object: JsonObject, before: JsonObject) => JsonObject
  readonly checkedStatus: (object: JsonObject, before: JsonObject) => readonly FieldError[]
  readonly warned: (object: JsonObject, before: Before) => readonly string[]
  /** The values for field selectors. */
  readonly fields: (object: JsonObject) => Readonly<Record<string, string>>
}
