// How is an object deleted? At once, or if it has finalizers it is marked and deleted when the last
// of them is removed.
import type { JsonObject } from '../../../core/model/gate.ts'
import { convert } from '../kinds/convert.ts'
import { resourceOf, type StoredKind } from '../kinds/storedKind.ts'
import type { Transaction } from '../storage/objects.ts'
import type { Stored } from '../storage/stored.ts'
import { metaOf, recordOf, textsOf } from '../values/jsonRead.ts'
import { done, type Outcome, type Refused, refused } from '../values/status.ts'
import { admitDelete } from './admission.ts'
import type { DeleteOptions, WriteTarget, Written } from './asked.ts'
import { definitions } from './definition/accept.ts'
import { changed, withMeta } from './jsonChange.ts'
import { foreground, orphaning } from './metadata.ts'
import { conflict, notFound } from './refusals.ts'
import { decoded } from './stored.ts'
import { strategyOf } from './strategies.ts'
import { type Keeping, put, remove, timestamp, type Work } from './work.ts'

export type Removing = {
  readonly work: Work
  readonly tx: Transaction
  readonly place: WriteTarget
  readonly options: DeleteOptions
}

export function removeObject(removing: Removing): Outcome<Written> {
  const { work, tx, place, options } = removing
  const { found, namespace, name } = place
  const stored = tx.get(resourceOf(found.kind), namespace, name)
  if (stored === undefined) return notFound(found.kind, name)
  const object = convert(found.kind, decoded(stored), found.version.name)
  const refusal =
    refuseImmortal(found.kind, name) ?? refusePreconditions(found.kind, stored, options)
  if (refusal !== undefined) return refusal
  const admitted = admitDelete(work.admission, place, object)
  if (!admitted.ok) return admitted
  const warnings = admitted.value
  const gone = letGo({ work, tx, found, object, isDryRun: options.isDryRun }, options)
  if (!gone.isRemoved || strategyOf(found).returnsDeleted) {
    return done({ code: 200, shows: { stored: gone.stored ?? stored }, warnings })
  }
  return done({ code: 200, shows: { status: removed(found.kind, stored) }, warnings })
}

const removed = ({ group, plural }: StoredKind, { name, uid }: Stored): JsonObject => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: { name, ...(group === '' ? {} : { group }), kind: plural, uid },
})

const immortal = ['default', 'kube-system', 'kube-public']

function refuseImmortal(kind: StoredKind, name: string): Refused | undefined {
  if (resourceOf(kind) !== 'namespaces' || !immortal.includes(name)) return undefined
  const message = `namespaces "${name}" is forbidden: this namespace may not be deleted`
  return refused({ code: 403, reason: 'Forbidden', message }, { name, kind: 'namespaces' })
}

/** C42. For a namespace the message differs. */
function refusePreconditions(
  kind: StoredKind,
  stored: Stored,
  { preconditions }: DeleteOptions,
): Refused | undefined {
  const { uid, resourceVersion } = preconditions
  const { name, revision } = stored
  if (resourceOf(kind) === 'namespaces') {
    const words = (what: string, said: string, is: string) =>
      `Precondition failed: ${what} in precondition: ${said}, ${what} in object meta: ${is}`
    if (uid !== undefined && uid !== stored.uid) {
      return conflict(kind, name, words('UID', uid, stored.uid))
    }
    if (resourceVersion === undefined || resourceVersion === String(revision)) return undefined
    return conflict(kind, name, words('ResourceVersion', resourceVersion, String(revision)))
  }
  // Here Kubernetes uses the kind in place of the plural.
  const called = { ...kind, plural: kind.kind }
  const differs = (what: string, said: string, is: string) =>
    `the ${what} in the precondition (${said}) does not match the ${what} in record (${is})`
  if (uid !== undefined && uid !== stored.uid) {
    const why = differs('UID', uid, stored.uid)
    return conflict(called, name, `${why}. The object might have been deleted and then recreated`)
  }
  if (resourceVersion === undefined || resourceVersion === String(revision)) return undefined
  const why = differs('ResourceVersion', resourceVersion, String(revision))
  return conflict(called, name, `${why}. The object might have been modified`)
}

type Gone = {
  readonly isRemoved: boolean
  /** Undefined if nothing had to be written. */
  readonly stored: Stored | undefined
}
type Policy = Pick<DeleteOptions, 'propagationPolicy'>

/** Preconditions and admission were checked before. */
export function letGo(keeping: Keeping, { propagationPolicy }: Policy): Gone {
  const { work, found, object } = keeping
  const marked = (after: JsonObject | undefined): Gone => ({
    isRemoved: false,
    stored: after && put({ ...keeping, object: after }),
  })
  const resource = resourceOf(found.kind)
  if (resource === 'namespaces') return marked(terminating(work, object, propagationPolicy))
  if (resource === definitions) return marked(withdrawn(work, object))
  const finalizers = finalizersFor(object, propagationPolicy)
  if (finalizers.length === 0) return { isRemoved: true, stored: remove(keeping) }
  return marked(going(work, object, finalizers))
}

export const cleanup = 'customresourcecleanup.apiextensions.k8s.io'

function finalizersFor(object: JsonObject, policy: Policy['propagationPolicy']): readonly string[] {
  const given = textsOf(metaOf(object)['finalizers'])
  // An Event has no dependents.
  if (policy === undefined || (object['kind'] === 'Event' && object['apiVersion'] === 'v1')) {
    return given
  }
  const others = given.filter((name) => name !== orphaning && name !== foreground)
  if (policy === 'Background') return others
  return [...others, policy === 'Orphan' ? orphaning : foreground]
}

/** Undefined if it is already marked. */
function going(
  work: Work,
  object: JsonObject,
  finalizers: readonly string[],
): JsonObject | undefined {
  const { deletionTimestamp, generation, finalizers: before } = metaOf(object)
  const isSame = textsOf(before).join() === finalizers.join()
  if (deletionTimestamp !== undefined && isSame) return undefined
  const isCounted = deletionTimestamp === undefined && typeof generation === 'number'
  return withMeta(object, {
    generation: isCounted ? generation + 1 : generation,
    deletionTimestamp: deletionTimestamp ?? timestamp(work),
    deletionGracePeriodSeconds: 0,
    finalizers,
  })
}

/** Its contents are deleted first (C69). */
function terminating(
  work: Work,
  object: JsonObject,
  policy: Policy['propagationPolicy'],
): JsonObject | undefined {
  if (metaOf(object)['deletionTimestamp'] !== undefined) return undefined
  const finalizers = finalizersFor(object, policy)
  const marked = withMeta(object, {
    deletionTimestamp: timestamp(work),
    finalizers: finalizers.length === 0 ? undefined : finalizers,
  })
  return { ...marked, status: { ...recordOf(object['status']), phase: 'Terminating' } }
}

/** Its objects are deleted first. */
function withdrawn(work: Work, object: JsonObject): JsonObject | undefined {
  const { deletionTimestamp, finalizers } = metaOf(object)
  if (deletionTimestamp !== undefined) return undefined
  const now = timestamp(work)
  const given = textsOf(finalizers)
  const status = recordOf(object['status'])
  const condition = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: now,
    reason: 'InstanceDeletionPending',
    message:
      'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  }
  const conditions = [
    ...(Array.isArray(status['conditions']) ? status['conditions'] : []),
    condition,
  ]
  const marked = withMeta(object, {
    deletionTimestamp: now,
    finalizers: given.includes(cleanup) ? given : [...given, cleanup],
  })
  return changed(marked, { status: { ...status, conditions } })
}
