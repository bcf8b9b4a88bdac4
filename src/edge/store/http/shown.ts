// How does an object look in the requested version? As its stored bytes, if it is stored in that
// version, without parsing them.
import type { JsonObject } from '../../../core/model/gate.ts'
import { convert } from '../kinds/convert.ts'
import type { RequestedKind } from '../kinds/kinds.ts'
import type { ServedVersion } from '../kinds/storedKind.ts'
import type { Stored } from '../storage/stored.ts'
import { jsonBytes, jsonOf } from '../values/jsonBytes.ts'
import { headOf, startsWith } from '../write/stored.ts'

type Bytes = Pick<Stored, 'bytes'>

export function shownJson({ kind, version }: RequestedKind, { bytes }: Bytes): JsonObject {
  return convert(kind, jsonOf(bytes), version.name)
}

export function shownBytes(found: RequestedKind, { bytes }: Bytes): Uint8Array {
  const head = headFor(found)
  return startsWith(bytes, head) ? bytes : headed(head, shownJson(found, { bytes }))
}

const heads = new WeakMap<ServedVersion, Uint8Array>()

function headFor({ kind, version }: RequestedKind): Uint8Array {
  const head = heads.get(version) ?? headOf(kind, version.name)
  heads.set(version, head)
  return head
}

function headed(head: Uint8Array, object: JsonObject): Uint8Array {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object
  return Buffer.concat([head, jsonBytes(rest).subarray(1)])
}

/** Items of built-in kinds have no kind and apiVersion in a list. */
export type Items = {
  readonly all: readonly Uint8Array[]
  /** The length of the prefix that a brace replaces. */
  readonly cutBytes: number
}

export const shownItems = (found: RequestedKind, items: readonly Stored[]): Items => ({
  all: items.map((stored) => shownBytes(found, stored)),
  cutBytes: found.kind.isBuiltIn ? headFor(found).length : 0,
})
