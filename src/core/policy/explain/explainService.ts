// Why does a Service hold what it holds, or wait? What it asks, what pools say, what comes of it.

import type { Pool } from '../../model/pool.ts'
import type { Verdict } from '../../model/reason.ts'
import type { FamilyPolicy, Key, ServiceView } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Family, Ip } from '../../net/ip.ts'
import type { Speakers } from '../announce/advertise.ts'
import { decideService } from '../decideService.ts'
import { commonPool } from '../keep.ts'
import { Trace } from '../trace.ts'
import { type Announcing, explainAnnouncing } from './explainAnnouncing.ts'
import { type Answer, answersOf } from './explainAnswer.ts'
import { type Holds, type Outcome, outcomeOf, type Unmet, unmet } from './explainOutcome.ts'

export type ServiceExplanation = {
  readonly service: Key
  readonly outcome: Outcome
  readonly asks: Asks
  /** What it holds now, and whether it may keep it (P2). */
  readonly holds?: Holds & { readonly keeps: Verdict; readonly answers: readonly Answer[] }
  readonly request: readonly Answer[]
  /** What it would get if it held nothing: pools and request answer for this. */
  readonly anew?: Holds | Unmet
  readonly pools: readonly PoolAnswers[]
  /** What the pool of its one address says to the other family that it asks for (M3.3 step 8). */
  readonly second?: PoolAnswers & { readonly request: readonly Answer[] }
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

/** What one pool answered. */
export type PoolAnswers = {
  readonly pool: string
  readonly answers: readonly Answer[]
  /** What it gives, or would give were it not for the objections. */
  readonly offers: readonly Ip[]
}

export function explainService(
  world: ReadonlyWorld,
  speakers: Speakers,
  key: Key,
): ServiceExplanation | undefined {
  const service = world.services.get(key)
  if (service === undefined) return undefined
  const trace = new Trace()
  const outcome = outcomeOf(world, service, decideService(world, key, trace))
  return {
    service: key,
    outcome,
    ...holdsOf(world, trace),
    asks: asksOf(world, service, trace),
    request: answersOf(trace.request),
    ...anewIn(world, trace),
    pools: trace.pools().map((pool) => answersIn(trace, pool)),
    ...secondOf(trace),
    announcing: explainAnnouncing(world, speakers, key),
  }
}

function answersIn(trace: Trace, pool: Pool): PoolAnswers {
  const { answers, offers } = trace.of(pool)
  return { pool: pool.name, answers: answersOf([...answers.values()]), offers }
}

/** Only the first pool is asked for it. */
function secondOf({ second }: Trace): Pick<ServiceExplanation, 'second'> {
  const [pool] = second?.pools() ?? []
  if (second === undefined || pool === undefined) return {}
  return { second: { ...answersIn(second, pool), request: answersOf(second.request) } }
}

function holdsOf(world: ReadonlyWorld, trace: Trace): Pick<ServiceExplanation, 'holds'> {
  if (trace.decided?.keeps === undefined) return {}
  const { held: ips, keeps } = trace.decided
  const lost = world.lost.poolOf(trace.decided.request.service)
  const pool = lost || (commonPool(world, ips)?.name ?? '')
  return { holds: { ips, pool, keeps, answers: answersOf(trace.keeping) } }
}

function anewIn(world: ReadonlyWorld, { decided }: Trace): Pick<ServiceExplanation, 'anew'> {
  if (decided === undefined) return {}
  const { anew, request } = decided
  return {
    anew: anew.ok
      ? { ips: anew.offer.ips, pool: anew.offer.pool.name }
      : unmet(world, request.service, anew.refusal),
  }
}

function asksOf(world: ReadonlyWorld, service: ServiceView, { decided, means }: Trace): Asks {
  const { tenant, families = service.clusterFamilies } = decided?.request ?? {}
  const { familyPolicy, asksPool, asksByAnnotation, asksByField, sharingKey, ports } = service
  const { name, quota } = tenant ?? {}
  return {
    families,
    familyPolicy,
    pool: asksPool,
    addresses: [asksByAnnotation, asksByField].filter((text) => text !== '').join(),
    means,
    sharingKey,
    ports,
    trafficPolicy: service.isLocal ? 'Local' : 'Cluster',
    ...(name !== undefined && {
      tenant: { name, used: world.use.used(name), ...(quota !== undefined && { quota }) },
    }),
  }
}
