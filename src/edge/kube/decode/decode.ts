// What does this object mean to us? One decoder a kind, found by group and kind.
import type { FieldError } from '../../../core/model/admission.ts'
import type { View } from '../../../core/model/view.ts'
import { decodeAddress } from './decodeAddress.ts'
import {
  decodeBfdProfile,
  decodeBgpAdvertisement,
  decodeCommunity,
  decodeL2Advertisement,
  decodeNamespace,
  decodeSecret,
} from './decodeAnnouncing.ts'
import { decodeAttachment } from './decodeAttachment.ts'
import { decodeNode, decodeNodeInterfaces } from './decodeNode.ts'
import { decodePeer } from './decodePeer.ts'
import { decodePool } from './decodePool.ts'
import { decodeEndpointSlice, decodeService } from './decodeService.ts'
import { decodeTenant } from './decodeTenant.ts'
import { decodeNetConfig, decodeNodePolicy, decodeReservation } from './decodeWires.ts'
import { Fields } from './fields.ts'

/** `held` is a kind that we keep, or may meet, but that no decision is made from. */
export type Decoded =
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'refused'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'held' | 'unknown-kind' | 'unknown-group' }

type Decoder = (object: Fields) => View | undefined

const held: Decoder = () => undefined

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['metallb.io/IPAddressPool', decodePool],
  ['metallb.io/L2Advertisement', decodeL2Advertisement],
  ['metallb.io/BGPAdvertisement', decodeBgpAdvertisement],
  ['metallb.io/BGPPeer', decodePeer],
  ['metallb.io/BFDProfile', decodeBfdProfile],
  ['metallb.io/Community', decodeCommunity],
  ['metallb.io/ServiceL2Status', held],
  ['metallb.io/ServiceBGPStatus', held],
  ['metallb.io/ConfigurationState', held],
  ['berth.dev/Address', decodeAddress],
  ['berth.dev/Tenant', decodeTenant],
  ['berth.dev/NodeInterfaces', decodeNodeInterfaces],
  ['berth.dev/Site', held],
  ['berth.dev/Scenario', held],
  ['/Service', decodeService],
  ['/Secret', decodeSecret],
  ['/Namespace', decodeNamespace],
  ['/Node', decodeNode],
  ['discovery.k8s.io/EndpointSlice', decodeEndpointSlice],
  ['network.openstack.org/NetConfig', decodeNetConfig],
  ['network.openstack.org/Reservation', decodeReservation],
  ['k8s.cni.cncf.io/NetworkAttachmentDefinition', decodeAttachment],
  ['nmstate.io/NodeNetworkConfigurationPolicy', decodeNodePolicy],
])
const groups = new Set([...decoders.keys()].map((key) => key.slice(0, key.indexOf('/'))))
/** Groups whose every kind is listed above, so that one that is not is a mistake. */
const ownGroups = new Set(['metallb.io', 'berth.dev'])

/** The group of an apiVersion; empty for the core group. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.slice(0, Math.max(apiVersion.indexOf('/'), 0))

export function decode(json: unknown): Decoded {
  const errors: FieldError[] = []
  const object = new Fields(json, errors)
  const group = groupOf(object.text('apiVersion'))
  if (!groups.has(group)) return { kind: 'unknown-group' }
  const decoder = decoders.get(`${group}/${object.text('kind')}`)
  if (decoder === undefined) return { kind: ownGroups.has(group) ? 'unknown-kind' : 'held' }
  const view = decoder(object)
  if (errors.length > 0) return { kind: 'refused', errors }
  return view === undefined ? { kind: 'held' } : { kind: 'view', view }
}
