// Who owns which fields after a create, an update or a patch? The manager that changed them last.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../../kube/decode/fields.ts'
import { capManagers } from './capManagers.ts'
import { contest, managersToday } from './contest.ts'
import { difference, union } from './fields/combine.ts'
import { fieldAt, isEmpty, nothing } from './fields/fieldSet.ts'
import { decodeManagers, managedFieldsOf, withManagers, withoutManagers } from './managedFields.ts'
import { identityOf, type Managers, mostManagers, nobody, type Writer } from './managers.ts'
import type { Target } from './target.ts'

type Update = {
  readonly target: Target
  /** Undefined for a create. */
  readonly before: JsonObject | undefined
  /** As sent or patched, with defaults, before the server sets fields of its own. */
  readonly after: JsonObject
  readonly manager: string
  /** RFC 3339, in seconds. */
  readonly now: string
}

/** Returns `after` with its new managedFields. */
export function recordUpdate({ target, before, after, manager, now }: Update): JsonObject {
  const managers = managersFor(target, before, after)
  // After managedFields were cleared, they are not tracked until the first apply.
  if (before !== undefined && managers.size === 0) return withManagers(after, nobody)
  const change = { target, before: before ?? target.empty, after, managers, manager, now }
  return withManagers(after, updatedManagers(change))
}

/** A client may set managedFields, but not through a subresource and not by omitting them. */
function managersFor(target: Target, before: JsonObject | undefined, after: JsonObject): Managers {
  const old = decodeManagers(managedFieldsOf(before ?? {})) ?? nobody
  if (target.subresource !== '') return old
  const given = managedFieldsOf(after)
  if (isCleared(target, given)) return nobody
  const managers = isTooMuch(given) ? undefined : decodeManagers(given)
  return managers === undefined || managers.size === 0 ? old : managers
}

const maxManagedChars = 1024 * 1024

/** No server wrote so much, so it counts as what cannot be read: the object keeps what it has. */
const isTooMuch = (given: unknown): boolean =>
  Array.isArray(given) &&
  (given.length > mostManagers || JSON.stringify(given).length > maxManagedChars)

/** One empty entry clears it; an empty list only where Kubernetes distinguishes it from none. */
function isCleared({ isBuiltIn }: Target, given: unknown): boolean {
  if (!Array.isArray(given) || given.length > 1) return false
  return given.length === 0 ? isBuiltIn : isRecord(given[0]) && isBlank(given[0])
}

const isBlank = (entry: JsonObject): boolean =>
  Object.values(entry).every((value) => value === null || value === '')

type Change = Update & { readonly before: JsonObject; readonly managers: Managers }

export function updatedManagers(change: Change): Managers {
  const { target, manager, now } = change
  const [before, after] = [withoutManagers(change.before), withoutManagers(change.after)]
  const managers = managersToday(target, before, change.managers)
  // Its own older entry counts as another manager; fields that it changes again return to it below.
  const { written, managers: left } = contest(target, { before, after, managers, self: '' })
  const fields = difference(written, neverOwned)
  if (isEmpty(fields)) return capManagers(left)
  const writer: Writer = {
    manager: manager || 'unknown',
    operation: 'Update',
    apiVersion: target.apiVersion,
    subresource: target.subresource,
  }
  const identity = identityOf(writer)
  const all = union(fields, left.get(identity)?.fields ?? nothing)
  return capManagers(new Map([...left, [identity, { ...writer, time: now, fields: all }]]))
}

const inMetadata = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
]

/** Fields that identify the object or that the server sets. */
export const neverOwned = [
  ...['apiVersion', 'kind', 'metadata'].map((name) => fieldAt(name)),
  ...inMetadata.map((name) => fieldAt('metadata', name)),
].reduce(union)
