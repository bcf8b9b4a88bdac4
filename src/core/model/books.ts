// What is the World made of? The views and the indexes beside them, as their writer sees them.
import { type Belonging, Belongings, labelsIn } from './belonging.ts'
import { Elsewhere } from './elsewhere.ts'
import { Given } from './given.ts'
import { Inert } from './inert.ts'
import { NodeLedger } from './ipam/nodeLedger.ts'
import { Ledger } from './ledger.ts'
import { LostPools } from './lostPools.ts'
import { Obstacles } from './obstacles.ts'
import { Pinned } from './pinned.ts'
import type { Pool } from './pool.ts'
import { PoolIndex } from './poolIndex.ts'
import type { Key, ServiceView } from './service.ts'
import { TenantUse } from './tenantUse.ts'
import { ViewStore } from './viewStore.ts'
import { Waiting } from './waiting.ts'
import type { Pending } from './world.ts'

export type Books = {
  readonly views: ViewStore
  readonly pools: Map<string, Pool>
  readonly poolIndex: PoolIndex
  readonly belongings: Belongings
  /** Who holds what: as decided where a decision is pending, else as observed. */
  readonly ledger: Ledger
  /** Who else has which address on a wire. */
  readonly elsewhere: Elsewhere
  readonly pending: Map<Key, Pending>
  /** Services that show an unrecorded address, or another's that may be in a pool one day. */
  readonly foreign: Set<Key>
  readonly use: TenantUse
  readonly waiting: Waiting
  readonly pinned: Pinned
  readonly inert: Inert
  readonly given: Given
  readonly lost: LostPools
  readonly obstacles: Obstacles
  /** What the hosts of OpenStack have. */
  readonly nodes: NodeLedger
}

type Around = {
  /** Told of each block of node addresses that has to be looked at. */
  readonly touched: (block: string) => void
  /** What is the Site's is no tenant's (R6.5). */
  readonly tenantOf: (service: ServiceView) => Belonging
}

export function newBooks({ touched, tenantOf: ofService }: Around): Books {
  const views = new ViewStore()
  const pools = new Map<string, Pool>()
  const belongings = new Belongings(views.of('Tenant'), (name) =>
    labelsIn(views.of('Namespace'), name),
  )
  const claimsOf = (service: ServiceView) => views.claimsOf(service)
  const inert = new Inert({ pools, services: views.of('Service'), claimsOf })
  const ledger = new Ledger()
  const tenantOf = (namespace: string): string => {
    const belonging = belongings.ofNamespace(namespace)
    return belonging.kind === 'tenant' ? belonging.name : ''
  }
  const use = new TenantUse()
  const tenants = views.of('Tenant')
  const given = new Given()
  return {
    views,
    pools,
    poolIndex: new PoolIndex(pools),
    belongings,
    ledger,
    elsewhere: new Elsewhere(views, tenantOf),
    pending: new Map(),
    foreign: new Set(),
    use,
    waiting: new Waiting(),
    pinned: new Pinned({ tenants, use, tenantOf: ofService }),
    inert,
    given,
    lost: new LostPools({ views, pools, inert, ledger, given }),
    obstacles: new Obstacles(),
    nodes: new NodeLedger({ views, touched }),
  }
}

export function heldWithout({ ledger, use }: Books, service: Key) {
  const holding = ledger.holding(service)
  return holding === undefined
    ? { ledger, use }
    : { ledger: ledger.without(service), use: use.without(holding) }
}
