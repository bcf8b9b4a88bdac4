// How do a namespace and a definition go? First what is in them, a handful at a time, then they.
import type { JsonObject } from '../../../../core/model/gate.ts'
import { resourceOf, type StoredKind } from '../../kinds/storedKind.ts'
import type { Transaction } from '../../storage/objects.ts'
import type { Stored } from '../../storage/stored.ts'
import { definitions } from '../definition/accept.ts'
import { withMeta, withSpec } from '../jsonChange.ts'
import { metaOf, recordOf, textsOf } from '../jsonRead.ts'
import { cleanup, keptAs, letGo } from '../remove.ts'
import { decoded, isGoing } from '../stored.ts'
import { put, remove, type Work } from '../work.ts'
import { mostAtOnce, type Step } from './dependents.ts'

export function emptyNamespace(work: Work, tx: Transaction, name: string): Step {
  const stored = tx.get('namespaces', '', name)
  const kind = work.kinds.get('namespaces')
  if (stored === undefined || kind === undefined) return 'done'
  const object = decoded(stored)
  if (metaOf(object)['deletionTimestamp'] === undefined) return 'done'
  const kinds = work.kinds.all().filter(({ isNamespaced }) => isNamespaced)
  const cleared = clear(work, tx, kinds, name)
  if (cleared !== 'empty') return cleared === 'more' ? 'more' : 'done'
  return finish(work, tx, kind, withoutOwn(object))
}

/** Whoever holds what is left is waited for: its going wakes us again. */
function clear(
  work: Work,
  tx: Transaction,
  kinds: readonly StoredKind[],
  namespace: string | undefined,
): 'empty' | 'more' | 'held' {
  let [handled, held] = [0, 0]
  for (const kind of kinds) {
    const { items } = tx.list({ resource: resourceOf(kind), namespace })
    for (const stored of items) {
      if (handled === mostAtOnce) return 'more'
      const isHeld = isGoing(stored) || !goes(work, tx, kind, stored)
      if (isHeld) held++
      else handled++
    }
  }
  return held > 0 ? 'held' : 'empty'
}

function goes(work: Work, tx: Transaction, kind: StoredKind, stored: Stored): boolean {
  const keeping = { work, tx, found: keptAs(kind), object: decoded(stored), isDryRun: false }
  return letGo(keeping, { propagationPolicy: 'Background' }).isRemoved
}

function withoutOwn(object: JsonObject): JsonObject {
  const finalizers = textsOf(recordOf(object['spec'])['finalizers'])
  const left = finalizers.filter((name) => name !== 'kubernetes')
  return withSpec(object, { finalizers: left.length === 0 ? undefined : left })
}

function finish(work: Work, tx: Transaction, kind: StoredKind, object: JsonObject): Step {
  const held = [
    ...textsOf(metaOf(object)['finalizers']),
    ...textsOf(recordOf(object['spec'])['finalizers']),
  ]
  const keeping = { work, tx, found: keptAs(kind), object, isDryRun: false }
  if (held.length === 0) remove(keeping)
  else put(keeping)
  return 'done'
}

export function withdrawDefinition(work: Work, tx: Transaction, name: string): Step {
  const stored = tx.get(definitions, '', name)
  const ofDefinitions = work.kinds.get(definitions)
  if (stored === undefined || ofDefinitions === undefined) return 'done'
  const object = decoded(stored)
  const finalizers = textsOf(metaOf(object)['finalizers'])
  if (!isGoing(stored) || !finalizers.includes(cleanup)) return 'done'
  const kind = work.kinds.get(name)
  const cleared = kind === undefined ? 'empty' : clear(work, tx, [kind], undefined)
  if (cleared !== 'empty') return cleared === 'more' ? 'more' : 'done'
  const left = finalizers.filter((one) => one !== cleanup)
  const after = withMeta(object, { finalizers: left.length === 0 ? undefined : left })
  const keeping = { work, tx, found: keptAs(ofDefinitions), object: after, isDryRun: false }
  if (left.length === 0) remove(keeping)
  else put(keeping)
  return 'done'
}
