// Through which nodes do the routers send? As the kernel of each has it, by address.
import { isRecord } from '../../edge/kube/decode/fields.ts'
import { type Lab, nodesOf } from './lab.ts'
import { portOn } from './machine.ts'
import { routersOf } from './routerConfig.ts'
import { run } from './tools.ts'

/** Of IPv4: IPv6 goes through addresses of the link, which name nobody. */
export function routedBy(lab: Lab): ReadonlyMap<string, readonly string[]> {
  const nodes = new Map(
    nodesOf(lab).map((node) => [portOn(node, 'lan')?.addresses[4] ?? '', node.name]),
  )
  const found = new Map<string, Set<string>>()
  for (const { namespace } of routersOf(lab)) {
    const routes: unknown = JSON.parse(run(['ip', '-j', '-n', namespace, 'route', 'show']) || '[]')
    for (const route of Array.isArray(routes) ? routes : []) {
      for (const [address, gateway] of hopsOf(route)) {
        const node = nodes.get(gateway)
        if (node !== undefined) found.set(address, (found.get(address) ?? new Set()).add(node))
      }
    }
  }
  return new Map([...found].map(([address, names]) => [address, [...names].sort()]))
}

function hopsOf(route: unknown): readonly (readonly [string, string])[] {
  if (!isRecord(route) || typeof route['dst'] !== 'string') return []
  const address = route['dst']
  const hops: readonly unknown[] = Array.isArray(route['nexthops']) ? route['nexthops'] : [route]
  return hops.flatMap((hop) =>
    isRecord(hop) && typeof hop['gateway'] === 'string' ? [[address, hop['gateway']] as const] : [],
  )
}
