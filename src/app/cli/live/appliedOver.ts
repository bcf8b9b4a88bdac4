// What does `kubectl apply` make of a manifest and the object that a running API has?
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord, type Json, merged, recordAt } from '../../../core/model/json.ts'
import { parseManifests } from '../../../edge/manifests/readManifests.ts'
import { isFromApi } from '../fromApi.ts'
import type { Loaded } from '../load.ts'

export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * Of an object that comes from an API: what the last manifest said and this one does not is gone;
 * what others filled in stays.
 */
export function appliedOver({ manifests }: Loaded) {
  return (id: string, json: JsonObject): JsonObject => {
    const there = manifests.get(id)?.json
    if (there === undefined || !isFromApi(there)) return json
    const { status: _, ...live } = there
    const after = merged(live, lastOf(live), json)
    return isRecord(after) ? withFamilies(after, live) : json
  }
}

/** Objects that were made in another way remember nothing: only what is written changes. */
function lastOf(live: JsonObject): unknown {
  const text = recordAt(recordAt(live, 'metadata'), 'annotations')[lastApplied]
  const [read] = typeof text === 'string' ? parseManifests(text, lastApplied) : []
  return read?.ok === true ? read.manifest.json : {}
}

/** The API server gives cluster IPs anew where other families are asked for, and only there. */
function withFamilies(after: Json, live: JsonObject): Json {
  if (after['kind'] !== 'Service') return after
  const [spec, was] = [recordAt(after, 'spec'), recordAt(live, 'spec')]
  const isSame = ['ipFamilies', 'ipFamilyPolicy'].every(
    (field) => JSON.stringify(spec[field]) === JSON.stringify(was[field]),
  )
  if (isSame) return after
  const { clusterIP: _, clusterIPs: __, ...open } = spec
  return { ...after, spec: open }
}
