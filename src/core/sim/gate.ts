// Through what does every object enter? The one admission, handed in: edges own the schemas.
import type { FieldError } from '../model/admission.ts'
import type { View } from '../model/view.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Json } from './json.ts'

export type Admitted = {
  readonly ok: true
  readonly json: Json
  /** undefined: a kind that is kept but that no decision reads. */
  readonly view: View | undefined
  readonly warnings: readonly string[]
}
export type Refused = { readonly ok: false; readonly errors: readonly FieldError[] }

export type Gate = {
  admit(world: ReadonlyWorld, json: Json, before: Json | undefined): Admitted | Refused
  admitDelete(world: ReadonlyWorld, view: View): readonly FieldError[]
}
