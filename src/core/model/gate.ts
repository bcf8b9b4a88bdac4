// Through what does every object enter? The one admission, handed in: edges own its schemas.
import type { CheckDelete, FieldError, Foresee } from './admission.ts'
import type { View } from './view.ts'
import type { ReadonlyWorld } from './world.ts'

/** An object as JSON has it. */
export type JsonObject = Readonly<Record<string, unknown>>

/** What somebody asks an API for. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE'

export type Admitted = {
  readonly ok: true
  readonly json: JsonObject
  /** Undefined for a kind that no decision is made from. */
  readonly view: View | undefined
  readonly warnings: readonly string[]
}
export type Refused = {
  readonly ok: false
  /** Whether it could not even be read as its kind, or contradicts a rule. */
  readonly isUnreadable: boolean
  readonly errors: readonly FieldError[]
}

type Served = {
  readonly ok: true
  readonly json: JsonObject
  /** What it refuses of the status, which is a write of its own: the rest is stored. */
  readonly errors: readonly FieldError[]
}

/** `others` are all Services that are there, `before` among them. */
export type ServiceRules = (
  service: JsonObject,
  before: JsonObject | undefined,
  others: Iterable<JsonObject>,
) => Served | Refused

/** `before` is the object that it replaces, as it was admitted. */
export type Admit = (
  world: ReadonlyWorld,
  json: unknown,
  before: JsonObject | undefined,
) => Admitted | Refused

export type Gate = {
  /** With the namespace where the API would put it; other than that as it was. */
  readonly place: (json: JsonObject) => JsonObject
  readonly admit: Admit
  /** Of what an API holds already: what has come to contradict it takes nothing away (R9.1). */
  readonly held: Admit
  readonly admitDelete: CheckDelete
  /** Of a deletion; what a write would do is among the warnings of its admission. */
  readonly foresee: Foresee
  /** What the API server itself makes of a Service; absent where one runs, or is not known. */
  readonly service?: ServiceRules
  /** Of an object that was admitted before and of which only the status is new. */
  readonly view: (json: JsonObject) => View | undefined
}
