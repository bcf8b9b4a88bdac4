import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../core/model/gate.ts'
import { walkSchema } from '../../kube/schema/schema.ts'
import { builtInKinds } from '../kinds/builtIn.ts'
import { completeSchema } from '../kinds/completeSchema.ts'
import type { StoredKind } from '../kinds/storedKind.ts'
import { done, type Outcome, type Refused } from '../values/status.ts'
import { applyPatch } from './apply.ts'
import { jsonPatch } from './jsonPatch.ts'
import { mergePatch } from './mergePatch.ts'
import { recordUpdate } from './ownership.ts'
import { strategicPatch } from './strategicPatch.ts'
import { type Target, targetOf } from './target.ts'

/** What was sent to kube-apiserver 1.36.3 for one object, and what it answered each time. */
type Step = {
  readonly op: 'create' | 'put' | 'merge' | 'json' | 'smp' | 'apply'
  readonly manager: string
  readonly isForced?: boolean
  readonly subresource?: 'status'
  readonly body: string
  readonly answer: string
}
type Sequence = { readonly kind: string; readonly about: string; readonly steps: readonly Step[] }
const recorded: { readonly thing: string; readonly sequences: readonly Sequence[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'),
)
const now = '2026-01-01T00:00:00Z'

const content = JSON.parse(recorded.thing)
const thing: StoredKind = {
  group: 't.example',
  kind: 'Thing',
  listKind: 'ThingList',
  plural: 'things',
  singular: 'thing',
  shortNames: [],
  categories: [],
  isNamespaced: true,
  isBuiltIn: false,
  storage: 'v1',
  versions: [{ name: 'v1', schema: completeSchema(content), hasStatus: true, columns: [] }],
}

function kindOf(name: string): StoredKind {
  const kind = [thing, ...builtInKinds].find((one) => one.kind === name)
  if (kind === undefined) throw new Error(`there is no ${name}`)
  return kind
}

/** What the rest of the server makes of it: defaults, and what Go does not write. */
function decoded(kind: StoredKind, object: JsonObject): JsonObject {
  const { data, metadata, ...rest } = object
  const fields = Object.entries((metadata ?? {}) as JsonObject)
  const isShown = ([name, value]: readonly [string, unknown]) =>
    name === 'managedFields' || (value !== null && Object.keys(Object(value)).length > 0)
  const meta = { metadata: Object.fromEntries(fields.filter(isShown)) }
  if (!kind.isBuiltIn) return walkSchema(content, { ...rest, ...meta }).value as JsonObject
  const texts = Object.entries((data ?? {}) as JsonObject).map(([key, text]) => [key, text ?? ''])
  return { ...rest, ...meta, ...(texts.length === 0 ? {} : { data: Object.fromEntries(texts) }) }
}

/** A write to one of both leaves the other as it was. */
function kept(target: Target, live: JsonObject | undefined, after: JsonObject): JsonObject {
  if (target.isBuiltIn) return after
  const { status } = target.subresource === 'status' ? after : (live ?? {})
  const rest = target.subresource === 'status' ? live : after
  const managed = { ...(live?.['metadata'] as JsonObject), ...ownersIn(after) }
  const metadata = target.subresource === 'status' ? { metadata: managed } : {}
  const { status: _, ...others } = rest ?? {}
  return { ...others, ...metadata, ...(status === undefined ? {} : { status }) }
}

const ownersIn = ({ metadata }: JsonObject): JsonObject => {
  const { managedFields } = metadata as JsonObject
  return managedFields === undefined ? {} : { managedFields }
}

function patched(target: Target, live: JsonObject, { op, body }: Step): Outcome<JsonObject> {
  const json = JSON.parse(body)
  if (op === 'merge') return mergePatch(live, json)
  if (op === 'json') return jsonPatch(live, json)
  return op === 'smp' ? strategicPatch(target.schema, live, json) : done(json)
}

function performed(
  kind: StoredKind,
  live: JsonObject | undefined,
  step: Step,
): Outcome<JsonObject> {
  const [served] = kind.versions
  if (served === undefined) throw new Error('no version')
  const target = targetOf(kind, served, step.subresource ?? '')
  const { manager, isForced = false } = step
  if (step.op === 'apply') {
    const applied: unknown = JSON.parse(step.body)
    const outcome = applyPatch({ target, live, applied, manager, isForced, now })
    return outcome.ok ? done(kept(target, live, decoded(kind, outcome.value))) : outcome
  }
  const outcome = patched(target, live ?? {}, step)
  if (!outcome.ok) return outcome
  const after = decoded(kind, outcome.value)
  return done(kept(target, live, recordUpdate({ target, before: live, after, manager, now })))
}

const sortedCauses = ({ status }: Refused) => {
  const causes = status.details?.causes?.map((cause) => JSON.stringify(cause)).sort()
  return { code: status.code, message: status.message, causes }
}

test.each(recorded.sequences)('[C54] $kind: $about', ({ kind: name, steps }) => {
  const kind = kindOf(name)
  let live: JsonObject | undefined
  for (const step of steps) {
    const outcome = performed(kind, live, step)
    const answer: JsonObject = JSON.parse(step.answer)
    if (answer['status'] === 'Failure') {
      const refusal = { ok: false, status: answer } as unknown as Refused
      expect(outcome.ok, step.body).toBe(false)
      if (!outcome.ok) expect(sortedCauses(outcome)).toEqual(sortedCauses(refusal))
    } else {
      expect(outcome).toEqual({ ok: true, value: answer })
      live = outcome.ok ? outcome.value : live
    }
  }
})
