// Which kinds does a speaker watch? Those that every protocol needs, and those of its protocols.
import type { Kind } from '../../core/model/view.ts'
import { type WatchedKind, watchedKinds } from '../../edge/kube/feed/watchedKinds.ts'
import { kinds } from '../../edge/kube/kinds.ts'

const forEveryProtocol: readonly Kind[] = [
  ...(['Address', 'Service', 'EndpointSlice', 'Node', 'IPAddressPool'] as const),
]

export function speakerKinds(
  ownNamespace: string,
  forProtocols: readonly Kind[],
): readonly WatchedKind[] {
  const watched = new Set<string>([...forEveryProtocol, ...forProtocols])
  return watchedKinds(kinds, 'speaker', ownNamespace).filter(({ kind }) => watched.has(kind))
}
