// Is what was found when a request began still there when it is decided? Its body takes time.
import type { Kinds } from '../kinds/kinds.ts'
import type { Place } from './asked.ts'

/** The same place with its kind as it is now; undefined when nothing is served there any more. */
export function placeNow(kinds: Pick<Kinds, 'find'>, place: Place): Place | undefined {
  const { kind, version } = place.found
  const found = kinds.find(kind.group, version.name, kind.plural)
  if (found === undefined) return undefined
  if (found.kind === kind) return place
  const isSame = found.kind.kind === kind.kind && found.kind.isNamespaced === kind.isNamespaced
  return isSame && (!place.isStatus || found.version.hasStatus) ? { ...place, found } : undefined
}
