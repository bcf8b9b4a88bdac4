// Which kinds are read from a running API, and in which order? What is referred to comes first.
import type { Resource } from '../../../edge/kube/api/resource.ts'

const core = (plural: string): Resource => ({ group: '', version: 'v1', plural })
const of = (group: string, version: string, ...plurals: readonly string[]): Resource[] =>
  plurals.map((plural) => ({ group, version, plural }))

export const services = core('services')
export const secrets = core('secrets')
export const addresses: Resource = { group: 'berth.dev', version: 'v1alpha1', plural: 'addresses' }

export const liveKinds: readonly Resource[] = [
  core('namespaces'),
  ...of('berth.dev', 'v1alpha1', 'nodeinterfaces'),
  core('nodes'),
  ...of('berth.dev', 'v1alpha1', 'tenants'),
  ...of('metallb.io', 'v1beta1', 'ipaddresspools', 'communities', 'bfdprofiles'),
  ...of('metallb.io', 'v1beta2', 'bgppeers'),
  ...of('metallb.io', 'v1beta1', 'l2advertisements', 'bgpadvertisements'),
  ...of('network.openstack.org', 'v1beta1', 'netconfigs', 'reservations'),
  ...of('k8s.cni.cncf.io', 'v1', 'network-attachment-definitions'),
  ...of('nmstate.io', 'v1', 'nodenetworkconfigurationpolicies'),
  addresses,
  services,
  ...of('discovery.k8s.io', 'v1', 'endpointslices'),
]
