// What did the last process leave undone? Whatever goes and still waits, and whatever belongs to
// owners that are no more.
import type { Kinds } from '../../kinds/kinds.ts'
import { resourceOf } from '../../kinds/storedKind.ts'
import type { Objects } from '../../storage/objects.ts'
import type { Stored } from '../../storage/stored.ts'
import { isGoing } from '../stored.ts'

export type Unfinished = {
  readonly going: readonly Stored[]
  /** The uids of owners that are not there. */
  readonly lostOwners: ReadonlySet<string>
}

export function findUnfinished(objects: Objects, kinds: Kinds): Unfinished {
  const going: Stored[] = []
  const [uids, owners] = [new Set<string>(), new Set<string>()]
  for (const kind of kinds.all()) {
    const page = objects.list({ resource: resourceOf(kind) })
    for (const stored of typeof page === 'string' ? [] : page.items) {
      uids.add(stored.uid)
      for (const owner of stored.owners) owners.add(owner)
      if (isGoing(stored)) going.push(stored)
    }
  }
  const lostOwners = new Set([...owners].filter((uid) => !uids.has(uid)))
  return { going, lostOwners }
}
