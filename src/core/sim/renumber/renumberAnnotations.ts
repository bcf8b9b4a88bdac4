// Which annotations does an object carry, and how does it look with others?
import { type Json, recordAt } from '../../model/json.ts'

export const annotationsOf = (json: Json): Json =>
  recordAt(recordAt(json, 'metadata'), 'annotations')

/** Undefined removes one. */
export function withAnnotations(
  json: Json,
  texts: Readonly<Record<string, string | undefined>>,
): Json {
  const annotations = { ...annotationsOf(json) }
  for (const [key, text] of Object.entries(texts)) {
    if (text === undefined) delete annotations[key]
    else annotations[key] = text
  }
  return { ...json, metadata: { ...recordAt(json, 'metadata'), annotations } }
}
