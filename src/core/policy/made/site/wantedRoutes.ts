// Which routes does a Site list, through which router and on which interface (R6.6)?
import type { External } from '../../../model/site.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import { contains } from '../../../net/intervals.ts'
import { familyOf, type Ip } from '../../../net/ip.ts'
import { prefixText } from '../../../net/range.ts'
import { interfaceAddresses, subnetOf } from '../../wires/wiresOfNodes.ts'

export type WantedRoute = {
  readonly destination: string
  readonly nextHop: Ip
  /** Empty where nobody says and the nodes do not agree. */
  readonly interface: string
}

/** In their order. */
export function wantedRoutes(world: ReadonlyWorld, external: External): readonly WantedRoute[] {
  return external.routes.flatMap(({ destination, nextHop }) => {
    const gateways = [external, external.secondary].flatMap((pair) => pair?.gateway ?? [])
    const hop = nextHop ?? gateways.find((ip) => familyOf(ip) === destination.family)
    if (hop === undefined) return []
    const link = external.interface || linkTo(world, hop)
    return [{ destination: prefixText(destination), nextHop: hop, interface: link }]
  })
}

/** The interface in whose subnet it lies, if that is the same one on every node that has any. */
function linkTo(world: ReadonlyWorld, hop: Ip): string {
  const near = [...interfaceAddresses(world).values()]
    .flat()
    .filter((one) => subnetOf(one).some((net) => contains(net, hop)))
  const links = new Set(near.map((one) => one.interface))
  const [first = ''] = links
  return links.size === 1 ? first : ''
}

/** What does it by hand. */
export const commandFor = ({ destination, nextHop, interface: link }: WantedRoute): string =>
  `ip route replace ${destination} via ${nextHop}${link === '' ? '' : ` dev ${link}`}`
