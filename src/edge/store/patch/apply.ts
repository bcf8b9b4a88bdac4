// What does server-side apply make of an object? Applied fields are merged in, fields that the
// manager no longer applies are removed, and fields of other managers conflict unless forced.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../../kube/decode/fields.ts'
import { jsonType } from '../values/goText.ts'
import { recordOf, textOf } from '../values/jsonRead.ts'
import { sameJson } from '../values/sameJson.ts'
import { badRequest, done, type Outcome, type Refused } from '../values/status.ts'
import { conflictRefusal } from './conflicts.ts'
import { contest, managersToday } from './contest.ts'
import { checkTyped } from './fields/checkTyped.ts'
import { difference, withoutTrees } from './fields/combine.ts'
import { type FieldSet, isEmpty } from './fields/fieldSet.ts'
import { fieldsOf } from './fields/fieldsOf.ts'
import { mergeTyped } from './fields/mergeTyped.ts'
import { shapeOf } from './fields/shape.ts'
import { lastAppliedFields, withLastApplied } from './lastApplied.ts'
import { decodeManagers, managedFieldsOf, withManagers, withoutManagers } from './managedFields.ts'
import { identityOf, type Managers, mostManagers, type Writer } from './managers.ts'
import { neverOwned, updatedManagers } from './ownership.ts'
import { prune } from './prune.ts'
import { unexplained } from './refusals.ts'
import type { Target } from './target.ts'

type Apply = {
  readonly target: Target
  /** Undefined if it does not exist yet. */
  readonly live: JsonObject | undefined
  readonly applied: unknown
  readonly manager: string
  readonly isForced: boolean
  /** RFC 3339, in seconds. */
  readonly now: string
}

/** With managedFields; the caller handles defaults, status and fields that the server sets. */
export function applyPatch(apply: Apply): Outcome<JsonObject> {
  const { target, live, applied, manager, isForced, now } = apply
  if (!isRecord(applied)) return applied === null ? wrongType({}) : undecodable(applied)
  const refusal = unfit(target, applied)
  if (refusal !== undefined) return refusal
  const managers = decodeManagers(managedFieldsOf(live ?? {}))
  if (managers === undefined) return unexplained('failed to decode managed fields')
  const before = withoutManagers(live ?? target.empty)
  const applying = { target, live: before, applied, manager, now }
  const known = { ...applying, managers: managers.size > 0 ? managers : beforeFirst(applying) }
  const result = appliedOnce(known)
  if (result.managers.size > Math.max(mostManagers, managers.size)) return tooManyManagers
  const conflicts = isForced ? new Map() : contestedBy(known, result.conflicts)
  if (conflicts.size > 0) return conflictRefusal(result.asBefore, conflicts)
  const object = manager === 'kubectl' ? withLastApplied(result.object, applied) : result.object
  return done(withManagers(object, result.managers))
}

const tooManyManagers = badRequest(
  `metadata.managedFields: Too many: must have at most ${mostManagers} managers`,
)

type Applying = {
  readonly target: Target
  /** Without managedFields. */
  readonly live: JsonObject
  readonly applied: JsonObject
  readonly manager: string
  readonly now: string
}
type Known = Applying & { readonly managers: Managers }

/** Existing fields without a known writer belong to a manager of that name. */
const beforeFirst = ({ target, live, now }: Applying): Managers =>
  updatedManagers({
    target,
    before: target.empty,
    after: live,
    managers: new Map(),
    manager: 'before-first-apply',
    now,
  })

type Applied = {
  readonly object: JsonObject
  /** After the others have lost the fields in conflict. */
  readonly managers: Managers
  readonly asBefore: Managers
  readonly conflicts: ReadonlyMap<string, FieldSet>
}

function appliedOnce({ target, live, applied, manager, now, managers }: Known): Applied {
  const { apiVersion, subresource } = target
  const writer: Writer = { manager, operation: 'Apply', apiVersion, subresource }
  const self = identityOf(writer)
  const shape = shapeOf(target.schema)
  const asBefore = managersToday(target, live, managers)
  const last = asBefore.get(self)
  const fields = withoutTrees(fieldsOf(shape, applied), target.unowned)
  const claimed = new Map([...asBefore, [self, { ...writer, time: last?.time, fields }]])
  const merged = recordOf(mergeTyped(shape, live, applied))
  const object = last === undefined ? merged : prune({ target, merged, last, managers: claimed })
  const change = { before: live, after: object, managers: claimed, self }
  const { conflicts, managers: after } = contest(target, change)
  // An apply that changes nothing keeps the time.
  const time = sameJson(live, object) ? last?.time : now
  const entry = { ...writer, time, fields: difference(fields, neverOwned) }
  const withSelf = new Map([...after, [self, entry]])
  if (isEmpty(entry.fields)) withSelf.delete(self)
  return { object, managers: withSelf, asBefore, conflicts }
}

/** Fields that kubectl applied before, by its annotation, do not conflict with kubectl. */
function contestedBy(
  { target, live, manager }: Known,
  conflicts: ReadonlyMap<string, FieldSet>,
): ReadonlyMap<string, FieldSet> {
  const allowed = manager === 'kubectl' ? lastAppliedFields(target, live) : undefined
  if (allowed === undefined) return conflicts
  const left = [...conflicts].map(([who, fields]) => [who, difference(fields, allowed)] as const)
  return new Map(left.filter(([, fields]) => !isEmpty(fields)))
}

function unfit(target: Target, applied: JsonObject): Refused | undefined {
  const { apiVersion, kind, metadata } = applied
  if (apiVersion !== target.apiVersion || kind !== target.kind) return wrongType(applied)
  if ((managedFieldsOf(applied) ?? null) !== null) {
    return badRequest('metadata.managedFields must be nil')
  }
  const wrong = checkTyped(shapeOf(target.schema), applied)
  if (wrong === undefined) return undefined
  const { namespace, name } = recordOf(metadata)
  const which = `${textOf(namespace)}/${textOf(name)}; ${typeText(applied)}`
  return unexplained(`failed to create typed patch object (${which}): ${wrong}`)
}

const wrongType = (applied: JsonObject): Refused =>
  badRequest(`invalid object type: ${typeText(applied)}`)

const undecodable = (found: unknown): Refused =>
  badRequest(
    'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ' +
      `${jsonType(found)} into Go value of type map[string]interface {}`,
  )

/** `apps/v1, Kind=Deployment`, or `/v1, Kind=Pod` for the core group. */
function typeText({ apiVersion, kind }: JsonObject): string {
  const parts = textOf(apiVersion).split('/')
  const version = parts.length > 2 ? '/' : parts.length === 2 ? parts.join('/') : `/${parts[0]}`
  return `${version}, Kind=${textOf(kind)}`
}
