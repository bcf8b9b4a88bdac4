// Which Services are measured? Views as the API gives them, decided as in the controller.
import type { ServiceView } from '../src/core/model/service.ts'
import type { World } from '../src/core/model/world.ts'
import { decideService } from '../src/core/policy/decideService.ts'
import { service } from '../test/build/announcing.ts'

export type Terms = Partial<ServiceView>

/** Ages and names increase together, as for Services created one after another. */
export function servicesFrom(
  first: number,
  count: number,
  terms: (number: number) => Terms,
): ServiceView[] {
  return Array.from({ length: count }, (_, index) => {
    const number = first + index
    const name = `s${String(number).padStart(7, '0')}`
    const seconds = new Date(1_767_225_600_000 + number * 1000).toISOString()
    return service(name, [], { ports: ['TCP/80'], createdAt: seconds, ...terms(number) })
  })
}

/** Decides every Service that is due and applies the result. Returns how many were decided. */
export function settle(world: World): number {
  let decided = 0
  for (let key = world.queue.pop(); key !== undefined; key = world.queue.pop()) {
    world.apply({ type: 'intent', intent: decideService(world, key).intent })
    decided++
  }
  return decided
}
