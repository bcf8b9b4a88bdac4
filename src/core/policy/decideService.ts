// What should a Service hold, and what is written and reported? It keeps what it may, else it
// gets the first offer, else it waits with a reason. Pure: the caller enters the intent and writes.
import { pointing } from '../model/pointer.ts'
import { inCondition, type Refusal, type Verdict } from '../model/reason.ts'
import type { Key, ServiceView } from '../model/service.ts'
import type { Wait } from '../model/waiting.ts'
import type { Intent, ReadonlyWorld } from '../model/world.ts'
import type { Condition, StatusWrite } from '../model/write.ts'
import type { Ip } from '../net/ip.ts'
import { type AddressRequest, lacksClusterIps, requestOf } from './addressRequest.ts'
import { type Allocation, allocate, allocateSecond } from './allocate.ts'
import { askedInDoubt } from './askedInDoubt.ts'
import type { Decision, ServiceWrite } from './claims.ts'
import type { EventWrite, HolderDecider } from './decider.ts'
import { commonPool, mayKeep } from './keep.ts'
import { poolLost } from './poolsLost.ts'
import type { Offer } from './search.ts'
import type { Trace } from './trace.ts'

const poolAnnotation = 'metallb.io/ip-allocated-from-pool'
export const addressedType = 'berth.dev/Addressed'

export const services: HolderDecider = {
  name: 'services',
  kind: 'Service',
  reads: [],
  wakes: 'queue',
  isClaimed: 'holders',
  claim: (world, key) => decideService(world, key),
  decide(world, key) {
    const { intent, write, events } = decideService(world, key)
    const service = world.services.get(key)
    if (service === undefined) return { intent, writes: [] }
    return { intent, writes: write === undefined ? [] : [statusWrite(service, write)], events }
  },
}

/** One write: annotation, ingress and condition together. */
export const statusWrite = (service: ServiceView, write: ServiceWrite): StatusWrite => ({
  type: 'status',
  of: { kind: 'Service', namespace: service.namespace, name: service.name },
  ingress: write.ips,
  conditions: { [addressedType]: write.condition },
  annotations: { [poolAnnotation]: write.pool === '' ? undefined : write.pool },
})

const addressed: Condition = { status: 'True', reason: 'Addressed', message: '' }

const nothing = (service: Key): Decision => ({
  intent: { service, ips: [], wait: undefined },
  write: undefined,
  events: [],
})

/** Whoever traces it hears every rule that had a say; the decision is the same. */
export function decideService(world: ReadonlyWorld, key: Key, trace?: Trace): Decision {
  const service = world.services.get(key)
  if (service === undefined) return nothing(key)
  if (!world.isOurs(service)) return letGoForGood(world, service)
  const decision = decideOurs(world, service, trace)
  const { deprecatedAnnotation } = service
  if (decision.write === undefined || deprecatedAnnotation === '') return decision
  const message = `Service uses deprecated annotation ${deprecatedAnnotation}`
  const warning: EventWrite = { type: 'Warning', reason: 'deprecatedAnnotation', message }
  return { ...decision, events: [...decision.events, warning] }
}

function decideOurs(world: ReadonlyWorld, service: ServiceView, trace?: Trace): Decision {
  const { key } = service
  const request = requestOf(world, service)
  const { held, verdict } = keepable(world, request, trace)
  const isKept = verdict?.ok === true
  if (isKept && trace === undefined) return keep(world, request, { held, trace })
  const allocation = allocate(world.without(key), request, trace)
  if (trace !== undefined) trace.decided = { request, held, keeps: verdict, anew: allocation }
  if (isKept) return keep(world, request, { held, trace })
  const cleared = verdict === undefined ? [] : [clearing(key, verdict)]
  const isPicked = request.asked.length === 0
  return allocation.ok
    ? picked(isPicked, give(service, asGiven(allocation.offer), cleared))
    : wait(world, request, { ...allocation, cleared })
}

type Keepable = { readonly held: readonly Ip[]; readonly verdict: Verdict | undefined }

/** Where one of two addresses is recorded and the other only shown, the recorded one stays. */
function keepable(world: ReadonlyWorld, request: AddressRequest, trace?: Trace): Keepable {
  const shown = world.heldOrShown(request.service)
  if (shown.length === 0) return { held: shown, verdict: undefined }
  const verdict = mayKeep({ world, request, ips: shown }, trace?.onKeeping)
  const { ips: held = shown } = world.holdingOf(request.service.key) ?? {}
  if (verdict.ok || held === shown) return { held: shown, verdict }
  return { held, verdict: mayKeep({ world, request, ips: held }, trace?.onKeeping) }
}

/** Whatever made it ours is gone: type or class. What another gave is not touched (M12.2). */
function letGoForGood(world: ReadonlyWorld, service: ServiceView): Decision {
  // The annotation alone does not tell: MetalLB writes the same one on Services of its class.
  const isHeld = world.holdingOf(service.key) !== undefined
  if (!isHeld && service.addressed === undefined) return nothing(service.key)
  const ips = service.loadBalancerClass === '' || !service.isLoadBalancer ? [] : undefined
  return { ...nothing(service.key), write: { ips, pool: '', condition: undefined } }
}

type Keeping = { readonly held: readonly Ip[]; readonly trace: Trace | undefined }

function keep(world: ReadonlyWorld, request: AddressRequest, { held, trace }: Keeping): Decision {
  const { service } = request
  if (world.isInDoubt(service)) return keepInDoubt(world, request, held)
  const pool = commonPool(world, held)
  const flaw = request.isUnreadable ? request.flaw : undefined
  const [only] = held
  const given = { ips: held, pool: pool?.name ?? '' }
  if (flaw !== undefined) return keepUnread(service, given, flaw)
  if (pool === undefined || only === undefined || !lacksOne(request, held)) {
    return give(service, given, [])
  }
  const second = allocateSecond(world, request, { held: only, pool, trace: trace?.forSecond() })
  if (!second.ok) return keepOne(service, given, second)
  const [added] = second.offer.ips
  const said = {
    type: 'Normal',
    reason: 'IPAllocated',
    message: `Assigned additional IP "${added}"`,
  } as const
  return picked(
    true,
    give(service, { ips: [...held, ...second.offer.ips], pool: pool.name }, [said]),
  )
}

const asGiven = ({ ips, pool }: Offer): Given => ({ ips, pool: pool.name })

const picked = (isPicked: boolean, decision: Decision): Decision =>
  isPicked ? { ...decision, intent: { ...decision.intent, isPicked } } : decision

/** What it shows stays as it was written, by whoever could read what it was given from (P2). */
function keepInDoubt(world: ReadonlyWorld, request: AddressRequest, held: readonly Ip[]): Decision {
  const { service } = request
  const given = { ips: held, pool: world.cameFrom(service) }
  const asked = askedInDoubt(world, request, held)
  if (asked?.ok === true) return give(service, { ips: held, pool: asked.offer.pool.name }, [])
  if (asked !== undefined) {
    return request.flaw !== undefined && request.isUnreadable
      ? keepUnread(service, given, request.flaw)
      : keepUnmet(service, given, asked)
  }
  if (world.lost.poolOf(service) !== '') return keepLost(world, service, given)
  const isShown = held.join() === service.ingress.join()
  // A request that was refused and is gone, but not one that only a tenant can tell to be ignored.
  const isRefused = service.addressed?.status === 'False' && !request.isUnreadable
  if (!isShown || isRefused) return give(service, given, [])
  return { ...nothing(service.key), intent: { service: service.key, ips: held, wait: undefined } }
}

/** One that was seen to be deleted is noted as that first, and then released (R3.14). */
function keepLost(world: ReadonlyWorld, service: ServiceView, given: Given): Decision {
  const kept: Intent = { service: service.key, ips: given.ips, wait: undefined }
  if (world.lost.wasSeen(given.pool)) return { ...nothing(service.key), intent: kept }
  const refusal = poolLost(given.pool, given.ips)
  const condition = refused(service, refusal)
  const { reason, message } = condition
  return {
    intent: kept,
    write: needed(service, { ...given, condition }),
    events: sameCondition(service, condition) ? [] : [{ type: 'Warning', reason, message }],
    lacks: refusal,
  }
}

type Given = { readonly ips: readonly Ip[]; readonly pool: string }
type Waits = Extract<Allocation, { ok: false }>

/** It asks for something else, which it cannot have: said, and no reason to take what it has. */
function keepUnmet(service: ServiceView, given: Given, { refusal, wait: line }: Waits): Decision {
  const condition = refused(service, refusal)
  return {
    intent: waiting(service, given.ips, line),
    write: needed(service, { ...given, condition }),
    events: sameCondition(service, condition) ? [] : [allocationFailed(service, refusal)],
    lacks: refusal,
  }
}

/** What it lacks stands in the condition, so that it is said once, over restarts too. */
function keepOne(service: ServiceView, given: Given, { refusal, wait: line }: Waits): Decision {
  const why = `${refusal.reason}: ${refusal.message}`
  const condition: Condition = { ...addressed, message: `no second family: ${why}` }
  const message = `cannot assign additional IP in PreferDualStack: ${why}`
  const failed: EventWrite = { type: 'Normal', reason: 'AdditionalAssignFailed', message }
  return {
    intent: waiting(service, given.ips, line),
    write: needed(service, { ...given, condition }),
    events: [
      ...(service.ingress.length === 0 ? [assigned(given.ips)] : []),
      ...(sameCondition(service, condition) ? [] : [failed]),
    ],
    lacks: refusal,
  }
}

const lacksOne = (request: AddressRequest, held: readonly Ip[]): boolean =>
  request.takesEither && held.length === 1 && !request.isAmbiguous && request.asked.length === 0

const waiting = (service: ServiceView, ips: readonly Ip[], wait: Wait): Intent => ({
  service: service.key,
  ips,
  wait,
})

/** A request that cannot be read leaves the holder alone, and says so (M3.3 step 7). */
function keepUnread(service: ServiceView, given: Given, flaw: Refusal): Decision {
  const condition = refused(service, flaw)
  const isNew = !sameCondition(service, condition)
  const why = `invalid requested loadbalancer IPs: ${flaw.reason}: ${flaw.message}`
  const message = pointing(why, 'service', service.key)
  return {
    intent: { service: service.key, ips: given.ips, wait: undefined },
    write: needed(service, { ...given, condition }),
    events: isNew ? [{ type: 'Warning', reason: 'LoadBalancerFailed', message }] : [],
    lacks: flaw,
  }
}

function give(service: ServiceView, given: Given, said: readonly EventWrite[]): Decision {
  const { ips } = given
  const condition = addressed
  const isNew = said.length === 0 && service.ingress.length === 0
  const allocated = isNew || said.some(({ reason }) => reason === 'ClearAssignment')
  return {
    intent: { service: service.key, ips, wait: undefined },
    write: needed(service, { ...given, condition }),
    events: allocated ? [...said, assigned(ips)] : said,
  }
}

/** Joined: thousands of Events may wait, and a template would keep the pieces of each. */
const assigned = (ips: readonly Ip[]): EventWrite => ({
  type: 'Normal',
  reason: 'IPAllocated',
  message: ['Assigned IP ["', ips.join('" "'), '"]'].join(''),
})

function wait(
  world: ReadonlyWorld,
  request: AddressRequest,
  { refusal, wait: line, cleared }: Waits & { readonly cleared: readonly EventWrite[] },
): Decision {
  const { service } = request
  const condition = refused(service, refusal)
  const before = world.waiting.requestKeyOf(service.key)
  const ips = world.showsOurs(service) ? [] : undefined
  const short = lacksClusterIps(request) ? [tooFewClusterIps(request)] : []
  const said = ips === undefined ? [] : cleared
  const isNew =
    said.length > 0 ||
    !sameCondition(service, condition) ||
    (before !== undefined && before !== line.requestKey)
  return {
    intent: waiting(service, [], line),
    write: needed(service, { ips, pool: '', condition }),
    events: isNew ? [...said, ...short, allocationFailed(service, refusal)] : [],
    lacks: refusal,
  }
}

const allocationFailed = ({ key }: ServiceView, { reason, message }: Refusal): EventWrite => ({
  type: 'Warning',
  reason: 'AllocationFailed',
  message: pointing(`Failed to allocate IP for "${key}": ${reason}: ${message}`, 'service', key),
})

const clearing = (key: Key, refusal: Refusal): EventWrite => ({
  type: 'Normal',
  reason: 'ClearAssignment',
  message:
    `current IP for "${key}" not allowed by config, will attempt for new IP assignment: ` +
    `${refusal.reason}: ${refusal.message}`,
})

const tooFewClusterIps = ({ families }: AddressRequest): EventWrite => ({
  type: 'Warning',
  reason: 'not enough clusterips',
  message: `Service requires dual stack but not enough clusterips [${families.join(' ')}]`,
})

const refused = ({ key }: ServiceView, { reason, message }: Refusal): Condition => ({
  status: 'False',
  reason: inCondition(reason),
  message: pointing(message, 'service', key),
})

const sameCondition = ({ addressed }: ServiceView, condition: Condition): boolean =>
  addressed?.status === condition.status &&
  addressed.reason === condition.reason &&
  addressed.message === condition.message

/** Nothing is written that already stands there; other fields of the entries are left alone. */
function needed(service: ServiceView, write: ServiceWrite): ServiceWrite | undefined {
  const { ips, pool, condition } = write
  const sameIps =
    ips === undefined ||
    (ips.length === service.ingress.length &&
      ips.every((ip, index) => ip === service.ingress[index]) &&
      !service.hasOtherIngress)
  const isThere = condition !== undefined && sameCondition(service, condition)
  return sameIps && isThere && pool === service.recordedPool ? undefined : write
}
