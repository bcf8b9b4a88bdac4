// Which objects in files come from an API, as an export has them, and in which order do they count?
import type { JsonObject } from '../../core/model/gate.ts'
import { recordAt, textAt } from '../../core/model/json.ts'
import { kinds } from '../../edge/kube/kinds.ts'
import type { Read } from '../../edge/manifests/manifest.ts'

/** Nobody writes a uid by hand. */
export const isFromApi = (json: JsonObject): boolean =>
  textAt(recordAt(json, 'metadata'), 'uid') !== ''

/** As they came: of two that contradict each other the older stands, as admission had it. */
export const byAge = (one: JsonObject, other: JsonObject): number =>
  ageOf(one) < ageOf(other) ? -1 : 1

function ageOf(json: JsonObject): string {
  const { creationTimestamp, namespace, name } = recordAt(json, 'metadata')
  return [creationTimestamp, namespace, name].map(String).join('\n')
}

/** What an API holds first, in the order in which it is read from one; then the others as given. */
export function asFromApi(reads: readonly Read[]): readonly Read[] {
  const isHeld = (read: Read) => read.ok && isFromApi(read.manifest.json)
  return [...reads.filter(isHeld).sort(byKind), ...reads.filter((read) => !isHeld(read))]
}

/** What others refer to comes first. */
const places = new Map(['Secret', ...kinds.map(({ kind }) => kind)].map((kind, at) => [kind, at]))

function byKind(one: Read, other: Read): number {
  if (!one.ok || !other.ok) return 0
  const [mine, theirs] = [one.manifest.json, other.manifest.json]
  const place = (json: JsonObject) => places.get(textAt(json, 'kind')) ?? places.size
  return place(mine) - place(theirs) || byAge(mine, theirs)
}
