// How is an object written to a file? As the API has it, without what changes by itself and decides
// nothing: who wrote which field, versions, heartbeats.
import { isRecord, type Json, recordAt } from '../../../core/model/json.ts'
import { toYaml } from '../../../edge/manifests/toYaml.ts'
import type { LiveObject } from '../live/listAll.ts'

/** Fields in order of name, so that the same object is the same text. */
export const exportedText = (object: LiveObject): string => toYaml(ordered(kept(object)))

function kept(object: LiveObject): LiveObject {
  const metadata = recordAt(object, 'metadata')
  const { managedFields: _, resourceVersion: __, selfLink: ___, ...rest } = metadata
  const plain = { ...object, metadata: rest }
  return object['kind'] === 'Node' ? { ...plain, status: nodeStatus(object) } : plain
}

/** A kubelet reports every few seconds, and lists every image. */
function nodeStatus(node: LiveObject): Json {
  const { addresses, conditions } = recordAt(node, 'status')
  const all = Array.isArray(conditions) ? conditions.filter(isRecord) : []
  return {
    ...(addresses === undefined ? {} : { addresses }),
    conditions: all.map(({ type, status, message }) => ({ type, status, message })),
  }
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isRecord(value)) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, one]) => [name, ordered(one)]))
}
