// Which kinds does the controller watch, and what does it mean when one cannot be read?
import type { Kind } from '../../core/model/view.ts'
import type { WatchedKind } from '../../edge/kube/feed/feeds.ts'

const announced = [
  ['L2Advertisement', 'v1beta1', 'l2advertisements'],
  ['BGPAdvertisement', 'v1beta1', 'bgpadvertisements'],
  ['BGPPeer', 'v1beta2', 'bgppeers'],
  ['BFDProfile', 'v1beta1', 'bfdprofiles'],
  ['Community', 'v1beta1', 'communities'],
] as const

export function watchedKinds(ownNamespace: string): readonly WatchedKind[] {
  const core = (kind: Kind, plural: string): WatchedKind => ({
    kind,
    resource: { group: '', version: 'v1', plural },
    isOptional: false,
    isJudged: false,
  })
  const berth = (kind: Kind, plural: string): WatchedKind => ({
    kind,
    resource: { group: 'berth.dev', version: 'v1alpha1', plural },
    isOptional: false,
    isJudged: true,
  })
  const openstack = (kind: Kind, plural: string): WatchedKind => ({
    kind,
    resource: { group: 'network.openstack.org', version: 'v1beta1', plural },
    isOptional: true,
    isJudged: false,
  })
  const metallb = { group: 'metallb.io', version: 'v1beta1', namespace: ownNamespace }
  return [
    core('Service', 'services'),
    core('Namespace', 'namespaces'),
    core('Node', 'nodes'),
    {
      kind: 'IPAddressPool',
      resource: { ...metallb, plural: 'ipaddresspools' },
      isOptional: false,
      isJudged: true,
    },
    berth('Address', 'addresses'),
    berth('Tenant', 'tenants'),
    { ...berth('NodeInterfaces', 'nodeinterfaces'), isOptional: true, isJudged: false },
    // Nothing is decided from these here; the webhooks judge others against them.
    ...announced.map(([kind, version, plural]) => ({
      kind,
      resource: { ...metallb, version, plural },
      isOptional: true,
      isJudged: false,
    })),
    openstack('NetConfig', 'netconfigs'),
    openstack('Reservation', 'reservations'),
  ]
}
