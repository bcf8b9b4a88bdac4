// What does every write need? Kinds, admission, a clock, and how its result is stored.
import type { JsonObject } from '../../../core/model/gate.ts'
import type { Kinds, RequestedKind } from '../kinds/kinds.ts'
import type { Transaction } from '../storage/objects.ts'
import type { Stored } from '../storage/stored.ts'
import type { Admission } from './admission.ts'
import type { Holdings } from './service/holdings.ts'
import { storedAs } from './storedAs.ts'

export type Work = {
  readonly kinds: Kinds
  readonly admission: Admission
  readonly holdings: Holdings
  readonly now: () => Date
  /** From 0 to below 1. */
  readonly random: () => number
  readonly newUid: () => string
  readonly notice: Notice
}

/** Told of every change before the commit, which may still fail. */
export type Notice = {
  readonly put: (tx: Transaction, stored: Stored, object: JsonObject) => void
  readonly removed: (stored: Stored) => void
}

/** RFC 3339, in seconds. */
export const timestamp = ({ now }: Pick<Work, 'now'>): string =>
  `${now().toISOString().slice(0, 19)}Z`

export type Doing = { readonly work: Work; readonly tx: Transaction }
export type Keeping = Doing & {
  readonly found: RequestedKind
  /** In the version of the request. */
  readonly object: JsonObject
  readonly isDryRun: boolean
}

/** `stored` is what `storedAs` returns; nothing may be written in between. */
export function put(keeping: Keeping, stored = storedAs(keeping)): Stored {
  const { work, tx, object, isDryRun } = keeping
  if (isDryRun) return stored
  work.notice.put(tx, stored, object)
  tx.put(stored)
  return stored
}

/** Returns the last state, with the revision of the deletion. */
export function remove(keeping: Keeping): Stored {
  const { work, tx, isDryRun } = keeping
  const stored = storedAs(keeping)
  if (isDryRun) return stored
  work.notice.removed(stored)
  tx.remove(stored)
  return stored
}
