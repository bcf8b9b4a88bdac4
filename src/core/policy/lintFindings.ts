// What should lint say that is no problem of a running system? What means less than it seems to.
import type { Pool } from '../model/pool.ts'
import { objectOf } from '../model/view.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import { rangeText } from '../net/intervals.ts'
import type { Family } from '../net/ip.ts'

type Finding = {
  readonly code: string
  readonly severity: 'warning'
  readonly object: string
  readonly field: string
  readonly message: string
  readonly remedy: string
}

/** In order of the objects' names. */
export function lintFindings(world: Pick<ReadonlyWorld, 'all'>): Finding[] {
  const pools = [...world.all('IPAddressPool').values()]
  return pools.flatMap(rangesNotBound).sort((one, other) => (one.object < other.object ? -1 : 1))
}

/** A pool made from a tenant lists that tenant's namespaces on purpose (R4.14). */
function rangesNotBound(pool: Pool): Finding[] {
  const namespaces = [...new Set(pool.allocation?.namespaces)]
  const ranges = families.map((family) => pool.ranges.filter((range) => range.family === family))
  const several = ranges.filter(({ length }) => length > 1).flat()
  if (pool.madeFrom !== '' || namespaces.length < 2 || several.length === 0) return []
  const addresses = several.map(rangeText).join(', ')
  const whom = namespaces.join(', ')
  const message = `no range is bound to a namespace: each of ${whom} is served from ${addresses}`
  return [
    {
      code: 'range-not-bound',
      severity: 'warning',
      object: objectOf(pool),
      field: 'spec.serviceAllocation.namespaces',
      message,
      remedy: 'use one pool for each namespace, or Tenants',
    },
  ]
}

const families: readonly Family[] = ['IPv4', 'IPv6']
