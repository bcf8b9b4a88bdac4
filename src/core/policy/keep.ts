// May a Service keep the addresses that it holds? A valid one wins over any better pool (M3.3, P2).
import { hasSameTerms } from '../model/address.ts'
import type { Pool } from '../model/pool.ts'
import { answersTo } from '../model/poolSense.ts'
import { no, type Refusal, type Verdict, yes } from '../model/reason.ts'
import type { Claim, ReadonlySlot } from '../model/slot.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import { familyOf, type Ip } from '../net/ip.ts'
import { type AddressRequest, lacksClusterIps } from './addressRequest.ts'
import { admits } from './admits.ts'
import { areSame, askedInDoubt } from './askedInDoubt.ts'
import { isConfirmed, isOlder, outranks } from './precedence.ts'
import { offerRequested } from './requested.ts'
import { ask, type Listener, rule } from './rule.ts'
import { mayShare } from './share.ts'
import { translate } from './translate.ts'

type Held = {
  readonly world: ReadonlyWorld
  readonly request: AddressRequest
  readonly ips: readonly Ip[]
}
type Keeping = Held & {
  readonly pool: Pool | undefined
  /** What it was allowed by cannot be read: only other holders and its request are in its way. */
  readonly isInDoubt: boolean
  /** What its status shows and we have not given (R3.15). */
  readonly unrecorded: readonly Ip[]
}

export function mayKeep(held: Held, listener?: Listener): Verdict {
  const { world, request, ips } = held
  const isInDoubt = world.isInDoubt(request.service)
  const pool = isInDoubt ? undefined : commonPool(world, ips)
  const isDecided = world.pendingOf(request.service.key) !== undefined
  const unrecorded = isDecided ? [] : ips.filter((ip) => !world.isGiven(ip, request.service))
  return ask(keepRules, { ...held, pool, isInDoubt, unrecorded }, listener) ?? yes
}

const fits = rule('families', ({ request, ips }: Keeping) => familiesFit(request, ips))

const hasPool = rule(
  'pool',
  ({ world, pool, ips }: Keeping) =>
    pool === undefined ? no('address-not-in-pool', notInOnePool(world, ips)) : yes,
  { concerns: ({ isInDoubt }) => !isInDoubt, says: ({ pool }) => `it is of pool ${pool?.name}` },
)

/** An unclear owner takes nothing away (R4.2, R4.3). */
const isAdmitted = rule('admission', ({ world, request, pool }: Keeping): Verdict => {
  const isUnclear = request.isAmbiguous || (pool?.tenant && !world.all('Tenant').has(pool.tenant))
  return pool === undefined || isUnclear ? yes : admits({ world, service: request.service, pool })
})

const mayShareOn = rule('sharing', ({ world, request, pool, ips }: Keeping) => {
  const { service } = request
  const isLost = world.lost.poolOf(service) !== ''
  return mayStay(world, { claim: world.claimOf(service), pool, isLost }, ips)
})

const isNamed = rule(
  'name',
  ({ request, pool }: Keeping) =>
    pool === undefined || answersTo(pool, request.name)
      ? yes
      : no('request-contradicts', `pool ${pool.name} does not answer to ${request.name}`),
  { concerns: ({ request }) => request.name !== '' },
)

const isAsked = rule(
  'asked',
  (keeping: Keeping) => (isAskInDoubt(keeping) ? asAskedInDoubt(keeping) : asAsked(keeping)),
  { concerns: ({ request, isInDoubt }) => isInDoubt || request.asked.length > 0 },
)

/** Whoever wrote the status gets no more by it than by asking. */
const wouldBeGiven = rule(
  'record',
  ({ world, request, unrecorded }: Keeping) => {
    const ips = unrecorded.join(' and ')
    const unread = request.isAmbiguous ? ambiguous(request) : request.flaw
    const search = { world, request, claim: world.claimOf(request.service), trace: undefined }
    const asked = unread ?? offerRequested(search, unrecorded)
    return asked.ok ? yes : no(asked.reason, `no Address records ${ips}: ${asked.message}`)
  },
  {
    concerns: ({ unrecorded }) => unrecorded.length > 0,
    says: ({ unrecorded }) => `no Address records ${unrecorded.join(' and ')}, but it may have it`,
  },
)

const ambiguous = ({ service: { namespace } }: AddressRequest): Refusal =>
  no('tenant-ambiguous', `several tenants select namespace ${namespace}`)

const keepRules = [fits, hasPool, isAdmitted, mayShareOn, isNamed, isAsked, wouldBeGiven] as const

/** What was asked for may have been translated by a tenant that is lost (R3.14). */
const isAskInDoubt = ({ world, pool, isInDoubt }: Keeping): boolean =>
  isInDoubt || world.lost.isTenantLost(pool?.tenant ?? '')

function asAskedInDoubt({ world, request, ips }: Held): Verdict {
  const asked = askedInDoubt(world, request, ips)
  if (asked?.ok !== true || areSame(asked.offer.ips, ips)) return yes
  const { offer } = asked
  return no(
    'request-contradicts',
    `${offer.ips.join(', ')} of pool ${offer.pool.name} is asked for`,
  )
}

export function commonPool(world: ReadonlyWorld, ips: readonly Ip[]): Pool | undefined {
  const [first, ...rest] = ips.map((ip) => world.poolOf(ip))
  return rest.every((pool) => pool === first) ? first : undefined
}

function notInOnePool(world: ReadonlyWorld, ips: readonly Ip[]): string {
  const lost = ips.filter((ip) => world.poolOf(ip) === undefined)
  if (lost.length === 0) return `${ips.join(' and ')} are in different pools`
  return `no pool contains ${lost.join(' and ')}`
}

function familiesFit(request: AddressRequest, ips: readonly Ip[]): Verdict {
  const held = ips.map(familyOf)
  const isPair = ips.length === 2 && held[0] !== held[1]
  if (ips.length !== 1 && !isPair) {
    return no('request-family-mismatch', `${ips.join(', ')} is not one address of each family`)
  }
  const fits = held.every((family) => request.families.includes(family))
  const isWhole = held.length === request.families.length || request.takesEither
  if (fits && isWhole && !lacksClusterIps(request)) return yes
  return no(
    'request-family-mismatch',
    `${ips.join(', ')}: the Service is ${request.families.join(' and ')}`,
  )
}

function asAsked({ world, request, ips }: Held): Verdict {
  if (request.isUnreadable) return yes
  const meant = request.flaw ?? translate(world, request)
  if (!meant.ok) return meant
  const isSame = areSame(meant.addresses, ips)
  return isSame ? yes : no('request-contradicts', `${meant.addresses.join(', ')} is asked for`)
}

type Stay = {
  readonly claim: Claim
  readonly pool: Pool | undefined
  /** Tenants may be lost with the pool, and come back one by one (R3.14). */
  readonly isLost: boolean
}

function mayStay(world: ReadonlyWorld, stay: Stay, ips: readonly Ip[]): Verdict {
  for (const ip of ips) {
    const verdict = mayStayOn(world, stay, ip)
    if (!verdict.ok) return verdict
  }
  return yes
}

/** Beside the other holders, as they are recorded; of those in doubt the older one stays (R3.9). */
function mayStayOn(world: ReadonlyWorld, { claim, pool, isLost }: Stay, ip: Ip): Verdict {
  const slot = world.ledger.slot(ip)
  const recorded = slot?.holders.get(claim.key)
  if (slot === undefined || recorded === undefined) return yes
  // One group on ports of their own: then nobody is in anybody's way, confirmed or not.
  const isSame = hasSameTerms(recorded, claim) && recorded.tenant === claim.tenant
  if (!slot.isMixed && isSame) return yes
  const holders = slot.holders.values()
  const [mine, theirs] = [tenantNow(world, claim), stayingTenant(world, pool, slot)]
  if (holders.length > 1 && !isLost && areApart(mine, theirs)) {
    const message = `${ip} stays with the Services of ${theirs === '' ? 'no tenant' : theirs}`
    return no('sharing-across-tenants', message)
  }
  for (const other of holders) {
    if (other.key === claim.key || !outranks(world, { ip, me: claim, other })) continue
    if (areApart(mine, tenantNow(world, other))) continue
    const verdict = mayShare(ip, claim, { ...other, tenant: claim.tenant })
    if (!verdict.ok) return verdict
  }
  return yes
}

/** Whose Services keep a shared address when they are no longer of one tenant (R4.8). */
function stayingTenant(
  world: ReadonlyWorld,
  pool: Pool | undefined,
  { ip, holders }: ReadonlySlot,
): string | undefined {
  const confirmed = holders.values().filter((claim) => isConfirmed(world, ip, claim))
  let oldest: { readonly claim: Claim; readonly tenant: string } | undefined
  // Beside a recorded holder, one that only shows the address has no say.
  for (const claim of confirmed.length > 0 ? confirmed : holders.values()) {
    const tenant = tenantNow(world, claim)
    if (tenant === undefined) continue
    if (tenant === pool?.tenant) return tenant
    if (oldest === undefined || isOlder(claim, oldest.claim)) oldest = { claim, tenant }
  }
  return oldest?.tenant
}

/** Where it is unclear whose one of them is, that takes nothing away (R4.2). */
const areApart = (mine: string | undefined, theirs: string | undefined): boolean =>
  mine !== undefined && theirs !== undefined && mine !== theirs

/** undefined: two tenants' selectors match, so it plays no part here. */
function tenantNow(world: ReadonlyWorld, { key }: Claim): string | undefined {
  const service = world.services.get(key)
  const belonging = service === undefined ? undefined : world.tenantOf(service)
  if (belonging === undefined || belonging.kind === 'ambiguous') return undefined
  return belonging.kind === 'tenant' ? belonging.name : ''
}
