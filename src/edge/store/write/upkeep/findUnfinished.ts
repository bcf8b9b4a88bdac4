// What did the last process leave unfinished? Marked objects, and dependents of owners that are
// gone. The search runs while clients already read and write.
import type { Kinds } from '../../kinds/kinds.ts'
import { resourceOf } from '../../kinds/storedKind.ts'
import type { Objects, Transaction } from '../../storage/objects.ts'
import type { Stored } from '../../storage/stored.ts'
import { isGoing } from '../stored.ts'
import { inHandfuls, type Task } from './step.ts'

type Unfinished = {
  readonly goes: (stored: Stored) => void
  /** For a dependent: once, however many of its owners are gone. */
  readonly isLost: (tx: Transaction, stored: Stored) => void
}

/** The receiver checks again, because objects may have changed since. */
export function findUnfinished(
  objects: Pick<Objects, 'list'>,
  kinds: Pick<Kinds, 'all'>,
  { goes, isLost }: Unfinished,
): Task {
  const all = kinds.all().flatMap((kind) => {
    const page = objects.list({ resource: resourceOf(kind) })
    return typeof page === 'string' ? [] : page.items
  })
  const owners = new Set(all.flatMap((stored) => stored.owners))
  if (owners.size > 0) for (const { uid } of all) owners.delete(uid)
  return inHandfuls({
    all,
    each: (tx, stored) => {
      if (isGoing(stored)) goes(stored)
      else if (stored.owners.some((uid) => owners.has(uid))) isLost(tx, stored)
    },
    last: () => 'done',
  })
}
