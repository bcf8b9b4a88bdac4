// What would come of a change to a cluster? How it stands before and after, compared.
import type { Cluster } from '../../../core/sim/cluster.ts'
import { type Plan, planOf } from '../../../core/sim/plan.ts'
import { planServices } from '../../../core/sim/plannedServices.ts'
import { type Snapshot, snapshot } from '../../../core/sim/snapshot.ts'
import { appliedOver } from '../live/appliedOver.ts'
import { admitAll, type Loaded, type Session } from '../load.ts'
import { type Change, deleteAll } from './change.ts'
import type { Rendered } from './forMetallb.ts'

type Prediction = {
  readonly plan: Plan
  readonly wanted: Loaded
  /** Why something would not be deleted, or a Tenant not be rendered. */
  readonly kept: readonly string[]
  /** What MetalLB would be given instead of Tenants. */
  readonly rendered: Rendered | undefined
}

/** Deletes before anything is applied, so that a renamed pool does not overlap its old self. */
export async function predict(
  session: Session,
  there: Loaded,
  { reads, deletions, render }: Change,
): Promise<Prediction> {
  const { cluster } = session
  const planned = planServices(cluster)
  const before = standingOf(cluster)
  const kept = deleteAll(cluster, deletions)
  const asApplied = appliedOver(there)
  const rendered = await render?.(there, reads)
  const all = rendered?.reads ?? reads
  const wanted = await admitAll(session, all, (id, json) => cluster.apply(asApplied(id, json)))
  planServices(cluster, planned, (id) => wanted.manifests.has(id))
  return {
    plan: planOf(before, standingOf(cluster)),
    wanted,
    kept: [...kept, ...(rendered?.refused ?? [])],
    rendered,
  }
}

export const standingOf = (cluster: Cluster): Snapshot =>
  snapshot(cluster.world, cluster.speakers(), cluster.objects())
