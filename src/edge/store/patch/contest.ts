// Which managers lose fields when an object changes? Each keeps the fields that are unchanged.
import type { JsonObject } from '../../../core/model/gate.ts'
import { difference, intersection, union, withoutTrees } from './fields/combine.ts'
import { compare } from './fields/compare.ts'
import { type FieldSet, isEmpty, nothing } from './fields/fieldSet.ts'
import { refitted } from './fields/fieldsOf.ts'
import type { Shape } from './fields/shape.ts'
import type { Entry, Managers } from './managers.ts'
import type { Target } from './target.ts'

type Change = {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly managers: Managers
  /** The identity of the writer, who cannot conflict with itself. */
  readonly self: string
}
type Contest = {
  /** Fields that the change adds or modifies. */
  readonly written: FieldSet
  /** Fields of other managers that the change modifies, by identity. */
  readonly conflicts: ReadonlyMap<string, FieldSet>
  /** The managers after the change, without those of versions that no longer exist. */
  readonly managers: Managers
}

export function contest(target: Target, { before, after, managers, self }: Change): Contest {
  const known = new Map<string, Changed | undefined>()
  const changedIn = (apiVersion: string): Changed | undefined => {
    if (!known.has(apiVersion))
      known.set(apiVersion, compareIn(apiVersion, target, { before, after }))
    return known.get(apiVersion)
  }
  const conflicts = new Map<string, FieldSet>()
  const left = new Map<string, Entry>()
  for (const [identity, entry] of managers) {
    const changed = changedIn(entry.apiVersion)
    if (identity === self) left.set(identity, entry)
    if (identity === self || changed === undefined) continue
    const lost = intersection(entry.fields, changed.written)
    if (!isEmpty(lost)) conflicts.set(identity, lost)
    const fields = difference(difference(entry.fields, lost), changed.removed)
    if (!isEmpty(fields)) left.set(identity, { ...entry, fields })
  }
  const { written } = changedIn(target.apiVersion) ?? { written: nothing }
  return { written, conflicts, managers: left }
}

type Changed = { readonly written: FieldSet; readonly removed: FieldSet }

function compareIn(
  apiVersion: string,
  target: Target,
  { before, after }: Pick<Change, 'before' | 'after'>,
): Changed | undefined {
  const [old, now] = [target.inVersion(before, apiVersion), target.inVersion(after, apiVersion)]
  if (old === undefined || now === undefined) return undefined
  const { removed, modified, added } = compare(now.shape, old.object, now.object)
  return {
    written: withoutTrees(union(modified, added), target.unowned),
    removed: withoutTrees(removed, target.unowned),
  }
}

/** Each set by the current schema of its version; without versions that no longer exist. */
export function managersToday(target: Target, live: JsonObject, managers: Managers): Managers {
  const today = new Map<string, Entry>()
  const shapes = new Map<string, Shape | undefined>()
  for (const [identity, entry] of managers) {
    const { apiVersion, fields } = entry
    if (!shapes.has(apiVersion)) shapes.set(apiVersion, target.inVersion(live, apiVersion)?.shape)
    const shape = shapes.get(apiVersion)
    if (shape !== undefined) today.set(identity, { ...entry, fields: refitted(shape, fields) })
  }
  return today
}
