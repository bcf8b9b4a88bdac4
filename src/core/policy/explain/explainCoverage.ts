// Which advertisements speak of a pool, from which nodes, and by which interfaces or peers?
import type { Pool } from '../../model/pool.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { momentOf, type Speakers } from '../announce/advertise.ts'
import { reaches } from '../announce/advertiseBgp.ts'
import { coversPool } from '../announce/subject.ts'

type Covering = {
  readonly object: string
  readonly name: string
  /** Those that it selects; whether one is fit to announce is a question of each Service. */
  readonly nodes: readonly string[]
  /** Services are selected by their labels. */
  readonly isChoosy: boolean
}
export type Coverage = {
  /** No interfaces: all that the node has. */
  readonly layer2: readonly (Covering & { readonly interfaces: readonly string[] })[]
  readonly bgp: readonly (Covering & {
    readonly peers: readonly string[]
    /** What it names is not there, so it does nothing. */
    readonly inert: readonly string[]
  })[]
}

/** Each by name. */
export function explainCoverage(world: ReadonlyWorld, speakers: Speakers, pool: Pool): Coverage {
  const { ground, bgp } = momentOf(world, speakers)
  const layer2 = [...world.all('L2Advertisement').values()].filter((by) => coversPool(by, pool))
  const routes = [...world.all('BGPAdvertisement').values()].filter((by) => coversPool(by, pool))
  const common = (by: (typeof layer2)[number] | (typeof routes)[number]): Covering => ({
    object: objectOf(by),
    name: by.name,
    nodes: [...ground.nodesOf(by)],
    isChoosy: by.serviceSelectors.length > 0,
  })
  return {
    layer2: layer2.sort(byName).map((by) => ({ ...common(by), interfaces: by.interfaces })),
    bgp: routes.sort(byName).map((by) => ({
      ...common(by),
      peers: bgp.peers.filter((peer) => reaches(by, peer)).map(({ name }) => name),
      inert: bgp.inert.filter(({ view }) => view === by).map(({ message }) => message),
    })),
  }
}

const byName = (one: { name: string }, other: { name: string }): number =>
  one.name < other.name ? -1 : 1
