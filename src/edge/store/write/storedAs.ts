// What would be stored of an object? In the storage version, at the next revision.
import { convert } from '../kinds/convert.ts'
import type { Stored } from '../storage/stored.ts'
import { encoded } from './stored.ts'
import { strategyOf } from './strategies.ts'
import type { Keeping } from './work.ts'

/** In a dry run the object keeps its own revision, if any. */
export function storedAs({ tx, found, object, isDryRun }: Keeping): Stored {
  const { kind } = found
  const kept = convert(kind, object, kind.storage)
  const revision = isDryRun ? undefined : tx.next
  return encoded({ kind, object: kept, revision, fields: strategyOf(found).fields(kept) })
}
