// What does a JSON patch make of an object? RFC 6902, all or nothing, with Kubernetes' refusals.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../../kube/decode/fields.ts'
import { jsonType } from '../values/goText.ts'
import { sameJson } from '../values/sameJson.ts'
import { badRequest, done, type Outcome, type Refused, refused } from '../values/status.ts'
import { JsonDraft } from './jsonDraft.ts'
import { rejected } from './refusals.ts'

const maxOperations = 10_000
/** The total size of all copies, as JSON. */
const maxCopied = 3 * 1024 * 1024
/** No request is that deep, but copies and moves could create it. */
const maxDepth = 1_000

type Operation = {
  readonly op: string
  readonly path: string | undefined
  readonly from: string | undefined
  readonly value: unknown
}
type Patching = { readonly draft: JsonDraft; copied: number }
type Perform = (patching: Patching, operation: Operation) => boolean

export function jsonPatch(target: JsonObject, patch: unknown): Outcome<JsonObject> {
  const refusal = misshapen(patch)
  if (refusal) return refusal
  const operations = Array.isArray(patch) ? patch : []
  if (operations.length > maxOperations) return tooMany(operations.length)
  const patching: Patching = { draft: new JsonDraft(target), copied: 0 }
  for (const json of operations) {
    const operation = operationOf(json)
    if (performs.get(operation.op)?.(patching, operation) !== true) return rejected
  }
  const { root } = patching.draft
  return isRecord(root) && !isDeeper(root, maxDepth) ? done(root) : rejected
}

const performs: ReadonlyMap<string, Perform> = new Map([
  ['add', add],
  ['remove', remove],
  ['replace', replace],
  ['move', move],
  ['copy', copy],
  ['test', test],
])

function add({ draft }: Patching, { path, value }: Operation): boolean {
  return path !== undefined && draft.add(path, value)
}

function remove({ draft }: Patching, { path }: Operation): boolean {
  return path !== undefined && draft.remove(path)
}

function replace({ draft }: Patching, { path, value }: Operation): boolean {
  return path !== undefined && draft.replace(path, value)
}

function move({ draft }: Patching, { path, from }: Operation): boolean {
  if (path === undefined || from === undefined) return false
  const found = draft.read(from)
  return found !== undefined && draft.remove(from) && draft.add(path, found.value)
}

/** Only `replace` and `test` accept the whole document as their path. */
function copy(patching: Patching, { path, from }: Operation): boolean {
  if (path === undefined || from === undefined || from === '') return false
  const found = patching.draft.read(from)
  if (found === undefined || isDeeper(found.value, maxDepth)) return false
  const text = JSON.stringify(found.value)
  patching.copied += Buffer.byteLength(text)
  return patching.copied <= maxCopied && patching.draft.add(path, JSON.parse(text))
}

function test({ draft }: Patching, { path, value }: Operation): boolean {
  const found = path === undefined ? undefined : draft.read(path)
  return found !== undefined && sameJson(found.value, value)
}

const tooMany = (count: number): Refused => {
  const allowed = `The allowed maximum operations in a JSON patch is ${maxOperations}`
  const message = `Request entity too large: ${allowed}, got ${count}`
  return refused({ code: 413, reason: 'RequestEntityTooLarge', message })
}

/** Null is an empty patch, or an operation without a name. */
function misshapen(patch: unknown): Refused | undefined {
  if (patch === null) return undefined
  if (!Array.isArray(patch)) return undecodable(patch, 'value of type []handlers.jsonPatchOp')
  for (const operation of patch) {
    if (operation === null) continue
    if (!isRecord(operation)) return undecodable(operation, 'value of type handlers.jsonPatchOp')
    const { op, path, from } = operation
    for (const [name, word] of Object.entries({ op, path, from })) {
      if ((word ?? null) === null || typeof word === 'string') continue
      return undecodable(word, `struct field jsonPatchOp.${name} of type string`)
    }
  }
  return undefined
}

const undecodable = (found: unknown, into: string): Refused =>
  badRequest(`error decoding patch: json: cannot unmarshal ${jsonType(found)} into Go ${into}`)

function operationOf(json: unknown): Operation {
  const { op, path, from, value = null } = isRecord(json) ? json : {}
  return { op: wordOf(op) ?? '', path: wordOf(path), from: wordOf(from), value }
}

const wordOf = (json: unknown): string | undefined => (typeof json === 'string' ? json : undefined)

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((inside) => isDeeper(inside, depth - 1))
}
