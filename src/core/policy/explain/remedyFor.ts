// What can be done about a refusal of this Service? Its own remedy, else that of the reason, with
// the pool that may be meant by a name that none has.
import { meant } from '../../model/meant.ts'
import { type Refusal, remedies } from '../../model/reason.ts'
import type { ServiceView } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'

type Refused = Pick<Refusal, 'reason' | 'remedy'>

export function remedyFor(
  world: ReadonlyWorld,
  service: ServiceView,
  { reason, remedy }: Refused,
): string {
  if (remedy !== undefined) return remedy
  if (reason !== 'pool-not-found') return remedies[reason]
  const names = [...world.pools.values()].flatMap(({ name, serves }) => [name, ...serves])
  return `${remedies[reason]}${meant(service.asksPool, new Set(names))}`
}
