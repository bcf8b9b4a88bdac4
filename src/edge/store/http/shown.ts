// How does an object look in the version that is asked for? As its bytes, without reading them,
// wherever it is kept in that version.
import type { JsonObject } from '../../../core/model/gate.ts'
import { jsonBytes, jsonOf } from '../jsonBytes.ts'
import { convert } from '../kinds/convert.ts'
import type { Found } from '../kinds/kinds.ts'
import type { ServedVersion } from '../kinds/storedKind.ts'
import type { Stored } from '../storage/stored.ts'
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

export type Item = Pick<Stored, 'bytes' | 'lengthBytes' | 'copyInto'>

/** Only a list says of what kind its items are, when they are Kubernetes' own. */
export type Items = {
  readonly all: readonly Item[]
  /** So much of each is left out, and a brace put in its place. */
  readonly cutBytes: number
}

/** Where there is only one version they are all kept in it, and none is read before it is sent. */
export const shownItems = (found: Found, items: readonly Stored[]): Items => ({
  all: found.kind.versions.length === 1 ? items : items.map((stored) => shownItem(found, stored)),
  cutBytes: found.kind.isBuiltIn ? headFor(found).length : 0,
})

function shownItem(found: Found, stored: Stored): Item {
  const bytes = shownBytes(found, stored)
  return { bytes, lengthBytes: bytes.length }
}
