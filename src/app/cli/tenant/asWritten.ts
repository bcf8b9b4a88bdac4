// How would somebody apply an object that is there, with more labels? Without what the API keeps.
import { type Json, recordAt } from '../../../core/model/json.ts'
import { lastApplied } from '../live/appliedOver.ts'

export function asWritten(object: Json, more: Readonly<Record<string, string>>): Json {
  const { apiVersion, kind, spec } = object
  const { name, namespace, labels, annotations: all } = recordAt(object, 'metadata')
  const { [lastApplied]: _, ...annotations } = recordAt({ all }, 'all')
  const metadata = {
    ...{ name, namespace, labels: { ...recordAt({ labels }, 'labels'), ...more } },
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  }
  return { apiVersion, kind, metadata, spec }
}
