// May this pool be? Its own fields, apart from all other pools, and fit for who announces it.
import type { FieldError } from '../../model/admission.ts'
import { forbidden, required } from '../../model/fieldError.ts'
import type { Pool, ServiceAllocation } from '../../model/pool.ts'
import { siteMaker } from '../../model/sitePools.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { checkAnnounced } from './checkAnnounced.ts'
import { checkOnce, checkSelectors } from './checkLists.ts'
import { type ClaimedRange, clashesBetween, clashesWithin, clashText } from './checkOverlap.ts'
import { vipsHeldBack } from './vipsHeldBack.ts'

/** Enough to begin with: each one is worded for people. */
const mostTold = 100

/** M8.1 rules 15, 17 and 18. */
export function checkPool(world: ReadonlyWorld, pool: Pool): readonly FieldError[] {
  const { ranges, allocation } = pool
  if (ranges.length === 0) {
    return [required('spec.addresses', 'a pool has at least one prefix or range')]
  }
  return [
    ...rangesAreApart(world, pool),
    ...(allocation === undefined ? [] : checkAllocation(allocation)),
  ]
}

/** M8.1 rules 24, 25 and 27 as far as the pool is what comes last. */
export const checkPoolFits = (world: ReadonlyWorld, pool: Pool): readonly FieldError[] =>
  checkAnnounced(world, pool, 'spec.addresses')

function rangesAreApart(world: ReadonlyWorld, pool: Pool): readonly FieldError[] {
  const mine = claimsOf(pool)
  const others = [...world.pools.values()].filter(({ name }) => name !== pool.name)
  // What a move may go back to stays free for it (R6.10).
  const theirs = [...others.flatMap(claimsOf), ...vipsHeldBack(world)]
  const heldApart = pool.madeFrom === siteMaker ? others.flatMap(claimsOf) : theirs
  const clashes = [...clashesWithin(mine), ...clashesBetween(mine, heldApart)]
  return clashes.slice(0, mostTold).map((clash) => forbidden(clash.mine.path, clashText(clash)))
}

/** A pool that is made from a tenant or the Site is known to people by that. */
export function claimsOf(pool: Pool): readonly ClaimedRange[] {
  const maker = pool.madeFrom === siteMaker ? siteMaker : `Tenant/${pool.madeFrom}`
  const owner = pool.madeFrom === '' ? objectOf(pool) : `${objectOf(pool)} of ${maker}`
  return pool.ranges.map((range, index) => ({ path: `spec.addresses[${index}]`, owner, range }))
}

function checkAllocation(allocation: ServiceAllocation): readonly FieldError[] {
  const path = 'spec.serviceAllocation'
  return [
    ...checkOnce(`${path}.namespaces`, allocation.namespaces),
    ...checkSelectors(`${path}.namespaceSelectors`, allocation.namespaceSelectors),
    ...checkSelectors(`${path}.serviceSelectors`, allocation.serviceSelectors),
  ]
}
