// How is an object created? It is read, placed, named, completed, admitted and stored.
import type { FieldError } from '../../../core/model/admission.ts'
import type { JsonObject } from '../../../core/model/gate.ts'
import type { RequestedKind } from '../kinds/kinds.ts'
import { resourceOf } from '../kinds/storedKind.ts'
import type { Transaction } from '../storage/objects.ts'
import { metaOf, textOf } from '../values/jsonRead.ts'
import { badRequest, done, type Outcome, type Refused, refused } from '../values/status.ts'
import { admitWrite } from './admission.ts'
import type { SentObject, WriteOptions, WriteTarget, Written } from './asked.ts'
import { definitions, withAcceptance } from './definition/accept.ts'
import { withMeta } from './jsonChange.ts'
import { checkMeta } from './metadata.ts'
import { pathSegment } from './names.ts'
import { generated, placed, refusedBy } from './naming.ts'
import { owned } from './ownership.ts'
import { readObject } from './readObject.ts'
import { alreadyExists, invalid } from './refusals.ts'
import { refuseGrowth } from './room.ts'
import { allocated } from './service/allocate.ts'
import type { Promised } from './service/holdings.ts'
import { isGoing } from './stored.ts'
import { storedAs } from './storedAs.ts'
import { strategyOf } from './strategies.ts'
import type { Strategy } from './strategy.ts'
import { put, timestamp, type Work } from './work.ts'

export type Creating = {
  readonly work: Work
  readonly tx: Transaction
  readonly place: WriteTarget
  readonly options: WriteOptions
  /** Reserved for the Service until the write ends. */
  readonly promised: Promised
}

export function create(creating: Creating, sent: SentObject): Outcome<Written> {
  const { place, options } = creating
  const { fieldValidation } = options
  const { duplicates } = sent
  const read = readObject({ found: place.found, fieldValidation, duplicates }, sent.object)
  if (!read.ok) return unreadable(place.found, read.why)
  return createAs(creating, { object: read.object, warnings: read.warnings, isManaged: false })
}

export function unreadable({ kind, version }: RequestedKind, why: string): Refused {
  const what = `${kind.kind} in version "${version.name}"`
  return badRequest(`${what} cannot be handled as a ${kind.kind}: ${why}`)
}

export type Draft = {
  /** As sent, with defaults. */
  readonly object: JsonObject
  readonly warnings: readonly string[]
  /** Whether its managedFields are already up to date. */
  readonly isManaged: boolean
}

export function createAs(creating: Creating, draft: Draft): Outcome<Written> {
  const { work, tx, place, options } = creating
  const { found } = place
  const inPlace = placed(place, draft.object)
  if (!inPlace.ok) return inPlace
  if (work.kinds.isGoing(found.kind)) return withdrawn
  const misplaced = refusedBy(tx, place, inPlace.value)
  if (misplaced !== undefined) return misplaced
  const made = withSystemFields(
    creating,
    draft.isManaged ? inPlace.value : owned(creating, inPlace.value, undefined),
  )
  const strategy = strategyOf(found)
  const begun = begin(creating, made, undefined)
  if (!begun.ok) return begun
  const object = complete(creating, strategy.prepared(begun.value, undefined))
  const name = textOf(metaOf(object)['name'])
  const errors = checkNew(strategy, object)
  if (errors.length > 0) return invalid(found.kind, name, errors)
  const admitted = admitWrite(work.admission, { place, object, before: undefined })
  if (!admitted.ok) return admitted
  const taken = refuseTaken(tx, place, name)
  if (taken !== undefined) return taken
  if (metaOf(object)['resourceVersion'] !== undefined) return hasRevision
  const keeping = { work, tx, found, object, isDryRun: options.isDryRun }
  const stored = storedAs(keeping)
  const isTooMuch = refuseGrowth(tx, place, stored)
  if (isTooMuch !== undefined) return isTooMuch
  put(keeping, stored)
  const warnings = [...draft.warnings, ...strategy.warned(object, undefined), ...admitted.value]
  return done({ code: 201, shows: { stored }, warnings })
}

const withdrawn = refused(
  {
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'create not allowed while custom resource definition is terminating',
  },
  {},
)
const hasRevision = refused({
  code: 500,
  reason: '',
  message: 'resourceVersion should not be set on objects to be created',
})

/** C32: values that the client sends for these are ignored. */
function withSystemFields(creating: Creating, object: JsonObject): JsonObject {
  const { work } = creating
  const { name, generateName } = metaOf(object)
  const prefix = textOf(generateName)
  const isGiven = textOf(name) !== '' || prefix === ''
  return withMeta(object, {
    name: isGiven ? name : freeName(creating, prefix),
    uid: work.newUid(),
    creationTimestamp: timestamp(work),
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
  })
}

const mostTries = 8

type Naming = Pick<Creating, 'work' | 'tx' | 'place'>

function freeName({ work, tx, place }: Naming, prefix: string): string {
  const resource = resourceOf(place.found.kind)
  for (let tried = 1; ; tried++) {
    const name = generated(prefix, work.random)
    const isFree = tx.get(resource, place.namespace, name) === undefined
    if (isFree || tried === mostTries) return name
  }
}

/** Addresses and ports of a Service are allocated before it is checked. */
export function begin(
  { work, place, promised }: Creating,
  object: JsonObject,
  before: JsonObject | undefined,
): Outcome<JsonObject> {
  if (resourceOf(place.found.kind) !== 'services') return done(object)
  return allocated({ holdings: work.holdings, promised }, object, before)
}

/** A definition gets its names, or waits for them to become free. */
export function complete({ work, tx, place }: Creating, object: JsonObject): JsonObject {
  if (resourceOf(place.found.kind) !== definitions || place.isStatus) return object
  return withAcceptance(tx, object, timestamp(work))
}

function checkNew(strategy: Strategy, object: JsonObject): readonly FieldError[] {
  const errors = strategy.checked(object, undefined)
  if (errors.length > 0) return errors
  return checkMeta(object, { ...strategy.meta, name: pathSegment, isBuiltIn: false })
}

function refuseTaken(tx: Transaction, { found, namespace }: WriteTarget, name: string) {
  const stored = tx.get(resourceOf(found.kind), namespace, name)
  if (stored === undefined) return undefined
  return alreadyExists(found.kind, name, isGoing(stored) ? 'object is being deleted: ' : '')
}
