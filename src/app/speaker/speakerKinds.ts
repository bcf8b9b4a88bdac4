// Which kinds does a speaker watch? What it takes to know who answers for an address, and no more.
import { type WatchedKind, watchedKinds } from '../../edge/kube/feed/watchedKinds.ts'
import { kinds } from '../../edge/kube/kinds.ts'

export const speakerKinds = (ownNamespace: string): readonly WatchedKind[] =>
  watchedKinds(kinds, 'speaker', ownNamespace)
