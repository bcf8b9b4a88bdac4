// Which kinds does a speaker watch? What it takes to know who answers for an address, and no more.
import type { WatchedKind } from '../../edge/kube/feed/feeds.ts'

export function speakerKinds(ownNamespace: string): readonly WatchedKind[] {
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
