// What does a patch set, apart from what it removes? Its objects without null fields.
import { isRecord } from '../../kube/decode/fields.ts'
import { mapFields } from '../../kube/schema/schemaNodes.ts'

/** Inside lists too, as in Kubernetes, where RFC 7386 would keep them. Null items stay. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isRecord(value)) return value
  return mapFields(value, (_, field) => (field === null ? undefined : withoutNulls(field)))
}
