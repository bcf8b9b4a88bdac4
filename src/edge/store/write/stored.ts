// How is an object encoded for storage, and decoded?
import type { JsonObject } from '../../../core/model/gate.ts'
import { Fields } from '../../kube/decode/fields.ts'
import { apiVersionOf, resourceOf, type StoredKind } from '../kinds/storedKind.ts'
import type { Stored } from '../storage/stored.ts'
import { jsonBytes, jsonOf } from '../values/jsonBytes.ts'
import { metaOf, recordsOf, textOf } from '../values/jsonRead.ts'
import { withMeta } from './jsonChange.ts'

/** In the version that it was stored in, which may differ from the storage version of today. */
export const decoded = ({ bytes }: Stored): JsonObject => jsonOf(bytes)

type Encoding = {
  readonly kind: StoredKind
  /** In the storage version. */
  readonly object: JsonObject
  /** Undefined for a dry run: the object keeps its resourceVersion, if any. */
  readonly revision: number | undefined
  readonly fields: Readonly<Record<string, string>>
}

export function encoded({ kind, object, revision, fields }: Encoding): Stored {
  const { apiVersion, kind: name, ...rest } = object
  const named = { kind: name, apiVersion, ...rest }
  const complete =
    revision === undefined ? named : withMeta(named, { resourceVersion: String(revision) })
  const meta = metaOf(complete)
  return {
    resource: resourceOf(kind),
    namespace: textOf(meta['namespace']),
    name: textOf(meta['name']),
    uid: textOf(meta['uid']),
    revision: Number(meta['resourceVersion'] ?? 0),
    bytes: jsonBytes(complete),
    labels: new Fields(meta, []).labels('labels'),
    fields,
    owners: recordsOf(meta['ownerReferences']).map(({ uid }) => textOf(uid)),
  }
}

type Named = Pick<StoredKind, 'group' | 'kind'>

/** The first bytes of every object in that version. */
export const headOf = (kind: Named, version: string): Uint8Array =>
  Buffer.from(`{"kind":"${kind.kind}","apiVersion":"${apiVersionOf(kind, version)}",`, 'utf8')

/** A loop, because making a view of each of 100,000 objects costs more. */
export function startsWith(bytes: Uint8Array, head: Uint8Array): boolean {
  for (let at = 0; at < head.length; at += 1) if (bytes[at] !== head[at]) return false
  return true
}

export const isKeptIn = (kind: Named, version: string, { bytes }: Stored): boolean =>
  startsWith(bytes, headOf(kind, version))

const mark = Buffer.from('"deletionTimestamp":"')

/** Few objects are; one without these bytes need not be parsed. */
export function isGoing(stored: Stored): boolean {
  const { bytes } = stored
  const isPossible = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(mark)
  return isPossible && metaOf(decoded(stored))['deletionTimestamp'] !== undefined
}
