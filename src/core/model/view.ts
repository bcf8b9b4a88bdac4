// Which kinds does the World hold, and what is each object called?

import type { AddressView } from './address.ts'
import type {
  BfdProfile,
  BgpAdvertisement,
  Community,
  L2Advertisement,
  NamespaceView,
  Peer,
  SecretView,
} from './announcing.ts'
import type { BgpSession } from './bgpSession.ts'
import type { ControlPlane } from './controlPlane.ts'
import type { AddressBlock } from './ipam/addressBlock.ts'
import type { IpSet } from './ipam/ipSet.ts'
import type { PodAddresses } from './ipam/podAddresses.ts'
import type { DeploymentView, DnsData, DnsMasq, HostsMap, Topology } from './names/dns.ts'
import type { NodeInterfaces, NodeView } from './node.ts'
import type { Enactment, NodePolicy } from './nodePolicy.ts'
import type { BgpConfiguration, FrrConfiguration, PodView } from './podRoutes/podRoutes.ts'
import type { Pool } from './pool.ts'
import type { ReleasedPool } from './releasedPool.ts'
import type { EndpointSliceView, ServiceView } from './service.ts'
import type { Site } from './site.ts'
import type { Tenant } from './tenant.ts'
import type { Attachment, NetConfig, Reservation } from './wires.ts'

/** By kind. A view carries what makes its key: `key` where names repeat, else `name`. */
export interface Views {
  readonly Service: ServiceView
  readonly EndpointSlice: EndpointSliceView
  readonly IPAddressPool: Pool
  readonly L2Advertisement: L2Advertisement
  readonly BGPAdvertisement: BgpAdvertisement
  readonly BGPPeer: Peer
  readonly BFDProfile: BfdProfile
  readonly Community: Community
  readonly Secret: SecretView
  readonly Namespace: NamespaceView
  readonly Node: NodeView
  readonly NodeInterfaces: NodeInterfaces
  readonly BGPSession: BgpSession
  readonly Address: AddressView
  readonly ReleasedPool: ReleasedPool
  readonly Tenant: Tenant
  readonly Site: Site
  readonly NetConfig: NetConfig
  readonly NetworkAttachmentDefinition: Attachment
  readonly NodeNetworkConfigurationPolicy: NodePolicy
  readonly NodeNetworkConfigurationEnactment: Enactment
  readonly Reservation: Reservation
  readonly IPSet: IpSet
  readonly AddressBlock: AddressBlock
  readonly IPPool: PodAddresses
  readonly DNSMasq: DnsMasq
  readonly DNSData: DnsData
  readonly ConfigMap: HostsMap
  readonly Deployment: DeploymentView
  readonly Topology: Topology
  readonly BGPConfiguration: BgpConfiguration
  readonly FRRConfiguration: FrrConfiguration
  readonly Pod: PodView
  readonly OpenStackControlPlane: ControlPlane
}

export type Kind = keyof Views
export type ViewOf<K extends Kind> = Views[K]
export type View = ViewOf<Kind>

/** The key inside its kind: namespace/name, or the name where the namespace is ours or none. */
export const keyOf = (view: View): string => ('key' in view ? view.key : view.name)

/** As problems name it: Kind/namespace/name, or Kind/name. */
export function objectOf(view: View): string {
  if ('key' in view) return `${view.kind}/${view.key}`
  if ('namespace' in view) return `${view.kind}/${view.namespace}/${view.name}`
  return `${view.kind}/${view.name}`
}
