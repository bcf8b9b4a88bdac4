// In which version are the objects of a kind kept once another one is to be? In that one, all of
// them: who reads them is shown their bytes as they are.
import { convert } from '../../kinds/convert.ts'
import { apiVersionOf, resourceOf, type StoredKind } from '../../kinds/storedKind.ts'
import type { Transaction } from '../../storage/objects.ts'
import type { Stored } from '../../storage/stored.ts'
import { keptAs } from '../remove.ts'
import { decoded } from '../stored.ts'
import { put, type Work } from '../work.ts'
import { mostAtOnce, type Step } from './dependents.ts'

/** By how its bytes begin, which need not be read for it. */
function isKeptElse(kind: StoredKind): (stored: Stored) => boolean {
  const head = `{"kind":"${kind.kind}","apiVersion":"${apiVersionOf(kind, kind.storage)}",`
  const wanted = Buffer.from(head)
  return ({ bytes }) => !wanted.equals(bytes.subarray(0, wanted.length))
}

export function migrate(work: Work, tx: Transaction, resource: string): Step {
  const kind = work.kinds.get(resource)
  if (kind === undefined) return 'done'
  const page = tx.list({ resource, matches: isKeptElse(kind), limit: mostAtOnce })
  for (const stored of page.items) {
    const object = convert(kind, decoded(stored), kind.storage)
    put({ work, tx, found: keptAs(kind), object, isDryRun: false })
  }
  return page.items.length === mostAtOnce ? 'more' : 'done'
}

/** Those whose objects may have been kept in another version before. */
export const resourcesToMigrate = (kinds: readonly StoredKind[]): readonly string[] =>
  kinds
    .filter(({ isBuiltIn, versions }) => !isBuiltIn && versions.length > 1)
    .map((kind) => resourceOf(kind))
