// Which BGPConfiguration applies in a namespace? The oldest: two would write the same objects in
// turn (R16.4). Whoever may write them can write thousands.
import type { Changed } from '../../model/changed.ts'
import type { BgpConfiguration } from '../../model/podRoutes/podRoutes.ts'
import type { ReadonlyWorld } from '../../model/world.ts'

type Candidate = Pick<BgpConfiguration, 'createdAt' | 'key'>

const isBefore = (one: Candidate, other: Candidate): boolean =>
  one.createdAt === other.createdAt ? one.key < other.key : one.createdAt < other.createdAt

/** By namespace. */
export function countingConfigurations(
  world: ReadonlyWorld,
): ReadonlyMap<string, BgpConfiguration> {
  const found = new Map<string, BgpConfiguration>()
  for (const one of world.all('BGPConfiguration').values()) {
    if (one.isGoing) continue
    const first = found.get(one.namespace)
    if (first === undefined || isBefore(one, first)) found.set(one.namespace, one)
  }
  return found
}

type ObjectChange = Extract<Changed, { type: 'object' }>

/** Itself; those beside it only where another one counts than before. */
export function wokenByConfiguration(
  { key, before, after }: ObjectChange,
  world: ReadonlyWorld,
): readonly string[] {
  const [was, is] = [before, after].map((view) =>
    view?.kind === 'BGPConfiguration' && !view.isGoing ? view : undefined,
  )
  const moved = was?.uid === is?.uid ? undefined : (was ?? is)
  if (moved === undefined) return [key]
  const { namespace } = moved
  const first = countingConfigurations(world).get(namespace)
  if (first !== undefined && first.key !== key && isBefore(first, moved)) return [key]
  const beside = [...world.all('BGPConfiguration').values()].filter(
    (one) => one.namespace === namespace,
  )
  return [key, ...beside.map((one) => one.key)]
}
