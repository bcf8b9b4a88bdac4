// How is an object converted to another version of its kind? Unknown fields are dropped and
// defaults added; only BGPPeer needs more, because its v1beta1 has fewer fields.
import type { JsonObject } from '../../../core/model/gate.ts'
import { toV1beta1, toV1beta2 } from '../../kube/convert/convertPeer.ts'
import { isRecord } from '../../kube/decode/fields.ts'
import { walkSchema } from '../../kube/schema/schema.ts'
import { contentOf } from './completeSchema.ts'
import { apiVersionOf, type StoredKind } from './storedKind.ts'

type Conversion = (object: JsonObject) => JsonObject

/** By apiVersion. */
const ofPeers: ReadonlyMap<string, Conversion> = new Map([
  ['metallb.io/v1beta1', toV1beta1],
  ['metallb.io/v1beta2', toV1beta2],
])
type Named = { readonly group: string; readonly kind: string }

/** Whether we convert it ourselves where its definition names a webhook. */
export const convertsInProcess = ({ group, kind }: Named): boolean =>
  group === 'metallb.io' && kind === 'BGPPeer'

/** Returns the object itself if it is already in that version. */
export function convert(kind: StoredKind, object: JsonObject, version: string): JsonObject {
  const apiVersion = apiVersionOf(kind, version)
  if (object['apiVersion'] === apiVersion) return object
  const conversion = convertsInProcess(kind) ? ofPeers.get(apiVersion) : undefined
  const raw = conversion === undefined ? { ...object, apiVersion } : conversion(object)
  const served = kind.versions.find(({ name }) => name === version)
  if (served === undefined || kind.isBuiltIn) return raw
  const { value } = walkSchema(contentOf(served.schema), raw)
  return isRecord(value) ? value : raw
}
