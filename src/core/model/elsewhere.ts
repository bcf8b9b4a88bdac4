// Which addresses does an object hold that no Service may be given? Those of nodes, gateways and
// node-range reservations, as far as the API knows them (section 5).
import type { Ip } from '../net/ip.ts'
import type { Kind, View } from './view.ts'

export const elsewhereKinds = [
  'NetConfig',
  'Node',
  'NodeInterfaces',
  'Reservation',
  'Tenant',
] as const satisfies readonly Kind[]

/** Each once; whether a Service of ours holds one of them is for the reader to ask. */
export const elsewhereOf = (view: View): readonly Ip[] => [...new Set(addressesOf(view))]

function addressesOf(view: View): readonly Ip[] {
  switch (view.kind) {
    case 'Node':
      return [...view.addresses, ...view.annotated.map(({ address }) => address)]
    case 'NodeInterfaces':
      return view.interfaces.flatMap(({ addresses }) => addresses.map(({ address }) => address))
    case 'NetConfig':
      return view.subnets.flatMap(({ gateway, nextHops }) => [...present(gateway), ...nextHops])
    case 'Tenant':
      return view.networks.flatMap(({ gateway }) => present(gateway))
    case 'Reservation':
      return view.addresses
    default:
      return []
  }
}

const present = (ip: Ip | undefined): readonly Ip[] => (ip === undefined ? [] : [ip])
