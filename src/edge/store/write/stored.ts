// How does an object become what is kept of it, and back?
import type { JsonObject } from '../../../core/model/gate.ts'
import { Fields } from '../../kube/decode/fields.ts'
import { apiVersionOf, resourceOf, type StoredKind } from '../kinds/storedKind.ts'
import type { Stored } from '../storage/stored.ts'
import { jsonBytes, jsonOf } from '../values/jsonBytes.ts'
import { metaOf, recordsOf, textOf } from '../values/jsonRead.ts'
import { withMeta } from './jsonChange.ts'

/** In the version that it was kept in, which may be an older one than is kept now. */
export const decoded = ({ bytes }: Stored): JsonObject => jsonOf(bytes)

type Encoding = {
  readonly kind: StoredKind
  /** In the version that is kept now. */
  readonly object: JsonObject
  /** Undefined for what is only shown: it keeps the one that it says, if any. */
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

/** What the bytes of every object in that version begin with. */
export const headOf = (kind: Named, version: string): Uint8Array =>
  Buffer.from(`{"kind":"${kind.kind}","apiVersion":"${apiVersionOf(kind, version)}",`, 'utf8')

/** For a hundred thousand of them a view of each would cost more than this loop. */
export function startsWith(bytes: Uint8Array, head: Uint8Array): boolean {
  for (let at = 0; at < head.length; at += 1) if (bytes[at] !== head[at]) return false
  return true
}

export const isKeptIn = (kind: Named, version: string, { bytes }: Stored): boolean =>
  startsWith(bytes, headOf(kind, version))

const mark = Buffer.from('"deletionTimestamp":"')

/** Few are, and who does not even have these bytes need not be read. */
export function isGoing(stored: Stored): boolean {
  const { bytes } = stored
  const isPossible = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(mark)
  return isPossible && metaOf(decoded(stored))['deletionTimestamp'] !== undefined
}
