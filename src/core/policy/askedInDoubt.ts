// Does a Service whose pool or tenant cannot be read ask for something that it lacks? What others
// did takes nothing from it (P2), what its own user asks for still counts (P8). Where nobody can
// tell whether a request is older than the doubt, it is.
import { answersTo } from '../model/poolSense.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Ip } from '../net/ip.ts'
import type { AddressRequest } from './addressRequest.ts'
import { admits } from './admits.ts'
import { type Allocation, allocate } from './allocate.ts'
import { translate } from './translate.ts'

/** What comes of that request; undefined without one. */
export function askedInDoubt(
  world: ReadonlyWorld,
  request: AddressRequest,
  held: readonly Ip[],
): Allocation | undefined {
  const isNew = asksOtherPool(world, request) || asksOtherAddress(world, request, held)
  return isNew ? allocate(world.without(request.service.key), request) : undefined
}

export const areSame = (one: readonly Ip[], other: readonly Ip[]): boolean =>
  one.length === other.length && one.every((ip) => other.includes(ip))

function asksOtherPool(world: ReadonlyWorld, { service, name }: AddressRequest): boolean {
  if (name === '') return false
  const from = world.cameFrom(service)
  const home = world.pools.get(from)
  if (home !== undefined) return !answersTo(home, name)
  if (world.inert.serves(from, name)) return false
  // What it came from may have answered to the name too (R1.2), unless that is one pool's own.
  const [pool, ...others] = world.poolIndex.answering(name)
  const isOwn = pool?.name === name && others.length === 0
  return isOwn && admits({ world, service, pool }).ok
}

function asksOtherAddress(
  world: ReadonlyWorld,
  request: AddressRequest,
  held: readonly Ip[],
): boolean {
  if (isTenantUnclear(world, request)) return false
  if (request.isUnreadable) return true
  if (request.asked.length === 0 || areSame(request.asked, held)) return false
  const meant = translate(world, request)
  return !meant.ok || !areSame(meant.addresses, held)
}

/** A tenant may translate what is asked for, or ignore it (R4.11, R4.12). */
function isTenantUnclear(world: ReadonlyWorld, request: AddressRequest): boolean {
  const { service, tenant, isAmbiguous } = request
  // What is lost rather than inert may have had a tenant that is lost too.
  const mayHaveOne = world.inert.hasAny('Tenant') || !world.inert.isInDoubt(service)
  return isAmbiguous || (tenant === undefined && mayHaveOne)
}
