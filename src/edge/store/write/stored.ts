// How is an object encoded for storage, and decoded?
import type { JsonObject } from '../../../core/model/gate.ts'
import { Fields } from '../../kube/decode/fields.ts'
import { apiVersionOf, resourceOf, type StoredKind } from '../kinds/storedKind.ts'
import type { Deletion, Stored } from '../storage/stored.ts'
import { notDeleted } from '../storage/tags.ts'
import { jsonBytes, jsonOf } from '../values/jsonBytes.ts'
import { metaOf, recordsOf, textOf, textsOf } from '../values/jsonRead.ts'
import { withMeta } from './jsonChange.ts'
import { foreground, orphaning } from './metadata.ts'

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
    deletion: deletionIn(meta),
  }
}

function deletionIn(meta: JsonObject): Deletion {
  const owners = recordsOf(meta['ownerReferences'])
  const blocks = [...owners.keys()].filter((at) => owners[at]?.['blockOwnerDeletion'] === true)
  if (meta['deletionTimestamp'] === undefined) return { going: 'no', blocks }
  const held = textsOf(meta['finalizers']).find((name) => name === orphaning || name === foreground)
  return { going: held ?? 'yes', blocks }
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

/** Parses only what an older program stored, and of that the few that may be something else. */
export function deletionOf(stored: Stored): Deletion {
  if (stored.deletion !== undefined) return stored.deletion
  const { bytes, owners } = stored
  const isMarked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(mark)
  return isMarked || owners.length > 0 ? deletionIn(metaOf(decoded(stored))) : notDeleted
}

export const isGoing = (stored: Stored): boolean => deletionOf(stored).going !== 'no'
