// May a Service have the specific addresses it asks for? The checks in the order of R7.

import type { Pool } from '../model/pool.ts'
import { no, type Reason, type Refusal, type Verdict, yes } from '../model/reason.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Ip } from '../net/ip.ts'
import { admits, type Candidate } from './admits.ts'
import { namedRule } from './choosePools.ts'
import { fitsQuota, overQuota } from './quota.ts'
import { ask, rule } from './rule.ts'
import type { Offer, Search } from './search.ts'
import { type Spot, spotOf, spotRules } from './spot.ts'

type Requested = { readonly ok: true; readonly offer: Offer } | Refusal

export function offerRequested(search: Search, addresses: readonly Ip[]): Requested {
  const { world, request, claim, trace } = search
  const homes = addresses.map((ip) => homeOf(world, ip))
  const pools = [...new Set(homes.flatMap(({ pool }) => pool ?? []))]
  const spots = addresses.map((ip) => spotOf(world, claim, ip))
  const place = (pool: Pool): RequestedPool => {
    const inside = addresses.filter((_, index) => homes[index]?.pool === pool)
    return { world, service: request.service, pool, addresses: inside, search, homes, spots }
  }
  const fenced = pools.map((pool) => admits(place(pool), trace?.on(pool)))
  const apart = ask([lieTogether], { addresses, homes, pools }, trace?.onRequest)
  hearEach(search, place)
  trace?.consider(pools)
  const [pool] = pools
  const objection = firstObjection([...homes.map(({ answer }) => answer), ...fenced]) ?? apart
  if (objection !== undefined) return objection
  if (pool === undefined) return no('address-not-in-pool', 'no address is asked for')
  const offer = { pool, ips: addresses }
  return ask(placeRules, place(pool), trace?.on(pool)) ?? { ok: true, offer }
}

type Home = {
  readonly ip: Ip
  readonly pool: Pool | undefined
  /** In its ranges, but avoidBuggyIPs leaves it out. */
  readonly avoidedBy: Pool | undefined
  readonly answer: Verdict
}

/** Where does an address lie? */
function homeOf(world: ReadonlyWorld, ip: Ip): Home {
  const pool = world.poolOf(ip)
  const avoidedBy = pool === undefined ? world.ledger.avoidedBy(ip) : undefined
  if (pool !== undefined) return { ip, pool, avoidedBy, answer: yes }
  const answer =
    avoidedBy === undefined
      ? no('address-not-in-pool', `no pool contains ${ip}`)
      : no('address-avoided', `pool ${avoidedBy.name} leaves ${ip} out (avoidBuggyIPs)`)
  return { ip, pool, avoidedBy, answer }
}

/** Both addresses of a pair must lie in one pool (M3.4). */
const lieTogether = rule(
  'address',
  ({ addresses, homes, pools }: Pair) =>
    firstObjection(homes.map(({ answer }) => answer)) ??
    (pools.length === 1
      ? yes
      : no('address-not-in-pool', `no pool contains ${addresses.join(' and ')} together`)),
  { says: ({ addresses, pools }) => `${addresses.join(' and ')}: pool ${pools[0]?.name}` },
)

type Pair = {
  readonly addresses: readonly Ip[]
  readonly homes: readonly Home[]
  readonly pools: readonly Pool[]
}
type RequestedPool = Candidate & {
  /** Those that lie in the pool. */
  readonly addresses: readonly Ip[]
  readonly search: Search
  readonly homes: readonly Home[]
  readonly spots: readonly Spot[]
}

const isTheOneNamed = namedRule(({ service, pool, addresses }: RequestedPool) =>
  no(
    'request-contradicts',
    `${addresses.join(', ')} lies in pool ${pool.name}, which is not ${service.asksPool}`,
  ),
)

const areToBeHad = spotRules.map(({ name, evaluate, says }) =>
  rule(name, ({ spots }: RequestedPool) => firstObjection(spots.map(evaluate)) ?? yes, {
    says: ({ spots }) =>
      spots
        .map(says)
        .filter((text) => text !== '')
        .join(', '),
  }),
)

const fitIntoQuota = rule(
  'quota',
  ({ search, addresses }: RequestedPool) =>
    fitsQuota(search, addresses) ? yes : overQuota(search),
  {
    concerns: ({ search }) => search.request.tenant?.quota !== undefined,
    says: () => 'there is room in it',
  },
)

const placeRules = [isTheOneNamed, ...areToBeHad, fitIntoQuota] as const

const containsAll = rule(
  'address',
  ({ homes, pool }: RequestedPool) => {
    const outside = homes.filter((home) => home.pool !== pool)
    const avoided = outside.find(({ avoidedBy }) => avoidedBy === pool)
    if (avoided) return no('address-avoided', `it leaves ${avoided.ip} out (avoidBuggyIPs)`)
    const ips = outside.map(({ ip }) => ip).join(' and ')
    return ips === '' ? yes : no('address-not-in-pool', `it does not contain ${ips}`)
  },
  { says: ({ addresses }) => `it contains ${addresses.join(' and ')}` },
)

function hearEach({ world, trace }: Search, place: (pool: Pool) => RequestedPool): void {
  trace?.onEach(world, (pool, listener) => {
    if (ask([containsAll], place(pool), listener) !== undefined) return
    ask(placeRules, place(pool), listener)
    trace.offer(pool, place(pool).addresses)
  })
}

const order: readonly Reason[] = [
  'address-not-in-pool',
  'address-avoided',
  'pool-of-another-tenant',
  'pool-not-allowed',
  'address-reserved',
  'address-in-use-elsewhere',
  'address-taken',
  'sharing-across-tenants',
  'sharing-key-differs',
  'sharing-policy-differs',
  'sharing-port-taken',
]

/** Of a pair the one that R7 names first, whichever of the two addresses it concerns. */
function firstObjection(verdicts: readonly Verdict[]): Refusal | undefined {
  let first: Refusal | undefined
  for (const verdict of verdicts) {
    if (verdict.ok) continue
    const isFirst = !first || order.indexOf(verdict.reason) < order.indexOf(first.reason)
    if (isFirst) first = verdict
  }
  return first
}
