// May a pod have the route to an address (R16.5)? Whoever writes a pod's label or annotation
// chooses it: a route to what somebody else has would take that traffic away.
import type { FrrConfiguration, PodView } from '../../model/podRoutes/podRoutes.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { contains } from '../../net/intervals.ts'
import { familyOf, type Ip, toBigInt } from '../../net/ip.ts'
import { rangeOf } from '../../net/range.ts'
import { hostText } from '../ipam/nodeProblems.ts'
import {
  isApart,
  isInOwnRange,
  isOn,
  isToldFor,
  tenantOf,
  wiresOf,
  wiresOfTenant,
} from '../ipam/sharedWires.ts'
import { ageOf, type Surroundings } from './surroundings.ts'

type Asked = {
  readonly pod: PodView
  readonly ip: Ip
  /** The route that it has. */
  readonly mine: FrrConfiguration | undefined
  readonly around: Surroundings
}
type Wanted = Pick<Asked, 'pod' | 'ip'>
/** Answers who or what stands in the way: of several the first by name. */
type Rule = (world: ReadonlyWorld, asked: Asked) => string | undefined

const isUnicast: Rule = (_, { ip }) => (isUsable(ip) ? undefined : 'it is not a unicast address')

/** Neither unspecified, of the machine itself, of a link, nor of a group. */
function isUsable(ip: Ip): boolean {
  const value = toBigInt(ip)
  if (familyOf(ip) === 'IPv4') {
    const [first, second] = [value >> 24n, value >> 16n]
    return first > 0n && first !== 127n && first < 224n && second !== 0xa9_fen
  }
  return value > 1n && value >> 118n !== 0x3fan && value >> 120n !== 0xffn
}

const isInItsTenant: Rule = (_, { ip, around: { space } }) => {
  if ('why' in space) return space.why
  const isIn = space.ranges.some((range) => contains(range, ip))
  if (space.tenant === '') return isIn ? 'it is in a network of a tenant' : undefined
  return isIn ? undefined : `it is in no network of tenant ${space.tenant}`
}

const isNoServices: Rule = (world, { ip }) => {
  const [service] = world.holdersOf(ip)
  if (service !== undefined) return `Service ${service} has it`
  const pool = world.poolOf(ip)
  return pool === undefined ? undefined : `it is in IPAddressPool ${pool.name}, for Services`
}

const isNotKept: Rule = (world, { ip }) => {
  const reservation = world.ledger.slot(ip)?.reservation
  return reservation === undefined ? undefined : `Address ${reservation.name} keeps it`
}

/** In one subnet with another tenant, its ranges are its own (R12.4). */
const isNotAnothers: Rule = (world, { pod: { namespace }, ip }) => {
  const tenant = tenantOf(world, namespace)
  if (tenant === '' || isInOwnRange(world, namespace, ip)) return undefined
  const isTheirs = wiresOf(world, namespace, ip).some((wire) =>
    world.nodes.links.isOutside(wire, tenant, ip),
  )
  return isTheirs ? 'it is in a range of another tenant' : undefined
}

/** Reservations are those of hosts, who are asked by themselves. */
const isNotElsewhere: Rule = (world, { pod, ip }) => {
  const objects = [...(world.ledger.slot(ip)?.elsewhere ?? [])].sort()
  const object = objects.find((one) => countsFor(world, { pod, ip }, one))
  if (object === undefined) return undefined
  if (isNodes(object)) return `${object.replace(/^NodeInterfaces/, 'Node')} has it`
  const whose = isOwnGateway(world, pod.namespace, object) ? object : 'another tenant'
  return `it is a gateway of ${whose}`
}

const isNodes = (object: string): boolean => /^Node(Interfaces)?\//.test(object)

/** What another tenant says of its own networks holds up only pods that share a wire with it. */
function countsFor(world: ReadonlyWorld, { pod, ip }: Wanted, object: string): boolean {
  if (isNodes(object)) return true
  const [kind, first = ''] = object.split('/')
  if (kind === 'Reservation') return false
  if (isOwnGateway(world, pod.namespace, object)) return true
  return kind === 'Tenant'
    ? isOneOf(wiresOf(world, pod.namespace, ip), wiresOfTenant(world, first, ip))
    : isBeside(world, { pod, ip }, first)
}

function isOwnGateway(world: ReadonlyWorld, namespace: string, object: string): boolean {
  const [kind, first = ''] = object.split('/')
  if (kind === 'NetConfig') return !isApart(world, namespace, first)
  const tenant = tenantOf(world, namespace)
  return kind !== 'Tenant' || tenant === '' || tenant === first
}

/** Whether what is said in the namespace is about the subnet that the address is in for the pod. */
const isBeside = (world: ReadonlyWorld, { pod: { namespace }, ip }: Wanted, other: string) =>
  !isApart(world, namespace, other) ||
  (isOneOf(wiresOf(world, namespace, ip), wiresOf(world, other, ip)) &&
    !isInOwnRange(world, namespace, ip))

const isOneOf = (mine: readonly string[], theirs: readonly string[]): boolean =>
  mine.some((wire) => theirs.includes(wire))

const isNoRouters: Rule = (_, { ip, around }) => {
  const object = around.routers.get(ip)
  return object === undefined ? undefined : `${object} names it as a router`
}

const isNoHosts: Rule = (world, { pod, ip }) => {
  const { held } = world.nodes
  let first: string | undefined
  for (const wire of held.wires()) {
    for (const { key } of held.each(wire, ip)) {
      const [namespace = ''] = key.split('/')
      if (key === pod.key || (first !== undefined && first < key)) continue
      const isOnItsWire = isOn(world, { namespace: pod.namespace, wire, ip })
      if (isOnItsWire || isBeside(world, { pod, ip }, namespace)) first = key
    }
  }
  return first === undefined ? undefined : `${hostText(world, pod.key, first)} has it`
}

/** As whereabouts records it; in its own namespace that is for the operator to say. */
const isNoOtherPods: Rule = (world, { pod, ip }) => {
  const all = [...world.all('IPPool').values()].flatMap((ipPool) => {
    const { range, pods } = ipPool
    const other = pods[ip] ?? ''
    const [namespace = ''] = other.split('/')
    if (namespace === '' || range === undefined || !contains(rangeOf(range), ip)) return []
    if (!isToldFor(world, pod.namespace, ipPool)) return []
    return namespace !== pod.namespace && isBeside(world, { pod, ip }, namespace) ? [other] : []
  })
  const [first] = all.sort()
  if (first === undefined) return undefined
  const [namespace = ''] = first.split('/')
  const isApartFrom = isApart(world, pod.namespace, namespace)
  return isApartFrom ? 'a pod of another tenant has it' : `Pod ${first} has it`
}

/** In its own namespace that is for the operator to say. */
const isNoOtherNamespaces: Rule = (_, { ip, mine, around }) => {
  const other = around.others.get(ip)
  if (other === undefined) return undefined
  const isFirst = mine?.announced.includes(ip) === true && ageOf(mine) < ageOf(other)
  const [namespace] = other.routeOf?.configuration.split('/') ?? []
  return isFirst ? undefined : `a pod of namespace ${namespace} has it`
}

const rules: readonly Rule[] = [
  isUnicast,
  isInItsTenant,
  isNoServices,
  isNotKept,
  isNotElsewhere,
  isNotAnothers,
  isNoRouters,
  isNoHosts,
  isNoOtherPods,
  isNoOtherNamespaces,
]

export function whyNotRouted(world: ReadonlyWorld, asked: Asked): string | undefined {
  for (const rule of rules) {
    const why = rule(world, asked)
    if (why !== undefined) return why
  }
  return undefined
}
