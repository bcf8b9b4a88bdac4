// How does an object look in the version that is asked for? As its bytes, without reading them,
// wherever it is kept in that version.
import type { JsonObject } from '../../../core/model/gate.ts'
import { convert } from '../kinds/convert.ts'
import type { Found } from '../kinds/kinds.ts'
import type { ServedVersion } from '../kinds/storedKind.ts'
import type { Stored } from '../storage/stored.ts'
import { jsonBytes, jsonOf } from '../values/jsonBytes.ts'
import { headOf, startsWith } from '../write/stored.ts'

type Bytes = Pick<Stored, 'bytes'>

export function shownJson({ kind, version }: Found, { bytes }: Bytes): JsonObject {
  return convert(kind, jsonOf(bytes), version.name)
}

export function shownBytes(found: Found, { bytes }: Bytes): Uint8Array {
  const head = headFor(found)
  return startsWith(bytes, head) ? bytes : headed(head, shownJson(found, { bytes }))
}

const heads = new WeakMap<ServedVersion, Uint8Array>()

function headFor({ kind, version }: Found): Uint8Array {
  const head = heads.get(version) ?? headOf(kind, version.name)
  heads.set(version, head)
  return head
}

function headed(head: Uint8Array, object: JsonObject): Uint8Array {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object
  return Buffer.concat([head, jsonBytes(rest).subarray(1)])
}

/** Only a list says of what kind its items are, when they are Kubernetes' own. */
export type Items = {
  readonly all: readonly Uint8Array[]
  /** So much of each is left out, and a brace put in its place. */
  readonly cutBytes: number
}

export const shownItems = (found: Found, items: readonly Stored[]): Items => ({
  all: items.map((stored) => shownBytes(found, stored)),
  cutBytes: found.kind.isBuiltIn ? headFor(found).length : 0,
})
