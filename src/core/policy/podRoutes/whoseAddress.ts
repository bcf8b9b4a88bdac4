// May a pod have the route to an address (R16.5)? Whoever writes a pod's label or annotation
// chooses it: a route to what somebody else has would take that traffic away.
import type { FrrConfiguration, PodView } from '../../model/podRoutes/podRoutes.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { contains } from '../../net/intervals.ts'
import { familyOf, type Ip, toBigInt } from '../../net/ip.ts'
import { type Range, rangeOf } from '../../net/range.ts'
import { isApart } from '../ipam/nodeElsewhere.ts'

type Asked = {
  readonly pod: PodView
  readonly ip: Ip
  /** The route that it has. */
  readonly mine: FrrConfiguration | undefined
  readonly others: ReadonlyMap<Ip, FrrConfiguration>
  /** Of all tenants, read once for all pods. */
  readonly spaces: readonly TenantSpace[]
}
type TenantSpace = { readonly name: string; readonly ranges: readonly Range[] }
/** Answers who or what stands in the way. */
type Rule = (world: ReadonlyWorld, asked: Asked) => string | undefined

const isOneMachines: Rule = (_, { ip }) =>
  isUsable(ip) ? undefined : 'it is not a unicast address'

/** Neither unspecified, of the machine itself, of a link, nor of a group. */
function isUsable(ip: Ip): boolean {
  const value = toBigInt(ip)
  if (familyOf(ip) === 'IPv4') {
    const [first, second] = [value >> 24n, value >> 16n]
    return first > 0n && first !== 127n && first < 224n && second !== 0xa9_fen
  }
  return value > 1n && value >> 118n !== 0x3fan && value >> 120n !== 0xffn
}

const isInItsTenant: Rule = (world, { pod: { namespace }, ip, spaces }) => {
  const belonging = world.tenantOfNamespace(namespace)
  if (belonging.kind === 'ambiguous') return `namespace ${namespace} is claimed by two tenants`
  const mine = belonging.kind === 'tenant' ? belonging.name : ''
  const has = spaces.filter(({ ranges }) => ranges.some((range) => contains(range, ip)))
  if (mine !== '') {
    const isMine = has.some(({ name }) => name === mine)
    return isMine ? undefined : `it is in no network of tenant ${mine}`
  }
  return has.length === 0 ? undefined : 'it is in a network of a tenant'
}

const isNoServices: Rule = (world, { ip }) => {
  const [service] = world.holdersOf(ip)
  if (service !== undefined) return `Service ${service} has it`
  const pool = world.poolOf(ip)
  return pool === undefined ? undefined : `it is in IPAddressPool ${pool.name}, for Services`
}

const isNoNodes: Rule = (world, { ip }) => {
  const objects = [...(world.ledger.slot(ip)?.elsewhere ?? [])].sort()
  const node = objects.find((one) => /^Node/.test(one))
  return node === undefined ? undefined : `${node.replace(/^NodeInterfaces/, 'Node')} has it`
}

const isNoHosts: Rule = (world, { pod, ip }) => {
  const { held } = world.nodes
  for (const wire of held.wires()) {
    const other = held.at(wire, ip).find(({ key }) => {
      const [namespace = ''] = key.split('/')
      return key !== pod.key && !isApart(world, pod.namespace, namespace)
    })
    if (other !== undefined) return `IPSet ${other.key} has it`
  }
  return undefined
}

/** In its own namespace that is for the operator to say. */
const isNoOtherNamespaces: Rule = (_, { ip, mine, others }) => {
  const other = others.get(ip)
  if (other === undefined) return undefined
  const isFirst = mine?.announced.includes(ip) === true && ageOf(mine) < ageOf(other)
  const [namespace] = other.routeOf?.configuration.split('/') ?? []
  return isFirst ? undefined : `a pod of namespace ${namespace} has it`
}

const ageOf = ({ createdAt, key }: FrrConfiguration): string => `${createdAt} ${key}`

export const tenantSpaces = (world: ReadonlyWorld): readonly TenantSpace[] =>
  [...world.all('Tenant').values()].map(({ name, networks }) => ({
    name,
    ranges: networks.flatMap(({ cidrs }) => cidrs.map(rangeOf)),
  }))

/** By address: the oldest route of another namespace. */
export function routesElsewhere(
  world: ReadonlyWorld,
  namespace: string,
): ReadonlyMap<Ip, FrrConfiguration> {
  const found = new Map<Ip, FrrConfiguration>()
  for (const route of world.all('FRRConfiguration').values()) {
    const { routeOf, announced } = route
    if (routeOf === undefined || routeOf.configuration.startsWith(`${namespace}/`)) continue
    for (const ip of announced) {
      const known = found.get(ip)
      if (known === undefined || ageOf(route) < ageOf(known)) found.set(ip, route)
    }
  }
  return found
}

const rules: readonly Rule[] = [
  isOneMachines,
  isInItsTenant,
  isNoServices,
  isNoNodes,
  isNoHosts,
  isNoOtherNamespaces,
]

export function whyNotRouted(world: ReadonlyWorld, asked: Asked): string | undefined {
  for (const rule of rules) {
    const why = rule(world, asked)
    if (why !== undefined) return why
  }
  return undefined
}
