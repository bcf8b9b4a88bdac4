// Is the kind still served when a write is decided? Reading its body has taken time.
import type { Kinds } from '../kinds/kinds.ts'
import type { WriteTarget } from './asked.ts'

/** The same place with the current kind; undefined if it is no longer served. */
export function placeNow(kinds: Pick<Kinds, 'find'>, place: WriteTarget): WriteTarget | undefined {
  const { kind, version } = place.found
  const found = kinds.find(kind.group, version.name, kind.plural)
  if (found === undefined) return undefined
  if (found.kind === kind) return place
  const isSame = found.kind.kind === kind.kind && found.kind.isNamespaced === kind.isNamespaced
  return isSame && (!place.isStatus || found.version.hasStatus) ? { ...place, found } : undefined
}
