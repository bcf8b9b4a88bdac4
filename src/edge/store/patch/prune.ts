// Which fields are removed when a manager no longer applies them? Those without another owner.
import type { JsonObject } from '../../../core/model/gate.ts'
import { recordOf } from '../values/jsonRead.ts'
import { difference, intersection, union, unionOf } from './fields/combine.ts'
import { type FieldSet, isEmpty } from './fields/fieldSet.ts'
import { fieldsOf, withDeclared } from './fields/fieldsOf.ts'
import { withoutFields } from './fields/withoutFields.ts'
import type { Entry, Managers } from './managers.ts'
import type { Target } from './target.ts'

type Pruning = {
  readonly target: Target
  /** The live object merged with the applied one. */
  readonly merged: JsonObject
  /** The fields that the manager applied before. */
  readonly last: Entry
  /** The managers, with what is applied now. */
  readonly managers: Managers
}

export function prune({ target, merged, last, managers }: Pruning): JsonObject {
  const old = target.inVersion(merged, last.apiVersion)
  if (old === undefined) return merged
  const { shape, object } = old
  const lastFields = withDeclared(shape, last.fields)
  let left = recordOf(withoutFields(shape, object, lastFields))
  for (const owned of byVersion(managers, last.apiVersion)) {
    left = withOwned(target, { merged: object, left, owned })
  }
  const remaining = target.inVersion(left, last.apiVersion)?.object ?? left
  // Only its own fields may be removed: a container can have more than those.
  const gone = difference(
    withDeclared(shape, fieldsOf(shape, object)),
    withDeclared(shape, fieldsOf(shape, remaining)),
  )
  const lost = intersection(gone, lastFields)
  // Conversion to a version with fewer fields would lose some, so it is avoided if possible.
  if (isEmpty(lost)) return merged
  const result = recordOf(withoutFields(shape, object, lost))
  return target.inVersion(result, target.apiVersion)?.object ?? result
}

type Owned = { readonly apiVersion: string; readonly fields: FieldSet }

/** All owned fields by version, that of the last apply first. */
function byVersion(managers: Managers, first: string): readonly Owned[] {
  const versions = new Map<string, FieldSet[]>([[first, []]])
  for (const { apiVersion, fields } of managers.values()) {
    const known = versions.get(apiVersion) ?? []
    known.push(fields)
    versions.set(apiVersion, known)
  }
  return [...versions].map(([apiVersion, sets]) => ({ apiVersion, fields: unionOf(sets) }))
}

type Left = { readonly merged: JsonObject; readonly left: JsonObject; readonly owned: Owned }

/** The pruned object, and from the whole object what is owned. */
function withOwned(target: Target, { merged, left, owned }: Left): JsonObject {
  const whole = target.inVersion(merged, owned.apiVersion)
  const part = target.inVersion(left, owned.apiVersion)
  if (whole === undefined || part === undefined) return left
  const { shape } = whole
  const kept = union(
    withDeclared(shape, fieldsOf(shape, part.object)),
    withDeclared(shape, owned.fields),
  )
  const all = withDeclared(shape, fieldsOf(shape, whole.object))
  return recordOf(withoutFields(shape, whole.object, difference(all, kept)))
}
