// Which kinds does Berth read or write, where are they served, and who watches them? The one table:
// decoders, feeds, webhooks and every path to the API are derived from it.
import { apiGroups, apiVersionOf } from '../../core/model/apiGroups.ts'
import type { Operation } from '../../core/model/gate.ts'
import type { View } from '../../core/model/view.ts'
import type { Resource } from './api/resource.ts'
import { decodeAddress, decodeReleasedPool } from './decode/decodeAddress.ts'
import {
  decodeBfdProfile,
  decodeBgpAdvertisement,
  decodeCommunity,
  decodeL2Advertisement,
  decodeNamespace,
  decodeSecret,
} from './decode/decodeAnnouncing.ts'
import { decodeAttachment } from './decode/decodeAttachment.ts'
import { decodeBgpSession } from './decode/decodeBgpSession.ts'
import { decodeControlPlane } from './decode/decodeControlPlane.ts'
import { decodeAddressBlock, decodeIpPool, decodeIpSet } from './decode/decodeIpam.ts'
import { decodeNode, decodeNodeInterfaces } from './decode/decodeNode.ts'
import { decodeEnactment, decodeNodePolicy } from './decode/decodeNodePolicy.ts'
import { decodePeer } from './decode/decodePeer.ts'
import { decodePool } from './decode/decodePool.ts'
import { decodeEndpointSlice, decodeService } from './decode/decodeService.ts'
import { decodeSite } from './decode/decodeSite.ts'
import { decodeTenant } from './decode/decodeTenant.ts'
import { decodeNetConfig, decodeReservation } from './decode/decodeWires.ts'
import type { Fields } from './decode/fields.ts'
import { namedKinds } from './namedKinds.ts'
import { openstackKinds } from './openstackKinds.ts'

/**
 * What a program does with the objects of a kind that it watches.
 * - required: nothing is decided before the kind has been listed.
 * - validated: the same, and an object counts only once policy's check accepts it
 * - optional: the kind need not be served.
 */
type Watching = 'required' | 'validated' | 'optional'

type Webhook = { readonly name: string; readonly operations: readonly Operation[] }

export type KindRow = {
  readonly kind: string
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  /** `ours`: objects of other namespaces do not count. */
  readonly scope: 'cluster' | 'namespaced' | 'ours'
  /** Which of its objects count, where most of them are none of ours. */
  readonly labelSelector?: string
  /** Absent where nothing is decided from objects of the kind. */
  readonly decode?: (object: Fields) => View | undefined
  readonly controller?: Watching
  readonly speaker?: Watching
  /** Watched by the controller where it serves OpenStack. */
  readonly openstack?: Watching
  /** Read by the CLI's live verbs, in the order of the table: what others refer to comes first. */
  readonly cli?: true
  /** Which webhook of ours the API server asks, and before which operations. */
  readonly webhook?: Webhook
  /** Whether a webhook of ours also completes what is written. */
  readonly isCompleted?: true
  /** Written in manifests, so `plan --prune` deletes what the manifests no longer have. */
  readonly pruned?: true
}

const { core, berth, discovery } = apiGroups
const metallb = { ...apiGroups.metallb, scope: 'ours' } as const
const openstack = { ...apiGroups.openstack, scope: 'namespaced' } as const
const written = { cli: true, pruned: true } as const
const writes = ['CREATE', 'UPDATE'] as const
const deletesToo = [...writes, 'DELETE'] as const
/** As MetalLB names its own. */
const onWrites = (name: string) => ({ name: `${name}validationwebhook`, operations: writes })
/** Others depend on its objects, so that a deletion is judged too. */
const onDeletesToo = (name: string) => ({
  name: `${name}validationwebhook`,
  operations: deletesToo,
})
/** The controller decides nothing from these; its webhooks validate others against them. */
const announced = { ...written, controller: 'optional' } as const

const table = [
  {
    ...core,
    kind: 'Namespace',
    plural: 'namespaces',
    scope: 'cluster',
    decode: decodeNamespace,
    controller: 'required',
    cli: true,
  },
  {
    ...berth,
    kind: 'NodeInterfaces',
    plural: 'nodeinterfaces',
    scope: 'cluster',
    decode: decodeNodeInterfaces,
    controller: 'optional',
    cli: true,
  },
  {
    ...core,
    kind: 'Node',
    plural: 'nodes',
    scope: 'cluster',
    decode: decodeNode,
    controller: 'required',
    speaker: 'required',
    cli: true,
  },
  {
    ...berth,
    ...written,
    kind: 'Tenant',
    plural: 'tenants',
    scope: 'cluster',
    webhook: onDeletesToo('tenant'),
    decode: decodeTenant,
    controller: 'validated',
  },
  {
    ...berth,
    ...written,
    kind: 'Site',
    plural: 'sites',
    scope: 'cluster',
    webhook: onDeletesToo('site'),
    decode: decodeSite,
    controller: 'validated',
    speaker: 'optional',
  },
  {
    ...metallb,
    ...written,
    kind: 'IPAddressPool',
    plural: 'ipaddresspools',
    webhook: onDeletesToo('ipaddresspool'),
    decode: decodePool,
    controller: 'validated',
    speaker: 'validated',
  },
  {
    ...metallb,
    ...announced,
    kind: 'Community',
    plural: 'communities',
    webhook: onWrites('community'),
    decode: decodeCommunity,
    speaker: 'validated',
  },
  {
    ...metallb,
    ...announced,
    kind: 'BFDProfile',
    plural: 'bfdprofiles',
    webhook: onDeletesToo('bfdprofile'),
    decode: decodeBfdProfile,
    speaker: 'validated',
  },
  {
    ...metallb,
    ...apiGroups.metallbPeers,
    ...announced,
    kind: 'BGPPeer',
    plural: 'bgppeers',
    webhook: onWrites('bgppeers'),
    decode: decodePeer,
    speaker: 'validated',
  },
  {
    ...berth,
    kind: 'BGPSession',
    plural: 'bgpsessions',
    scope: 'cluster',
    decode: decodeBgpSession,
    cli: true,
  },
  {
    ...metallb,
    ...announced,
    kind: 'L2Advertisement',
    plural: 'l2advertisements',
    webhook: onWrites('l2advertisement'),
    decode: decodeL2Advertisement,
    speaker: 'validated',
  },
  {
    ...metallb,
    ...announced,
    kind: 'BGPAdvertisement',
    plural: 'bgpadvertisements',
    webhook: onWrites('bgpadvertisement'),
    decode: decodeBgpAdvertisement,
    speaker: 'validated',
  },
  {
    ...openstack,
    ...written,
    kind: 'NetConfig',
    plural: 'netconfigs',
    webhook: onDeletesToo('netconfig'),
    isCompleted: true,
    decode: decodeNetConfig,
    controller: 'optional',
  },
  {
    ...openstack,
    kind: 'Reservation',
    plural: 'reservations',
    decode: decodeReservation,
    controller: 'optional',
    cli: true,
  },
  {
    ...berth,
    kind: 'AddressBlock',
    plural: 'addressblocks',
    scope: 'cluster',
    decode: decodeAddressBlock,
    openstack: 'optional',
    cli: true,
  },
  {
    ...openstack,
    ...written,
    kind: 'IPSet',
    plural: 'ipsets',
    webhook: onWrites('ipset'),
    decode: decodeIpSet,
    openstack: 'optional',
  },
  ...openstackKinds,
  {
    ...apiGroups.cni,
    kind: 'NetworkAttachmentDefinition',
    plural: 'network-attachment-definitions',
    scope: 'namespaced',
    decode: decodeAttachment,
    controller: 'optional',
    cli: true,
  },
  {
    kind: 'IPPool',
    group: 'whereabouts.cni.cncf.io',
    version: 'v1alpha1',
    plural: 'ippools',
    scope: 'namespaced',
    decode: decodeIpPool,
    openstack: 'optional',
    cli: true,
  },
  {
    ...apiGroups.nmstate,
    kind: 'NodeNetworkConfigurationPolicy',
    plural: 'nodenetworkconfigurationpolicies',
    scope: 'cluster',
    decode: decodeNodePolicy,
    controller: 'optional',
    cli: true,
  },
  {
    ...apiGroups.nmstateRecords,
    kind: 'NodeNetworkConfigurationEnactment',
    plural: 'nodenetworkconfigurationenactments',
    scope: 'cluster',
    decode: decodeEnactment,
    controller: 'optional',
  },
  {
    ...berth,
    ...written,
    kind: 'Address',
    plural: 'addresses',
    scope: 'cluster',
    webhook: onWrites('address'),
    decode: decodeAddress,
    controller: 'validated',
    speaker: 'optional',
  },
  {
    ...berth,
    kind: 'ReleasedPool',
    plural: 'releasedpools',
    scope: 'cluster',
    decode: decodeReleasedPool,
    controller: 'optional',
    cli: true,
  },
  {
    ...apiGroups.controlPlane,
    kind: 'OpenStackControlPlane',
    plural: 'openstackcontrolplanes',
    scope: 'namespaced',
    decode: decodeControlPlane,
    cli: true,
  },
  {
    ...core,
    kind: 'Service',
    plural: 'services',
    scope: 'namespaced',
    decode: decodeService,
    controller: 'required',
    speaker: 'required',
    cli: true,
    pruned: true,
  },
  {
    ...discovery,
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    scope: 'namespaced',
    decode: decodeEndpointSlice,
    speaker: 'required',
    cli: true,
  },
  // Read by name: whoever may list Secrets reads all of them.
  { ...core, kind: 'Secret', plural: 'secrets', scope: 'namespaced', decode: decodeSecret },
  ...namedKinds,
] as const satisfies readonly KindRow[]

export const kinds: readonly KindRow[] = table

/** With what it says, for the compiler: test/house/checks.test.ts compares it with the checks. */
export type KnownRow = (typeof table)[number]
export type KindName = KnownRow['kind']

const byKind: ReadonlyMap<string, KindRow> = new Map(kinds.map((row) => [row.kind, row]))

export const rowOf = (kind: KindName): KindRow => {
  const row = byKind.get(kind)
  if (row === undefined) throw new TypeError(`${kind} is not in the table of kinds`)
  return row
}

/** In every namespace, or in the one that is named. */
export function resourceOf(kind: KindName, namespace?: string): Resource {
  const { group, version, plural } = rowOf(kind)
  return { group, version, plural, ...(namespace === undefined ? {} : { namespace }) }
}

/** How an object of the kind begins. */
export function typeOf(kind: KindName): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: apiVersionOf(rowOf(kind)), kind }
}
