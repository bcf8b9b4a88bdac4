// By what are the addresses of a subnet kept? Its names, and apart what is only for pods.
import { familyOf, type Ip, toBigInt } from '../../net/ip.ts'
import { withoutEach } from '../../net/ordered.ts'
import type { Range } from '../../net/range.ts'
import type { NetConfig } from '../wires.ts'
import type { NodeSubnet } from './nodePlan.ts'

/** `namespace/network/subnet`, in lower case. */
export const subnetId = (namespace: string, network: string, subnet: string): string =>
  `${namespace}/${network}/${subnet}`.toLowerCase()

/** What is given to pods of the subnet (R12.15). */
export const podsId = (subnet: string): string => `${subnet} pods`

type Kept = { readonly id: string; readonly network: string; readonly subnet: NodeSubnet }

/** Where addresses are given from: each subnet, and its sticky ranges. */
export const subnetsOf = ({ namespace, networks }: NetConfig): readonly Kept[] =>
  networks.flatMap(({ name: network, subnets }) =>
    subnets.flatMap((subnet) => {
      const id = subnetId(namespace, network, subnet.name)
      const ranges = withoutEach(subnet.sticky, subnet.excluded.flatMap(justOne))
      const pods = { id: podsId(id), network, subnet: { ...subnet, ranges } }
      return [{ id, network, subnet }, ...(subnet.sticky.length === 0 ? [] : [pods])]
    }),
  )

/** Nothing for what cannot be read. */
function justOne(ip: Ip | undefined): readonly Range[] {
  if (ip === undefined) return []
  const value = toBigInt(ip)
  return [{ family: familyOf(ip), first: value, last: value }]
}
