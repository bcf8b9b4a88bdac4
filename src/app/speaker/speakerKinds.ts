// Which kinds does a speaker watch? What every protocol needs, what its own protocols read, no more.
import type { Kind } from '../../core/model/view.ts'
import type { WatchedKind } from '../../edge/kube/feed/feeds.ts'

const ofAll: readonly Kind[] = ['Service', 'EndpointSlice', 'Node', 'IPAddressPool']

export function speakerKinds(
  ownNamespace: string,
  ofProtocols: readonly Kind[],
): readonly WatchedKind[] {
  const watched = new Set([...ofAll, ...ofProtocols])
  return allKinds(ownNamespace).filter(({ kind }) => watched.has(kind))
}

function allKinds(ownNamespace: string): readonly WatchedKind[] {
  const plain = { isOptional: false, isJudged: false }
  const judged = { isOptional: false, isJudged: true }
  const core = { group: '', version: 'v1' }
  const metallb = { group: 'metallb.io', version: 'v1beta1', namespace: ownNamespace }
  const slices = { group: 'discovery.k8s.io', version: 'v1', plural: 'endpointslices' }
  return [
    { kind: 'Service', resource: { ...core, plural: 'services' }, ...plain },
    { kind: 'EndpointSlice', resource: slices, ...plain },
    { kind: 'Node', resource: { ...core, plural: 'nodes' }, ...plain },
    { kind: 'IPAddressPool', resource: { ...metallb, plural: 'ipaddresspools' }, ...judged },
    { kind: 'L2Advertisement', resource: { ...metallb, plural: 'l2advertisements' }, ...judged },
  ]
}
