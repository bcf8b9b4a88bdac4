// What of the clouds is in no proposed Tenant, and stays as it is (R4.30)?
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'

/** A tenant can say where a network is, not what else a node has. */
const kinds = [
  'L2Advertisement',
  'BGPAdvertisement',
  'BGPPeer',
  'NetworkAttachmentDefinition',
  'NetConfig',
  'NodeNetworkConfigurationPolicy',
] as const

/** A line for each kind, with names in order; what Berth made from a Tenant is not listed. */
export function staying(world: ReadonlyWorld): readonly string[] {
  return kinds.flatMap((kind) => {
    const names = [...world.all(kind).values()]
      .filter((view) => (view.maker ?? '') === '')
      .map((view) => objectOf(view).slice(`${kind}/`.length))
    return names.length === 0 ? [] : [`${kind}: ${names.sort().join(', ')}`]
  })
}
