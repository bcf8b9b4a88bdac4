// Why does a Service hold what it holds, or wait? What it asks, what pools say, what comes of it.

import type { Verdict } from '../../model/reason.ts'
import type { FamilyPolicy, Key, ServiceView } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Family, Ip } from '../../net/ip.ts'
import { allocate } from '../allocate.ts'
import type { Speakers } from '../announce/advertise.ts'
import { commonPool, mayKeep } from '../keep.ts'
import { type Wish, wishOf } from '../wish.ts'
import { type Announcing, explainAnnouncing } from './explainAnnouncing.ts'
import type { Answer } from './explainAnswer.ts'
import { caseOf } from './explainCase.ts'
import { type Holds, type Outcome, outcomeOf, type Unmet, unmet } from './explainOutcome.ts'
import { explainPools, type PoolAnswers } from './explainPools.ts'
import { explainRequest } from './explainRequest.ts'

export type ServiceExplanation = {
  readonly service: Key
  readonly outcome: Outcome
  readonly asks: Asks
  /** What it holds now, and whether it may keep it (P2). */
  readonly holds?: Holds & { readonly keeps: Verdict }
  readonly request: readonly Answer[]
  /** What it would get if it held nothing: pools and request answer for this. */
  readonly anew?: Holds | Unmet
  readonly pools: readonly PoolAnswers[]
  readonly announcing: Announcing
}

/** As written, empty where nothing is. */
export type Asks = {
  readonly families: readonly Family[]
  readonly familyPolicy: FamilyPolicy
  readonly pool: string
  readonly addresses: string
  /** What the addresses mean after translation. */
  readonly means: readonly Ip[]
  readonly sharingKey: string
  readonly ports: readonly string[]
  readonly trafficPolicy: 'Local' | 'Cluster'
  readonly tenant?: { readonly name: string; readonly used: number; readonly quota?: number }
}

export function explainService(
  world: ReadonlyWorld,
  speakers: Speakers,
  key: Key,
): ServiceExplanation | undefined {
  const service = world.services.get(key)
  if (service === undefined) return undefined
  const wish = wishOf(world, service)
  const held = world.heldOrShown(service)
  return {
    service: key,
    outcome: outcomeOf(world, service),
    ...(held.length > 0 && { holds: holdsOf(world, wish, held) }),
    ...(world.isOurs(service) ? ifItHeldNothing(world, wish) : nothing(service)),
    announcing: explainAnnouncing(world, speakers, key),
  }
}

const holdsOf = (world: ReadonlyWorld, wish: Wish, ips: readonly Ip[]) => ({
  ips,
  pool: commonPool(world, ips)?.name ?? '',
  keeps: mayKeep(world, wish, ips),
})

type Anew = Pick<ServiceExplanation, 'asks' | 'request' | 'pools' | 'anew'>

const nothing = (service: ServiceView): Anew => ({
  asks: asked(service, service.clusterFamilies, []),
  request: [],
  pools: [],
})

/** Its own holding would hide what the pools could offer. */
function ifItHeldNothing(world: ReadonlyWorld, wish: Wish): Anew {
  const { service, tenant, families } = wish
  const used = tenant === undefined ? 0 : world.use.used(tenant.name)
  const free = world.without(service.key)
  const given = caseOf(free, wish)
  const allocation = allocate(free, wish)
  const { quota } = tenant ?? {}
  return {
    asks: {
      ...asked(service, families, given.meant),
      ...(tenant && {
        tenant: { name: tenant.name, used, ...(quota !== undefined && { quota }) },
      }),
    },
    request: explainRequest(given),
    anew: allocation.ok
      ? { ips: allocation.offer.ips, pool: allocation.offer.pool.name }
      : unmet(allocation.refusal),
    pools: explainPools(given),
  }
}

const asked = (service: ServiceView, families: readonly Family[], means: readonly Ip[]): Asks => ({
  families,
  familyPolicy: service.familyPolicy,
  pool: service.asksPool,
  addresses: [service.asksByAnnotation, service.asksByField].filter((text) => text !== '').join(),
  means,
  sharingKey: service.sharingKey,
  ports: service.ports,
  trafficPolicy: service.isLocal ? 'Local' : 'Cluster',
})
