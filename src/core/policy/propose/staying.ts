// What of the clouds is in no proposed Tenant, and stays as it is (R4.30)?
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'

/** What a Tenant makes has a name of its own, or cannot say all that is there. */
const kinds = {
  L2Advertisement: 'a Tenant makes them for its own pools alone, and these pools keep their names',
  BGPAdvertisement: 'a Tenant makes them for its own pools alone, and these pools keep their names',
  BGPPeer: 'a Tenant makes its own under other names',
  NetConfig: 'a Tenant cannot say its DNS domains and routes',
  NodeNetworkConfigurationPolicy: 'a Tenant cannot say bridges, bonds, routes and resolvers',
} as const

type Kind = keyof typeof kinds

/** A line for each kind, with names in order; what Berth made from a Tenant is not listed. */
export function staying(world: ReadonlyWorld): readonly string[] {
  return (Object.keys(kinds) as Kind[]).flatMap((kind) => {
    const names = [...world.all(kind).values()]
      .filter((view) => (view.maker ?? '') === '')
      .map((view) => objectOf(view).slice(`${kind}/`.length))
    return names.length === 0 ? [] : [`${kind}: ${names.sort().join(', ')} (${kinds[kind]})`]
  })
}
