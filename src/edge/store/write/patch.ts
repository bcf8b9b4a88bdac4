// How does a patch change an object? It is applied to the current state, and the result is written
// like an update; apply may also create the object.
import type { JsonObject } from '../../../core/model/gate.ts'
import { convert } from '../kinds/convert.ts'
import { resourceOf } from '../kinds/storedKind.ts'
import { applyPatch } from '../patch/apply.ts'
import { jsonPatch } from '../patch/jsonPatch.ts'
import { mergePatch } from '../patch/mergePatch.ts'
import { strategicPatch } from '../patch/strategicPatch.ts'
import type { Stored } from '../storage/stored.ts'
import { goJson, goText } from '../values/goText.ts'
import { done, type Outcome, type Refused } from '../values/status.ts'
import type { Patch, Written } from './asked.ts'
import { type Creating, createAs, type Draft, unreadable } from './create.ts'
import { ownershipTarget } from './ownership.ts'
import { readObject } from './readObject.ts'
import { invalid, notFound } from './refusals.ts'
import { decoded } from './stored.ts'
import { refuseName, updateAs } from './update.ts'
import { timestamp } from './work.ts'

export function patchObject(creating: Creating, patch: Patch): Outcome<Written> {
  const { tx, place } = creating
  const { found, namespace, name } = place
  const stored = tx.get(resourceOf(found.kind), namespace, name)
  if (patch.type === 'apply') return applyObject(creating, stored, patch)
  if (stored === undefined) return notFound(found.kind, name)
  const before = convert(found.kind, decoded(stored), found.version.name)
  const patched = patchedBy(creating, before, patch)
  if (!patched.ok) return patched
  const draft = readPatched(creating, patched.value, patch)
  if (!draft.ok) return draft
  return refuseName(place, draft.value.object) ?? updateAs(creating, stored, draft.value)
}

function patchedBy(
  { place }: Creating,
  before: JsonObject,
  { type, value }: Patch,
): Outcome<JsonObject> {
  if (type === 'json') return jsonPatch(before, value)
  if (type === 'merge') return mergePatch(before, value)
  return strategicPatch(place.found.version.schema, before, value)
}

function readPatched(creating: Creating, patched: JsonObject, patch: Patch): Outcome<Draft> {
  const { place, options } = creating
  const { found } = place
  const { fieldValidation } = options
  const { duplicates } = patch
  const isConverted = patch.type === 'strategic'
  const misnamed = isConverted ? undefined : wrongType(creating, patched)
  const read =
    misnamed === undefined
      ? readObject({ found, fieldValidation, duplicates, isConverted }, patched)
      : { ok: false as const, why: misnamed }
  if (!read.ok) return unreadablePatch(patched, patch, read.why)
  return done({ object: read.object, warnings: read.warnings, isManaged: false })
}

/** A patch may not change the kind; for a strategic patch Kubernetes does not check that. */
function wrongType({ place }: Creating, { kind }: JsonObject): string | undefined {
  const { kind: wanted } = place.found.kind
  if (kind === wanted || kind === undefined) return undefined
  return `converting (v1.${String(kind)}) to (core.${wanted}): unknown conversion`
}

/** Kubernetes quotes the patched object, or for a strategic patch the patch itself. */
function unreadablePatch(patched: JsonObject, { type, value }: Patch, why: string): Refused {
  const shown = type === 'strategic' ? goText(value) : goJson(patched)
  const message = `Invalid value: ${JSON.stringify(shown)}: ${why}`
  return invalid({ group: '', kind: '' }, '', [{ path: 'patch', message }])
}

function applyObject(
  creating: Creating,
  stored: Stored | undefined,
  patch: Patch,
): Outcome<Written> {
  const { work, place, options } = creating
  const { found } = place
  if (stored === undefined && place.isStatus) return notFound(found.kind, place.name)
  const applied = applyPatch({
    target: ownershipTarget(place),
    live: stored && convert(found.kind, decoded(stored), found.version.name),
    applied: patch.value,
    manager: options.fieldManager,
    isForced: options.isForced,
    now: timestamp(work),
  })
  if (!applied.ok) return applied
  const { fieldValidation } = options
  const { duplicates } = patch
  const read = readObject({ found, fieldValidation, duplicates }, applied.value)
  if (!read.ok) return unreadable(found, read.why)
  const misnamed = refuseName(place, read.object)
  if (misnamed !== undefined) return misnamed
  const draft: Draft = { object: read.object, warnings: read.warnings, isManaged: true }
  return stored === undefined ? createAs(creating, draft) : updateAs(creating, stored, draft)
}
