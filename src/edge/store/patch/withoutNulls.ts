// What does a patch say beside what it takes away? Its objects without their null fields.
import { isRecord } from '../../kube/decode/fields.ts'
import { mapFields } from '../../kube/schema/schemaNodes.ts'

/** Inside lists too, where RFC 7386 would keep them: so does Kubernetes. Null as an item stays. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isRecord(value)) return value
  return mapFields(value, (_, field) => (field === null ? undefined : withoutNulls(field)))
}
