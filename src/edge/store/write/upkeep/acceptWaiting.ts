// Which definition gets the names of a deleted one? The first that waits for them, by name.

import type { Transaction } from '../../storage/objects.ts'
import { recordOf, recordsOf } from '../../values/jsonRead.ts'
import { sameJson } from '../../values/sameJson.ts'
import { definitions, withAcceptance } from '../definition/accept.ts'
import { keepingOf } from '../keeping.ts'
import { decoded } from '../stored.ts'
import { put, timestamp, type Work } from '../work.ts'
import type { Step } from './step.ts'

export function acceptWaiting(work: Work, tx: Transaction): Step {
  const kind = work.kinds.get(definitions)
  if (kind === undefined) return 'done'
  for (const stored of tx.list({ resource: definitions }).items) {
    const before = decoded(stored)
    const conditions = recordsOf(recordOf(before['status'])['conditions'])
    const isWaiting = conditions.some(
      ({ type, status }) => type === 'NamesAccepted' && status === 'False',
    )
    if (!isWaiting) continue
    const object = withAcceptance(tx, before, timestamp(work))
    if (!sameJson(object, before)) put(keepingOf({ work, tx }, kind, object))
  }
  return 'done'
}
