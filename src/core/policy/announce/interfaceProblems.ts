// Does an L2Advertisement name interfaces that no node has? Only where interfaces are known.
import type { L2Advertisement } from '../../model/announcing.ts'
import type { Problem } from '../../model/problem.ts'
import { matchesAny } from '../../model/selector.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'

export function interfaceProblems(world: ReadonlyWorld): Problem[] {
  return [...world.all('L2Advertisement').values()].flatMap((advertisement): Problem[] => {
    const known = interfacesOf(world, advertisement)
    if (known.size === 0) return []
    const missing = advertisement.interfaces.filter((name) => !known.has(name))
    if (missing.length === 0) return []
    const theirs = [...known].sort().join(', ')
    const isUseless = missing.length === advertisement.interfaces.length
    return [
      {
        code: 'interface-missing',
        severity: isUseless ? 'error' : 'warning',
        object: objectOf(advertisement),
        field: 'spec.interfaces',
        message: `no selected node has ${missing.join(', ')}: they have ${theirs}`,
      },
    ]
  })
}

/** Of all nodes that the advertisement selects, as far as they are known. */
function interfacesOf(world: ReadonlyWorld, { nodeSelectors }: L2Advertisement): Set<string> {
  const selected = [...world.all('Node').values()].filter(
    ({ labels }) => nodeSelectors.length === 0 || matchesAny(nodeSelectors, labels),
  )
  const reported = selected.flatMap(({ name }) => world.all('NodeInterfaces').get(name) ?? [])
  return new Set(reported.flatMap(({ interfaces }) => interfaces.map(({ name }) => name)))
}
