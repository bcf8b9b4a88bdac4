// What becomes of objects whose owner goes? They go after it, before it, or lose it, as was asked.
import type { JsonObject } from '../../../../core/model/gate.ts'
import { groupOf } from '../../../kube/decode/decode.ts'
import { resourceOf } from '../../kinds/storedKind.ts'
import type { Transaction } from '../../storage/objects.ts'
import type { Stored } from '../../storage/stored.ts'
import { withMeta } from '../jsonChange.ts'
import { metaOf, recordsOf, textOf, textsOf } from '../jsonRead.ts'
import { foreground, orphaning } from '../metadata.ts'
import { keptAs, letGo } from '../remove.ts'
import { decoded } from '../stored.ts'
import { put, remove, type Work } from '../work.ts'

/** At most so many objects in one turn of the event loop. */
export const mostAtOnce = 200

export type Step = 'more' | 'done'
export type Spot = Pick<Stored, 'resource' | 'namespace' | 'name' | 'uid'>

/** After it: of an owner that is no more. */
export function collect(work: Work, tx: Transaction, uid: string): Step {
  const all = tx.ownedBy(uid)
  for (const stored of all.slice(0, mostAtOnce)) disown(work, tx, stored)
  return all.length > mostAtOnce ? 'more' : 'done'
}

/** Goes when none of its owners is left; else it only forgets those that are gone. */
function disown(work: Work, tx: Transaction, stored: Stored): void {
  const kind = work.kinds.get(stored.resource)
  if (kind === undefined) return
  const object = decoded(stored)
  const owners = recordsOf(metaOf(object)['ownerReferences'])
  const left = owners.filter((owner) => isThere(work, tx, stored, owner))
  if (left.length === owners.length) return
  const keeping = { work, tx, found: keptAs(kind), object, isDryRun: false }
  if (left.length === 0) letGo(keeping, { propagationPolicy: 'Background' })
  else put({ ...keeping, object: withMeta(object, { ownerReferences: left }) })
}

/** In the same namespace, or of the whole cluster; under its name there may be another by now. */
export function isThere(
  work: Work,
  tx: Transaction,
  { namespace }: Stored,
  owner: JsonObject,
): boolean {
  const { apiVersion, kind: name } = owner
  const kind = work.kinds.named(groupOf(textOf(apiVersion)), textOf(name))
  // Of a kind that is not served nothing can be said.
  if (kind === undefined) return true
  const place = kind.isNamespaced ? namespace : ''
  return tx.get(resourceOf(kind), place, textOf(owner['name']))?.uid === owner['uid']
}

/** Before it: of an owner that waits for them, or is to leave them behind. */
export function release(work: Work, tx: Transaction, spot: Spot): Step {
  const stored = tx.get(spot.resource, spot.namespace, spot.name)
  const kind = work.kinds.get(spot.resource)
  if (stored === undefined || kind === undefined || stored.uid !== spot.uid) return 'done'
  const object = decoded(stored)
  const finalizers = textsOf(metaOf(object)['finalizers'])
  const held = finalizers.find((name) => name === orphaning || name === foreground)
  if (metaOf(object)['deletionTimestamp'] === undefined || held === undefined) return 'done'
  const all = tx.ownedBy(stored.uid)
  const batch = all.slice(0, mostAtOnce)
  for (const one of batch) {
    if (held === orphaning) orphan(work, tx, one, stored.uid)
    else precede(work, tx, one)
  }
  if (all.length > mostAtOnce) return 'more'
  if (held === foreground && tx.ownedBy(stored.uid).some((one) => isBlocking(one, stored.uid))) {
    return 'done'
  }
  const left = finalizers.filter((name) => name !== held)
  const after = withMeta(object, { finalizers: left.length === 0 ? undefined : left })
  const keeping = { work, tx, found: keptAs(kind), object: after, isDryRun: false }
  if (left.length === 0) remove(keeping)
  else put(keeping)
  return 'done'
}

/** C68. */
function orphan(work: Work, tx: Transaction, stored: Stored, uid: string): void {
  const kind = work.kinds.get(stored.resource)
  if (kind === undefined) return
  const object = decoded(stored)
  const left = recordsOf(metaOf(object)['ownerReferences']).filter((owner) => owner['uid'] !== uid)
  const after = withMeta(object, { ownerReferences: left.length === 0 ? undefined : left })
  put({ work, tx, found: keptAs(kind), object: after, isDryRun: false })
}

function precede(work: Work, tx: Transaction, stored: Stored): void {
  const kind = work.kinds.get(stored.resource)
  if (kind === undefined) return
  const object = decoded(stored)
  if (metaOf(object)['deletionTimestamp'] !== undefined) return
  const propagationPolicy = tx.ownedBy(stored.uid).length > 0 ? 'Foreground' : 'Background'
  letGo({ work, tx, found: keptAs(kind), object, isDryRun: false }, { propagationPolicy })
}

const isBlocking = (stored: Stored, uid: string): boolean =>
  recordsOf(metaOf(decoded(stored))['ownerReferences']).some(
    (owner) => owner['uid'] === uid && owner['blockOwnerDeletion'] === true,
  )
