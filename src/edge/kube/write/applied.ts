// Is an object as we want to apply it? It has all of our fields, and none that we applied before
// and no longer want: managedFields says which are ours.
import type { JsonObject } from '../../../core/model/gate.ts'
import { includes, isRecord, recordAt } from '../../../core/model/json.ts'

/** Lists count as a whole, but for owners: those that others added stay. */
export function hasAllOf(there: JsonObject, wanted: JsonObject): boolean {
  const { metadata, ...rest } = wanted
  const { ownerReferences, ...meta } = isRecord(metadata) ? metadata : {}
  const before = recordAt(there, 'metadata')
  const owners = listOf(before['ownerReferences'])
  const hasOwners = listOf(ownerReferences).every((one) => owners.some((has) => includes(has, one)))
  return hasOwners && includes(before, meta) && includes(there, rest)
}

export function ownsMoreThan(there: JsonObject, wanted: JsonObject, manager: string): boolean {
  return listOf(recordAt(there, 'metadata')['managedFields']).some((entry) => {
    const { operation, subresource = '', fieldsV1 } = isRecord(entry) ? entry : {}
    const isOurs = isRecord(entry) && entry['manager'] === manager && operation === 'Apply'
    return isOurs && subresource === '' && hasMore(fieldsV1, wanted)
  })
}

/** `f:` is a field, `k:` an item of a list by its keys, `v:` a plain item; `.` is all of it. */
function hasMore(fields: unknown, wanted: unknown): boolean {
  if (!isRecord(fields)) return false
  return Object.entries(fields).some(([path, inner]) => {
    if (path === '.') return false
    const part = partOf(wanted, path)
    return part === undefined || hasMore(inner, part)
  })
}

function partOf(wanted: unknown, path: string): unknown {
  const [type, name] = [path.slice(0, 2), path.slice(2)]
  if (type === 'f:') return isRecord(wanted) ? wanted[name] : undefined
  const key: unknown = JSON.parse(name)
  return listOf(wanted).find((item) => includes(item, key))
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
