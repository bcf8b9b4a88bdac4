// How is an object written that no client sent? In the storage version, or removed without
// finalizers.
import type { JsonObject } from '../../../core/model/gate.ts'
import type { RequestedKind } from '../kinds/kinds.ts'
import type { StoredKind } from '../kinds/storedKind.ts'
import type { Stored } from '../storage/stored.ts'
import { metaOf, recordOf, textsOf } from '../values/jsonRead.ts'
import { withMeta } from './jsonChange.ts'
import { type Doing, type Keeping, put, remove } from './work.ts'

/** The finalizers that still prevent the deletion of a marked object. */
export function holdersOf(object: JsonObject): readonly string[] {
  const isNamespace = object['kind'] === 'Namespace' && object['apiVersion'] === 'v1'
  const own = isNamespace ? textsOf(recordOf(object['spec'])['finalizers']) : []
  return [...own, ...textsOf(metaOf(object)['finalizers'])]
}

/** Stores a marked object, or removes it if no finalizer is left. */
export const keepOrRemove = (keeping: Keeping): Stored =>
  holdersOf(keeping.object).length === 0 ? remove(keeping) : put(keeping)

export function endHold(keeping: Keeping, finalizer: string): void {
  const { object } = keeping
  const left = textsOf(metaOf(object)['finalizers']).filter((name) => name !== finalizer)
  const finalizers = left.length === 0 ? undefined : left
  keepOrRemove({ ...keeping, object: withMeta(object, { finalizers }) })
}

/** For a write of the server itself. */
export const keepingOf = ({ work, tx }: Doing, kind: StoredKind, object: JsonObject): Keeping => ({
  work,
  tx,
  found: keptAs(kind),
  object,
  isDryRun: false,
})

/** The kind in its storage version. */
export function keptAs(kind: StoredKind): RequestedKind {
  const version = kind.versions.find(({ name }) => name === kind.storage)
  return {
    kind,
    version: version ?? { name: kind.storage, schema: {}, hasStatus: false, columns: [] },
  }
}
