// Of which kinds is something made, how is it called, and what was it made from?
import type { Made } from '../../model/made.ts'
import { siteMaker } from '../../model/sitePools.ts'
import type { Kind, View } from '../../model/view.ts'
import type { Ref } from '../../model/write.ts'

/** The kinds that are made from tenants and sites. */
export const madeKinds = [
  'IPAddressPool',
  'L2Advertisement',
  'BGPPeer',
  'BGPAdvertisement',
  'NetworkAttachmentDefinition',
  'NetConfig',
] as const satisfies readonly Kind[]
/** Those that say what has become of host networks. */
export const hostKinds = [
  'Node',
  'NodeInterfaces',
  'NodeNetworkConfigurationPolicy',
  'NodeNetworkConfigurationEnactment',
] as const satisfies readonly Kind[]

/** Those that a Site is made into. */
export const siteKinds = [
  'IPAddressPool',
  'L2Advertisement',
  'BGPAdvertisement',
  'Service',
] as const satisfies readonly Kind[]

export type MadeKind = (typeof madeKinds)[number] | (typeof siteKinds)[number]

/** Whether its objects stand in the namespaces of others. */
export const isNamespaced = (kind: string): boolean =>
  ['NetworkAttachmentDefinition', 'NetConfig', 'Service'].includes(kind)

export const keyOf = ({ kind, name, namespace }: Ref): string =>
  isNamespaced(kind) ? `${namespace}/${name}` : name

/** Kind/name; empty for what others made. */
export function makerOf(view: View & Made): string {
  if (view.kind !== 'IPAddressPool') return view.maker ?? ''
  const { madeFrom, isOurs, tenant } = view
  // A backup brings it back without owners, but with our labels.
  const name = madeFrom === '' && isOurs ? tenant : madeFrom
  if (name === siteMaker) return siteMaker
  return name === '' ? '' : `Tenant/${name}`
}
