// What can be done about a refusal of this Service? The remedy of the reason, and the pool that may
// be meant by a name that none has.
import { meant } from '../../model/meant.ts'
import { type Reason, remedies } from '../../model/reason.ts'
import type { ServiceView } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'

export function remedyFor(world: ReadonlyWorld, service: ServiceView, reason: Reason): string {
  if (reason !== 'pool-not-found') return remedies[reason]
  const names = [...world.pools.values()].flatMap(({ name, serves }) => [name, ...serves])
  return `${remedies[reason]}${meant(service.asksPool, new Set(names))}`
}
