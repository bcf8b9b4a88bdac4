// Which kinds does a speaker watch? Those that every protocol needs, and those of its protocols.
import type { Kind } from '../../core/model/view.ts'
import { type WatchedKind, watchedKinds } from '../../edge/kube/feed/watchedKinds.ts'
import { kinds } from '../../edge/kube/kinds.ts'

const forEveryProtocol: readonly Kind[] = [
  ...(['Address', 'Service', 'EndpointSlice', 'Node', 'IPAddressPool'] as const),
]

/** Those that every protocol needs. */
export const sharedKinds = (ownNamespace: string): readonly WatchedKind[] =>
  kindsAmong(ownNamespace, forEveryProtocol)

/** What a protocol reads beside them. */
export const kindsOf = (ownNamespace: string, own: readonly Kind[]): readonly WatchedKind[] =>
  kindsAmong(
    ownNamespace,
    own.filter((kind) => !forEveryProtocol.includes(kind)),
  )

/** Where nodes say whether they have its routes. */
export const siteKinds = (ownNamespace: string): readonly WatchedKind[] =>
  kindsAmong(ownNamespace, ['Site'])

function kindsAmong(ownNamespace: string, among: readonly Kind[]): readonly WatchedKind[] {
  return watchedKinds(kinds, 'speaker', ownNamespace).filter(({ kind }) => among.includes(kind))
}
