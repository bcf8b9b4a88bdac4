// How does an object look in the version that is asked for? As its bytes, without reading them,
// wherever it is kept in that version.
import type { JsonObject } from '../../../core/model/gate.ts'
import { convert } from '../kinds/convert.ts'
import type { Found } from '../kinds/kinds.ts'
import { apiVersionOf } from '../kinds/storedKind.ts'
import type { Stored } from '../storage/stored.ts'

/** Our own: what the store keeps was written by it. */
export const jsonOf = (bytes: Uint8Array): JsonObject =>
  JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'))

export const encoded = (json: unknown): Uint8Array => Buffer.from(JSON.stringify(json), 'utf8')

export function shownJson({ kind, version }: Found, { bytes }: Stored): JsonObject {
  return convert(kind, jsonOf(bytes), version.name)
}

export function shownBytes(found: Found, stored: Stored): Uint8Array {
  const isKeptSo = found.kind.storage === found.version.name
  return isKeptSo ? stored.bytes : encoded(shownJson(found, stored))
}

/** Only a list says of what kind its items are, when they are Kubernetes' own. */
export type Items = {
  readonly all: readonly Uint8Array[]
  /** So much of each is left out, and a brace put in its place. */
  readonly cutBytes: number
}

export function shownItems(found: Found, items: readonly Stored[]): Items {
  const { kind, version } = found
  if (!kind.isBuiltIn) {
    return { all: items.map((stored) => shownBytes(found, stored)), cutBytes: 0 }
  }
  const [name, apiVersion] = [kind.kind, apiVersionOf(kind, version.name)]
  const head = Buffer.from(`{"kind":"${name}","apiVersion":"${apiVersion}",`, 'utf8')
  const all = items.map((stored) => {
    const bytes = shownBytes(found, stored)
    return startsWith(bytes, head) ? bytes : headed(head, bytes)
  })
  return { all, cutBytes: head.length }
}

/** For a hundred thousand of them a view of each would cost more than this loop. */
function startsWith(bytes: Uint8Array, head: Uint8Array): boolean {
  for (let at = 0; at < head.length; at += 1) if (bytes[at] !== head[at]) return false
  return true
}

function headed(head: Uint8Array, bytes: Uint8Array): Uint8Array {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = jsonOf(bytes)
  return Buffer.concat([head, encoded(rest).subarray(1)])
}
