// Who are the Services that are measured? Views as the API gives them, and the controller's turn.
import type { ServiceView } from '../src/core/model/service.ts'
import type { World } from '../src/core/model/world.ts'
import { decideService } from '../src/core/policy/decideService.ts'
import { service } from '../test/build/announcing.ts'

export type Terms = Partial<ServiceView>

/** Ages and names go up together, as they do when Services are made one after another. */
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

/** Everybody whose turn it is: decide, and enter the intent. Answers how many were decided. */
export function settle(world: World): number {
  let decided = 0
  for (let key = world.turn.pop(); key !== undefined; key = world.turn.pop()) {
    world.apply({ type: 'intent', intent: decideService(world, key).intent })
    decided++
  }
  return decided
}
