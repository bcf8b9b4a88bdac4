// Which kinds does the controller watch?
import { type WatchedKind, watchedKinds } from '../../edge/kube/feed/watchedKinds.ts'
import { type KindRow, kinds } from '../../edge/kube/kinds.ts'

export const controllerKinds = (
  ownNamespace: string,
  rows: readonly KindRow[] = kinds,
): readonly WatchedKind[] => watchedKinds(rows, 'controller', ownNamespace)
