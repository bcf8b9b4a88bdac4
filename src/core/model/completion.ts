// What is added to an object before it is made, and may it be made? Asked of whoever completes it.
import type { JsonObject } from './gate.ts'
import type { Labels } from './selector.ts'

type NewObject = {
  readonly namespace: string
  readonly object: JsonObject
  /** Nothing may be written for it. */
  readonly isDryRun: boolean
  /** False where anybody could have asked: a webhook takes no credentials. */
  readonly isVouchedFor: boolean
}

export type Completion =
  | { readonly ok: true; readonly annotations: Labels; readonly warnings: readonly string[] }
  /** Whoever makes it may try again. */
  | { readonly ok: false; readonly why: string }

export type Complete = (asked: NewObject) => Promise<Completion>
