// What happens to the dependents of a deleted owner? They are deleted after it or before it, or
// lose their owner reference, by the propagation policy.
import type { JsonObject } from '../../../../core/model/gate.ts'
import { groupOf } from '../../../kube/decode/decode.ts'
import { resourceOf } from '../../kinds/storedKind.ts'
import type { Transaction } from '../../storage/objects.ts'
import type { Stored } from '../../storage/stored.ts'
import { metaOf, recordsOf, textOf } from '../../values/jsonRead.ts'
import { withMeta } from '../jsonChange.ts'
import { endHold, keepingOf } from '../keeping.ts'
import { foreground, orphaning } from '../metadata.ts'
import { letGo } from '../remove.ts'
import { decoded, deletionOf, isGoing } from '../stored.ts'
import { type Doing, type Keeping, put, type Work } from '../work.ts'
import { inHandfuls, type Step } from './step.ts'

export type Spot = Pick<Stored, 'resource' | 'namespace' | 'name' | 'uid'>

const spotsOf = (owned: readonly Stored[]): readonly Spot[] =>
  owned.map(({ resource, namespace, name, uid }) => ({ resource, namespace, name, uid }))

/** The current object; undefined if it is gone or its kind is not served. */
function find({ work, tx }: Doing, { resource, namespace, name, uid }: Spot): Keeping | undefined {
  const stored = tx.get(resource, namespace, name)
  const kind = work.kinds.get(resource)
  if (stored === undefined || kind === undefined || stored.uid !== uid) return undefined
  return keepingOf({ work, tx }, kind, decoded(stored))
}

/** Background: the owner is already gone. */
export function collect(work: Work, tx: Transaction, uid: string): Step {
  const step = inHandfuls({
    all: spotsOf(tx.ownedBy(uid)),
    each: (now, spot) => disown({ work, tx: now }, spot),
    last: () => 'done',
  })
  return step(tx)
}

/**
 * Deleted when no owner is left; else it only loses the references to owners that are gone. One
 * that is being deleted keeps them, as in Kubernetes: it goes anyway.
 */
export function disown(doing: Doing, spot: Spot): void {
  const { resource, namespace, name } = spot
  const stored = doing.tx.get(resource, namespace, name)
  const keeping = stored === undefined || isGoing(stored) ? undefined : find(doing, spot)
  if (keeping === undefined) return
  const { object } = keeping
  const owners = recordsOf(metaOf(object)['ownerReferences'])
  const left = owners.filter((owner) => isThere(doing, spot, owner))
  if (left.length === owners.length) return
  if (left.length === 0) letGo(keeping, { propagationPolicy: 'Background' })
  else put({ ...keeping, object: withMeta(object, { ownerReferences: left }) })
}

/** In the same namespace or cluster-scoped; another object may have its name by now. */
export function isThere({ work, tx }: Doing, { namespace }: Spot, owner: JsonObject): boolean {
  const { apiVersion, kind: name } = owner
  const kind = work.kinds.named(groupOf(textOf(apiVersion)), textOf(name))
  // The kind is not served, so whether the owner exists is unknown.
  if (kind === undefined) return true
  const place = kind.isNamespaced ? namespace : ''
  return tx.get(resourceOf(kind), place, textOf(owner['name']))?.uid === owner['uid']
}

type Held = typeof orphaning | typeof foreground

/** The finalizer for which it waits for its dependents. */
function heldBy(tx: Transaction, { resource, namespace, name, uid }: Spot): Held | undefined {
  const stored = tx.get(resource, namespace, name)
  if (stored === undefined || stored.uid !== uid) return undefined
  const { going } = deletionOf(stored)
  return going === orphaning || going === foreground ? going : undefined
}

/** Foreground and Orphan: the owner waits for its dependents. */
export function release(work: Work, tx: Transaction, spot: Spot): Step {
  const held = heldBy(tx, spot)
  if (held === undefined) return 'done'
  const step = inHandfuls({
    all: spotsOf(tx.ownedBy(spot.uid)),
    each: (now, one) => {
      if (held === orphaning) orphan({ work, tx: now }, one, spot.uid)
      else precede({ work, tx: now }, one)
    },
    last: (now) => endWait(work, now, spot),
  })
  return step(tx)
}

/** The owner loses its finalizer when no dependent is left to wait for. */
export function endWait(work: Work, tx: Transaction, spot: Spot): Step {
  const held = heldBy(tx, spot)
  if (held === undefined) return 'done'
  const isWaitedFor = (one: Stored): boolean =>
    held === orphaning ? work.kinds.get(one.resource) !== undefined : isBlocking(one, spot.uid)
  if (tx.ownedBy(spot.uid).some(isWaitedFor)) return 'done'
  const keeping = find({ work, tx }, spot)
  if (keeping !== undefined) endHold(keeping, held)
  return 'done'
}

/** C68. */
function orphan(doing: Doing, spot: Spot, uid: string): void {
  const keeping = find(doing, spot)
  if (keeping === undefined) return
  const { object } = keeping
  const owners = recordsOf(metaOf(object)['ownerReferences'])
  const left = owners.filter((owner) => owner['uid'] !== uid)
  if (left.length === owners.length) return
  const ownerReferences = left.length === 0 ? undefined : left
  put({ ...keeping, object: withMeta(object, { ownerReferences }) })
}

function precede(doing: Doing, spot: Spot): void {
  const { resource, namespace, name, uid } = spot
  const stored = doing.tx.get(resource, namespace, name)
  if (stored === undefined) return
  const dependents = doing.tx.ownedBy(uid)
  const isFreed = deletionOf(stored).blocks.length > 0 && dependents.some(isWaiting)
  // Most are on their way already, each time that there is one more.
  if (isGoing(stored) && !isFreed) return
  const found = find(doing, spot)
  if (found === undefined) return
  const keeping = isFreed ? unblocked(found) : found
  if (isGoing(stored)) return
  const propagationPolicy = dependents.length > 0 ? 'Foreground' : 'Background'
  letGo(keeping, { propagationPolicy })
}

const isWaiting = (stored: Stored): boolean => deletionOf(stored).going === foreground

/**
 * If what depends on it waits as well, they may own each other and wait for ever. As Kubernetes'
 * garbage collector does, it then blocks none of its owners any more.
 */
function unblocked(keeping: Keeping): Keeping {
  const { object } = keeping
  const owners = recordsOf(metaOf(object)['ownerReferences'])
  const ownerReferences = owners.map((owner) => ({ ...owner, blockOwnerDeletion: false }))
  const after = { ...keeping, object: withMeta(object, { ownerReferences }) }
  put(after)
  return after
}

function isBlocking(stored: Stored, uid: string): boolean {
  return deletionOf(stored).blocks.some((at) => stored.owners[at] === uid)
}
