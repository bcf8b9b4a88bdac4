// What becomes of routes to pods in a plan? Which prefixes the routers of its node gain or lose.
import type { ReadonlyWorld } from '../model/world.ts'

/** By namespace/name of the pod: what its FRRConfiguration announces. */
export type PodRoutes = ReadonlyMap<string, readonly string[]>
export type RouteChange = {
  readonly pod: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export function podRoutesIn(world: ReadonlyWorld): PodRoutes {
  const found = new Map<string, readonly string[]>()
  for (const { routeOf, announced } of world.all('FRRConfiguration').values()) {
    const [namespace] = routeOf?.configuration.split('/') ?? []
    if (routeOf !== undefined) found.set(`${namespace}/${routeOf.pod}`, [...announced].sort())
  }
  return found
}

/** Only what differs. */
export function routeChanges(before: PodRoutes, after: PodRoutes): readonly RouteChange[] {
  const pods = [...new Set([...before.keys(), ...after.keys()])].sort()
  return pods.flatMap((pod) => {
    const [was, is] = [before.get(pod) ?? [], after.get(pod) ?? []]
    return was.join() === is.join() ? [] : [{ pod, before: was, after: is }]
  })
}
