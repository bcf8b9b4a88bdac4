// Which BGPConfigurations does it concern that hosts or other pods get and free addresses (R16.5)?
// Those whose namespace has a pod that wants a route to such an address.
import type { Changed } from '../../model/changed.ts'
import type { View } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { countingConfigurations } from './countingConfigurations.ts'
import { addressesWanted, isRouted } from './podAddresses.ts'

type ObjectChange = Extract<Changed, { type: 'object' }>

export function wokenByAddresses(
  { before, after }: ObjectChange,
  world: ReadonlyWorld,
): readonly string[] {
  const counting = countingConfigurations(world)
  if (counting.size === 0) return []
  const [was, is] = [givenBy(before), givenBy(after)]
  const moved = new Set([...was.keys(), ...is.keys()].filter((ip) => was.get(ip) !== is.get(ip)))
  if (moved.size === 0) return []
  const namespaces = new Set<string>()
  for (const pod of world.all('Pod').values()) {
    if (namespaces.has(pod.namespace) || !isRouted(pod)) continue
    const isMeant = addressesWanted(world, pod).ips.some((ip) => moved.has(ip))
    if (isMeant) namespaces.add(pod.namespace)
  }
  return [...namespaces].flatMap((namespace) => counting.get(namespace)?.key ?? [])
}

/** By address: who has it. */
function givenBy(view: View | undefined): ReadonlyMap<string, string> {
  switch (view?.kind) {
    case 'IPPool':
      return new Map(Object.entries(view.pods))
    case 'Reservation':
      return new Map(view.occupied.map((ip) => [ip, view.key]))
    case 'AddressBlock':
      return new Map(view.holders.map((one) => [one.address, `${one.namespace}/${one.name}`]))
    default:
      return new Map()
  }
}
