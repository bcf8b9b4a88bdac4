// Which object is meant? Its kind, namespace and name, from the object and as text.
import type { JsonObject } from './gate.ts'
import { recordAt, textAt } from './json.ts'
import type { Ref } from './write.ts'

export function refOf(object: JsonObject): Ref {
  const metadata = recordAt(object, 'metadata')
  const namespace = textAt(metadata, 'namespace')
  const [kind, name] = [textAt(object, 'kind'), textAt(metadata, 'name')]
  return { kind, name, ...(namespace === '' ? {} : { namespace }) }
}

/** As problems name it. */
export const refText = ({ kind, name, namespace }: Ref): string =>
  namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`
