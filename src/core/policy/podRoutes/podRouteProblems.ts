// What is wrong with routes to pods? A BGPConfiguration that does not count, a node that is not
// there, and pods that are not announced (R16.6).
import type { Problem } from '../../model/problem.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { countingConfigurations } from './countingConfigurations.ts'

export function podRouteProblems(world: ReadonlyWorld): Problem[] {
  const counting = countingConfigurations(world)
  return [...world.all('BGPConfiguration').values()].flatMap((configuration) => {
    const object = objectOf(configuration)
    const first = counting.get(configuration.namespace)
    if (first !== undefined && first.key !== configuration.key) {
      const message = `BGPConfiguration ${first.key} is older: this one does nothing`
      return [{ code: 'configuration-twice' as const, severity: 'error' as const, object, message }]
    }
    const said = configuration.status.conditions.find(({ type }) => type === 'ServiceConfigReady')
    const isWhole = said === undefined || /^Service config create completed$/.test(said.message)
    const unrouted: Problem[] = isWhole
      ? []
      : [{ code: 'pod-not-announced', severity: 'warning', object, message: said.message }]
    const nodes = world.all('Node')
    const missing = configuration.selectors.filter(({ node }) => nodes.size > 0 && !nodes.has(node))
    return [
      ...unrouted,
      ...missing.map(({ node }) => ({
        code: 'unresolved-reference' as const,
        severity: 'warning' as const,
        object,
        field: 'spec.frrNodeConfigurationSelector',
        message: `there is no node ${node}`,
      })),
    ]
  })
}
