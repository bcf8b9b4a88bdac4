// Which nodes say that they lack a route of the Site (R6.14)?
import type { NodeRoute } from '../../../model/node.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import { commandFor, type WantedRoute } from './wantedRoutes.ts'

type Missing = { readonly route: WantedRoute; readonly nodes: readonly string[] }

/** By route, of the nodes that say what they have. */
export function routesMissing(
  world: ReadonlyWorld,
  wanted: readonly WantedRoute[],
): readonly Missing[] {
  const nodes = [...world.all('Node').keys()].sort()
  const lacks = (node: string, route: WantedRoute): boolean => {
    const has = routesOf(world, node)
    return has !== undefined && !isAmong(has, route)
  }
  return wanted
    .map((route) => ({ route, nodes: nodes.filter((node) => lacks(node, route)) }))
    .filter((one) => one.nodes.length > 0)
}

/** Whether every node says what it has. */
export function allTellRoutes(world: ReadonlyWorld): boolean {
  const nodes = [...world.all('Node').keys()]
  return nodes.length > 0 && nodes.every((node) => routesOf(world, node) !== undefined)
}

const routesOf = (world: ReadonlyWorld, node: string): readonly NodeRoute[] | undefined =>
  world.all('NodeInterfaces').get(node)?.routes

const isAmong = (has: readonly NodeRoute[], { destination, nextHop }: WantedRoute): boolean =>
  has.some((one) => one.destination === destination && one.via === nextHop)

export const missingText = ({ route, nodes }: Missing): string =>
  `${someOf(nodes)}: ${commandFor(route)}`

/** A sentence that names a thousand nodes is not read. */
export const someOf = (nodes: readonly string[]): string =>
  nodes.length <= 3
    ? nodes.join(', ')
    : `${nodes.slice(0, 3).join(', ')} and ${nodes.length - 3} more`
