// How does an object become what is kept of it, and back?
import type { JsonObject } from '../../../core/model/gate.ts'
import { Fields } from '../../kube/decode/fields.ts'
import { resourceOf, type StoredKind } from '../kinds/storedKind.ts'
import type { Stored } from '../storage/stored.ts'
import { withMeta } from './jsonChange.ts'
import { metaOf, recordsOf, textOf } from './jsonRead.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** As it was encoded. */
export const decoded = ({ bytes }: Stored): JsonObject =>
  JSON.parse(decoder.decode(bytes)) as JsonObject

export type Encoding = {
  readonly kind: StoredKind
  /** In the version that is kept. */
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
    bytes: encoder.encode(JSON.stringify(complete)),
    labels: new Fields(meta, []).labels('labels'),
    fields,
    owners: recordsOf(meta['ownerReferences']).map(({ uid }) => textOf(uid)),
  }
}

const mark = Buffer.from('"deletionTimestamp":"')

/** Few are, and who does not even have these bytes need not be read. */
export function isGoing(stored: Stored): boolean {
  const { bytes } = stored
  const isPossible = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(mark)
  return isPossible && metaOf(decoded(stored))['deletionTimestamp'] !== undefined
}
