// Is a pool gone for good (R3.14)? A deletion that we saw is noted before the first address is
// released, so that whoever comes after us goes on; the note goes with the last one.
import { apiGroups, apiVersionOf } from '../model/apiGroups.ts'
import type { Changed } from '../model/changed.ts'
import type { JsonObject } from '../model/gate.ts'
import { managed } from '../model/made.ts'
import { siteName } from '../model/site.ts'
import { siteMaker } from '../model/sitePools.ts'
import { vipNames } from '../model/siteVips.ts'
import { poolsMadeFrom } from '../model/tenantPools.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Write } from '../model/write.ts'
import type { Decider } from './decider.ts'

export const releasedPools: Decider = {
  name: 'released-pools',
  kind: 'ReleasedPool',
  reads: ['IPAddressPool', 'ReleasedPool', 'Tenant', 'Site', 'Address'],
  wakes: poolsWoken,
  decide(world, name) {
    const isNoted = world.all('ReleasedPool').has(name)
    const isOver = isThere(world, name) || !world.lost.isRecorded(name)
    if (isNoted) return { writes: isOver ? [removal(name)] : [] }
    return {
      writes:
        !isOver && wasSeen(world, name) ? [{ type: 'apply', object: noteOf(name, 'Deleted') }] : [],
    }
  },
}

/** A made pool goes with its tenant, a moment later. */
function isThere(world: ReadonlyWorld, name: string): boolean {
  const maker = world.pools.get(name)?.madeFrom
  if (maker === undefined) return world.inert.has('IPAddressPool', name)
  if (maker === '' || world.lost.isMakerThere(maker)) return true
  return maker === siteMaker ? world.inert.has('Site', siteName) : world.inert.has('Tenant', maker)
}

function wasSeen({ lost, pools }: ReadonlyWorld, name: string): boolean {
  const maker = pools.get(name)?.madeFrom
  return maker === undefined ? lost.wasSeen(name) : lost.wasTenantSeen(maker)
}

/** `Deleted` before our eyes, or `Released` by a person. */
export const noteOf = (name: string, cause: 'Deleted' | 'Released'): JsonObject => ({
  apiVersion: apiVersionOf(apiGroups.berth),
  kind: 'ReleasedPool',
  metadata: { name, labels: managed },
  spec: { cause },
})

const removal = (name: string): Write => ({ type: 'delete', of: { kind: 'ReleasedPool', name } })

/** There are thousands of Addresses: most of their pools are there. */
function poolsWoken(changed: Changed, world: ReadonlyWorld): readonly string[] {
  if (changed.kind === 'IPAddressPool' || changed.kind === 'ReleasedPool') return [changed.key]
  if (changed.type !== 'object') return []
  return [changed.before, changed.after].flatMap((view) => {
    // Made pools stop counting with their tenant, also while somebody's finalizer keeps them.
    if (view?.kind === 'Tenant') return poolsMadeFrom(view, '').map(({ name }) => name)
    if (view?.kind === 'Site') return Object.values(vipNames).map(({ pool }) => pool)
    return view?.kind === 'Address' && !world.pools.has(view.pool) ? view.pool : []
  })
}
