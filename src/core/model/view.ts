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
import type { NodeInterfaces, NodeView } from './node.ts'
import type { Pool } from './pool.ts'
import type { EndpointSliceView, ServiceView } from './service.ts'
import type { Tenant } from './tenant.ts'
import type { Attachment, NetConfig, NodePolicy, Reservation } from './wires.ts'

export type View =
  | ServiceView
  | EndpointSliceView
  | Pool
  | L2Advertisement
  | BgpAdvertisement
  | Peer
  | BfdProfile
  | Community
  | SecretView
  | NamespaceView
  | NodeView
  | NodeInterfaces
  | AddressView
  | Tenant
  | NetConfig
  | Attachment
  | NodePolicy
  | Reservation

export type Kind = View['kind']
export type ViewOf<K extends Kind> = Extract<View, { readonly kind: K }>

/** The key inside its kind: namespace/name, or the name where the namespace is ours or none. */
export function keyOf(view: View): string {
  switch (view.kind) {
    case 'Service':
    case 'EndpointSlice':
      return view.key
    case 'NodeInterfaces':
      return view.node
    case 'NetConfig':
    case 'NetworkAttachmentDefinition':
    case 'Reservation':
    case 'Secret':
      return `${view.namespace}/${view.name}`
    default:
      return view.name
  }
}

/** As problems name it: Kind/namespace/name, or Kind/name. */
export function objectOf(view: View): string {
  if (view.kind === 'Service' || view.kind === 'EndpointSlice') return `${view.kind}/${view.key}`
  if (view.kind === 'NodeInterfaces') return `${view.kind}/${view.node}`
  if ('namespace' in view) return `${view.kind}/${view.namespace}/${view.name}`
  return `${view.kind}/${view.name}`
}
