// What did the last process leave undone? Whatever goes and still waits, and whatever belongs to
// owners that are no more. It is looked for while others read and write already.
import type { Kinds } from '../../kinds/kinds.ts'
import { resourceOf } from '../../kinds/storedKind.ts'
import type { Objects } from '../../storage/objects.ts'
import type { Stored } from '../../storage/stored.ts'
import { isGoing } from '../stored.ts'
import { inHandfuls, type Task } from './step.ts'

type Unfinished = {
  readonly goes: (stored: Stored) => void
  readonly isLost: (ownerUid: string) => void
}

/** Whoever is told looks again: much may have happened since the start. */
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
  for (const uid of owners) isLost(uid)
  return inHandfuls({
    all,
    each: (_, stored) => {
      if (isGoing(stored)) goes(stored)
    },
    last: () => 'done',
  })
}
