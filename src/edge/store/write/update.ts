// How is an object updated? Fields that the client may change are taken over; then admission sees
// both states, and the new one is stored if it differs.
import type { FieldError } from '../../../core/model/admission.ts'
import type { JsonObject } from '../../../core/model/gate.ts'
import { convert } from '../kinds/convert.ts'
import { resourceOf } from '../kinds/storedKind.ts'
import { withTimesOf } from '../patch/managedFields.ts'
import type { Stored } from '../storage/stored.ts'
import { metaOf, textOf } from '../values/jsonRead.ts'
import { sameJson } from '../values/sameJson.ts'
import { badRequest, done, type Outcome, type Refused, refused } from '../values/status.ts'
import { admitWrite } from './admission.ts'
import type { SentObject, WriteTarget, Written } from './asked.ts'
import { begin, type Creating, complete, createAs, type Draft, unreadable } from './create.ts'
import { definitions } from './definition/accept.ts'
import { checkConvertible } from './definition/convertible.ts'
import { withMeta } from './jsonChange.ts'
import { holdersOf } from './keeping.ts'
import { checkMeta, checkMetaUpdate } from './metadata.ts'
import { pathSegment } from './names.ts'
import { placed } from './naming.ts'
import { owned } from './ownership.ts'
import { readObject } from './readObject.ts'
import { conflict, invalid, notFound } from './refusals.ts'
import { refuseGrowth } from './room.ts'
import { decoded, isKeptIn } from './stored.ts'
import { storedAs } from './storedAs.ts'
import { strategyOf } from './strategies.ts'
import { put, remove } from './work.ts'

/** PUT. */
export function replace(creating: Creating, sent: SentObject): Outcome<Written> {
  const { tx, place, options } = creating
  const { found, namespace, name } = place
  const { fieldValidation } = options
  const { duplicates } = sent
  const read = readObject({ found, fieldValidation, duplicates }, sent.object)
  if (!read.ok) return unreadable(found, read.why)
  const misnamed = refuseName(place, read.object)
  if (misnamed !== undefined) return misnamed
  const draft: Draft = { object: read.object, warnings: read.warnings, isManaged: false }
  const stored = tx.get(resourceOf(found.kind), namespace, name)
  if (stored === undefined) {
    const isMade = strategyOf(found).isUpsert && !place.isStatus
    return isMade ? createAs(creating, draft) : notFound(found.kind, name)
  }
  const uid = textOf(metaOf(read.object)['uid'])
  if (uid !== '' && uid !== stored.uid) return otherUid(place, stored, uid)
  return updateAs(creating, stored, draft)
}

/** Only in a patch may the name be missing. */
export function refuseName({ name }: WriteTarget, object: JsonObject): Refused | undefined {
  const said = textOf(metaOf(object)['name'])
  if (said === name) return undefined
  if (said !== '') {
    return badRequest(
      `the name of the object (${said}) does not match the name on the URL (${name})`,
    )
  }
  const why = 'was undeterminable: name must be provided'
  return badRequest(`the name of the object (${name} based on URL) ${why}`)
}

/** Worded as the storage layer of Kubernetes does. */
function otherUid({ found, namespace, name }: WriteTarget, stored: Stored, uid: string): Refused {
  const { kind } = found
  const path = [kind.isBuiltIn ? kind.plural : `${kind.group}/${kind.plural}`, namespace, name]
  const key = `/registry/${path.filter((part) => part !== '').join('/')}`
  const ids = `UID in precondition: ${uid}, UID in object meta: ${stored.uid}`
  const why = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0`
  return conflict(kind, name, `${why}, AdditionalErrorMsg: Precondition failed: ${ids}`)
}

/** Replaces `stored`; a change since the client has read it is a conflict. */
export function updateAs(creating: Creating, stored: Stored, draft: Draft): Outcome<Written> {
  const { place } = creating
  const { kind, version } = place.found
  const before = convert(kind, decoded(stored), version.name)
  const current = withRevision(place, stored, draft.object)
  if (!current.ok) return current
  const inPlace = placed(place, current.value)
  if (!inPlace.ok) return inPlace
  const managed = draft.isManaged ? inPlace.value : owned(creating, inPlace.value, before)
  const prepared = prepare(creating, before, managed)
  if (!prepared.ok) return prepared
  const object = withTimesOf(before, keepTimes(prepared.value, before))
  const errors = check(creating, object, before)
  if (errors.length > 0) return invalid(kind, place.name, errors)
  return admitAndKeep(creating, { stored, before, object, warnings: draft.warnings })
}

type Change = {
  readonly stored: Stored
  readonly before: JsonObject
  readonly object: JsonObject
  readonly warnings: readonly string[]
}

function admitAndKeep(creating: Creating, change: Change): Outcome<Written> {
  const { work, tx, place, options } = creating
  const { stored, before, object } = change
  const { kind } = place.found
  const admitted = admitWrite(work.admission, { place, object, before })
  if (!admitted.ok) return admitted
  const ofKind = place.isStatus ? [] : strategyOf(place.found).warned(object, before)
  const warnings = [...change.warnings, ...ofKind, ...admitted.value]
  const answer = (shown: Stored): Outcome<Written> =>
    done({ code: 200, shows: { stored: shown }, warnings })
  const keeping = { work, tx, found: place.found, object, isDryRun: options.isDryRun }
  if (isLetGo(object, before)) return answer(remove(keeping))
  // C39: a write without a difference does not create an event. As on a cluster, it still moves an
  // object to the current storage version.
  const isSame = sameJson(object, before) && isKeptIn(kind, kind.storage, stored)
  if (isSame) return answer(stored)
  const next = storedAs(keeping)
  return refuseGrowth(tx, place, next) ?? answer(put(keeping, next))
}

/** Whether the last finalizer of a marked object was removed, so that it is deleted now. */
function isLetGo(object: JsonObject, before: JsonObject): boolean {
  if (metaOf(before)['deletionTimestamp'] === undefined) return false
  return holdersOf(object).length === 0
}

const modified =
  'the object has been modified; please apply your changes to the latest version and try again'

/** C37, C40, C82. */
function withRevision(
  { found, name }: WriteTarget,
  { revision }: Stored,
  object: JsonObject,
): Outcome<JsonObject> {
  const { kind } = found
  const said = textOf(metaOf(object)['resourceVersion'])
  const isLeftOut = said === '' || said === '0'
  if (isLeftOut && strategyOf(found).isUnconditional) {
    return done(withMeta(object, { resourceVersion: String(revision) }))
  }
  if (isLeftOut) {
    const message = 'Invalid value: 0: must be specified for an update'
    const called = { group: kind.group, kind: kind.plural }
    return invalid(called, name, [{ path: 'metadata.resourceVersion', message }])
  }
  if (!/^\d+$/.test(said)) {
    const message = `strconv.ParseUint: parsing ${JSON.stringify(said)}: invalid syntax`
    return refused({ code: 500, reason: '', message })
  }
  return Number(said) === revision ? done(object) : conflict(kind, name, modified)
}

function prepare(creating: Creating, before: JsonObject, object: JsonObject): Outcome<JsonObject> {
  const { place } = creating
  const strategy = strategyOf(place.found)
  const { generation } = metaOf(before)
  if (place.isStatus) {
    return done(strategy.preparedStatus(withMeta(object, { generation }), before))
  }
  const begun = begin(creating, withMeta(object, { generation }), before)
  if (!begun.ok) return begun
  return done(complete(creating, strategy.prepared(begun.value, before)))
}

/** Clients cannot change the creation and deletion times. */
function keepTimes(object: JsonObject, before: JsonObject): JsonObject {
  const [meta, old] = [metaOf(object), metaOf(before)]
  return withMeta(object, {
    uid: meta['uid'] ?? old['uid'],
    creationTimestamp: old['creationTimestamp'],
    deletionTimestamp: old['deletionTimestamp'] ?? meta['deletionTimestamp'],
    deletionGracePeriodSeconds:
      meta['deletionGracePeriodSeconds'] ?? old['deletionGracePeriodSeconds'],
    selfLink: undefined,
  })
}

function check(
  { tx, place }: Creating,
  object: JsonObject,
  before: JsonObject,
): readonly FieldError[] {
  const strategy = strategyOf(place.found)
  const isDefinition = resourceOf(place.found.kind) === definitions && !place.isStatus
  const common = { ...strategy.meta, name: pathSegment, isBuiltIn: false }
  return [
    ...checkMeta(object, common),
    ...checkMetaUpdate(object, before, common),
    ...(place.isStatus ? strategy.checkedStatus(object, before) : strategy.checked(object, before)),
    ...(isDefinition ? checkConvertible(tx, object, before) : []),
  ]
}
