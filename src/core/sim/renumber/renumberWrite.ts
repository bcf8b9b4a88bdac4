// What is written when a prefix is renumbered? An object changed, created or deleted.
import type { Json } from '../../model/json.ts'

export type RenumberWrite = {
  /** Kind/namespace/name or Kind/name. */
  readonly id: string
  /** In a few words, for people. */
  readonly what: string
  /** Undefined before: it is created; undefined after: it is deleted. */
  readonly change: (before: Json | undefined) => Json | undefined
}

export type Phase = {
  readonly title: string
  readonly writes: readonly RenumberWrite[]
  /** Whoever still has an old address loses it. */
  readonly takesAway?: true
}

export type Refused = { readonly id: string; readonly path: string; readonly message: string }
