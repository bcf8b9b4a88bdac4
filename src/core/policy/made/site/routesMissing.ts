// Which nodes say that they lack a route of the Site (R6.14)?
import type { NodeRoute } from '../../../model/node.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import { commandFor, type WantedRoute } from './wantedRoutes.ts'

type Missing = { readonly route: WantedRoute; readonly nodes: readonly string[] }

/** By route; undefined if not every node says what it has. */
export function routesMissing(
  world: ReadonlyWorld,
  wanted: readonly WantedRoute[],
): readonly Missing[] | undefined {
  const nodes = [...world.all('Node').keys()].sort()
  const known = nodes.map((node) => ({ node, has: world.all('NodeInterfaces').get(node)?.routes }))
  if (nodes.length === 0 || known.some(({ has }) => has === undefined)) return undefined
  return wanted
    .map((route) => ({ route, nodes: known.filter(({ has = [] }) => !isAmong(has, route)) }))
    .filter((one) => one.nodes.length > 0)
    .map(({ route, nodes }) => ({ route, nodes: nodes.map(({ node }) => node) }))
}

const isAmong = (has: readonly NodeRoute[], { destination, nextHop }: WantedRoute): boolean =>
  has.some((one) => one.destination === destination && one.via === nextHop)

export const missingText = ({ route, nodes }: Missing): string =>
  `${someOf(nodes)}: ${commandFor(route)}`

/** A sentence that names a thousand nodes is not read. */
export const someOf = (nodes: readonly string[]): string =>
  nodes.length <= 3
    ? nodes.join(', ')
    : `${nodes.slice(0, 3).join(', ')} and ${nodes.length - 3} more`
