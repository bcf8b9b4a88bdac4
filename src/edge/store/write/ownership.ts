// Who owns which fields after a write? A new object is compared with Go's zero value of its kind.
import type { JsonObject } from '../../../core/model/gate.ts'
import type { RequestedKind } from '../kinds/kinds.ts'
import type { ServedVersion } from '../kinds/storedKind.ts'
import { recordUpdate } from '../patch/ownership.ts'
import { type Target, targetOf } from '../patch/target.ts'
import type { WriteOptions, WriteTarget } from './asked.ts'
import { readBuiltIn } from './readBuiltIn.ts'
import { timestamp, type Work } from './work.ts'

const targets = new WeakMap<ServedVersion, { readonly object: Target; readonly status: Target }>()

export function ownershipTarget({
  found,
  isStatus,
}: Pick<WriteTarget, 'found' | 'isStatus'>): Target {
  const known = targets.get(found.version) ?? {
    object: make(found, ''),
    status: make(found, 'status'),
  }
  targets.set(found.version, known)
  return isStatus ? known.status : known.object
}

function make({ kind, version }: RequestedKind, subresource: Target['subresource']): Target {
  const target = targetOf(kind, version, subresource)
  const empty = kind.isBuiltIn ? readBuiltIn(version.schema, {}) : undefined
  return empty?.ok ? { ...target, empty: empty.json } : target
}

type Owning = {
  readonly work: Work
  readonly place: WriteTarget
  readonly options: WriteOptions
}

/** Returns `object` with its managedFields. */
export function owned(
  { work, place, options }: Owning,
  object: JsonObject,
  before: JsonObject | undefined,
): JsonObject {
  return recordUpdate({
    target: ownershipTarget(place),
    before,
    after: object,
    manager: options.fieldManager,
    now: timestamp(work),
  })
}
