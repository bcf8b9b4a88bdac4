// Which BGPConfigurations does a change of whereabouts' records concern (R16.5)? Those whose
// namespace has a pod that wants a route to an address that a pod was given or has freed.
import type { Changed } from '../../model/changed.ts'
import type { View } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { countingConfigurations } from './countingConfigurations.ts'
import { addressesWanted, isRouted } from './podAddresses.ts'

type ObjectChange = Extract<Changed, { type: 'object' }>

export function wokenByIpPool(
  { before, after }: ObjectChange,
  world: ReadonlyWorld,
): readonly string[] {
  const [was, is] = [givenBy(before), givenBy(after)]
  const moved = new Set([...was.keys(), ...is.keys()].filter((ip) => was.get(ip) !== is.get(ip)))
  if (moved.size === 0) return []
  const namespaces = new Set<string>()
  for (const pod of world.all('Pod').values()) {
    if (namespaces.has(pod.namespace) || !isRouted(pod)) continue
    const isMeant = addressesWanted(world, pod).ips.some((ip) => moved.has(ip))
    if (isMeant) namespaces.add(pod.namespace)
  }
  const counting = countingConfigurations(world)
  return [...namespaces].flatMap((namespace) => counting.get(namespace)?.key ?? [])
}

/** By address: the pod that has it. */
const givenBy = (view: View | undefined): ReadonlyMap<string, string> =>
  new Map(view?.kind === 'IPPool' ? Object.entries(view.pods) : [])
