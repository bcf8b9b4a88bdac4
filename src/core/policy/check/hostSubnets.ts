// In which subnets are the hosts, as far as anybody says (R6.3)?
import type { ReadonlyWorld } from '../../model/world.ts'
import { bitsOf, familyOf, type Ip } from '../../net/ip.ts'
import { type Prefix, prefixAround, prefixText } from '../../net/range.ts'
import { interfaceAddresses } from '../wires/wiresOfNodes.ts'

/** Those in which there is room for more than the host itself; each once, in the order of text. */
export function hostSubnets(world: Pick<ReadonlyWorld, 'all'>): readonly Prefix[] {
  const all = [...interfaceAddresses(world).values()]
    .flat()
    .filter(({ address, prefixLength }) => prefixLength < bitsOf(familyOf(address)))
    .filter(({ address }) => !isOfOneHost(address))
    .map(({ address, prefixLength }) => prefixAround(address, prefixLength))
  const once = new Map(all.map((prefix) => [prefixText(prefix), prefix]))
  return [...once].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, prefix]) => prefix)
}

/** Loopback, and addresses that mean something on one link only. */
const isOfOneHost = (ip: Ip): boolean =>
  ip.startsWith('127.') || ip === '::1' || ip.startsWith('fe80:')
