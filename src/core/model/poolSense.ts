// What do decisions read of a pool? By which names it answers, whom it may serve, and whether that
// has changed: its status, its labels and its age are not read.
import { rangeText } from '../net/intervals.ts'
import type { Belonging } from './belonging.ts'
import type { Pool } from './pool.ts'
import type { ServiceView } from './service.ts'

export const answersTo = ({ name, serves }: Pool, asked: string): boolean =>
  name === asked || serves.includes(asked)

export function samePool(one: Pool | undefined, other: Pool | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one === other || definition(one) === definition(other)
}

function definition({ ranges, status: _, labels: __, createdAt: ___, ...rest }: Pool): string {
  return JSON.stringify({ ...rest, ranges: ranges.map(rangeText) })
}

/**
 * Whether the pool may matter to a Service that waits. Whoever names a pool or an address is told
 * why not; to the rest only pools matter that might serve them. Selectors are left to the decision.
 */
export function mayConcern(pool: Pool, service: ServiceView, belonging: Belonging): boolean {
  const { asksPool, asksByAnnotation, asksByField, namespace } = service
  if (asksByAnnotation !== '' || asksByField !== '') return true
  if (asksPool !== '') return answersTo(pool, asksPool)
  if (!pool.autoAssign) return false
  if (pool.tenant !== '') return belonging.kind === 'tenant' && belonging.name === pool.tenant
  const { namespaces = [], namespaceSelectors = [] } = pool.allocation ?? {}
  const isListed = namespaces.length > 0 && namespaceSelectors.length === 0
  return !isListed || namespaces.includes(namespace)
}
