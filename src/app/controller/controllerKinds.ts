// Which kinds does the controller watch?
import { type WatchedKind, watchedKinds } from '../../edge/kube/feed/watchedKinds.ts'
import { kinds } from '../../edge/kube/kinds.ts'

export const controllerKinds = (ownNamespace: string): readonly WatchedKind[] =>
  watchedKinds(kinds, 'controller', ownNamespace)
