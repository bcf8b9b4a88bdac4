// May a NetConfig be as it is written (O1.4)? What upstream's webhook refuses is refused, and
// beyond that only what could never be used.
import type { FieldError } from '../../model/admission.ts'
import { forbidden, invalid } from '../../model/fieldError.ts'
import type { NodeNetwork, NodeSubnet } from '../../model/ipam/nodePlan.ts'
import { liesIn } from '../../model/ipam/subnetLedger.ts'
import { isDnsLabel } from '../../model/names.ts'
import type { NetConfig } from '../../model/wires.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { counted } from '../../net/counted.ts'
import { familyOf, type Ip, toBigInt } from '../../net/ip.ts'

export function checkNetConfig(
  world: ReadonlyWorld,
  config: NetConfig,
  before: NetConfig | undefined,
): readonly FieldError[] {
  const others = world.nodes.configsIn(config.namespace).filter(({ key }) => key !== config.key)
  const [other] = others
  if (other !== undefined && before === undefined) {
    const why = `namespace ${config.namespace} has NetConfig ${other.name}: edit that one`
    return [forbidden('', why)]
  }
  return [
    ...config.unread,
    ...checkWire(config),
    ...checkNames(config),
    ...config.networks.flatMap((network, at) => checkNetwork(network, `spec.networks[${at}]`)),
    ...config.networks.flatMap(({ name }, at) => checkLabel(name, `spec.networks[${at}].name`)),
    ...(before === undefined ? [] : checkUnchanged(world, config, before)),
  ]
}

export function checkNetConfigDelete(
  world: ReadonlyWorld,
  { key, namespace }: NetConfig,
): readonly FieldError[] {
  const { size } = world.nodes.ipSetsIn(namespace)
  const [counts] = world.nodes.configsIn(namespace)
  if (size === 0 || (counts !== undefined && counts.key !== key)) return []
  const why = `in namespace ${namespace} get their addresses from it: delete them first`
  return [forbidden('', `${counted(size, 'IPSet')} ${why}`)]
}

const checkWire = ({ wire }: NetConfig): readonly FieldError[] =>
  wire === '' || isDnsLabel(wire)
    ? []
    : [invalid('metadata.annotations[berth.dev/wire]', wire, 'must be a DNS label')]

/** Looked up regardless of case: the second of two spellings could never be requested. */
function checkNames({ networks }: NetConfig): readonly FieldError[] {
  const cidrs = networks.flatMap(({ subnets }, at) =>
    subnets.map(({ cidrText }, index) => ({
      path: `spec.networks[${at}].subnets[${index}].cidr`,
      text: cidrText,
    })),
  )
  const at = (field: 'name' | 'dnsDomain') =>
    networks.map((network, index) => ({
      path: `spec.networks[${index}].${field}`,
      text: network[field],
    }))
  return [...repeated(folded(at('name'))), ...repeated(at('dnsDomain')), ...repeated(cidrs)]
}

type Named = { readonly path: string; readonly text: string; readonly shown?: string }

export const folded = (names: readonly Named[]): readonly Named[] =>
  names.map(({ path, text }) => ({ path, text: text.toLowerCase(), shown: text }))

export function repeated(names: readonly Named[]): readonly FieldError[] {
  const known = new Map<string, Named>()
  return names.flatMap((name) => {
    const { path, text, shown = text } = name
    const first = known.get(text)
    if (first === undefined) known.set(text, name)
    if (text === '' || first === undefined) return []
    const before = `${first.path} is ${JSON.stringify(first.shown)}`
    const why = first.shown === name.shown ? '' : `: ${before}, and case does not matter`
    return [{ path, message: `Duplicate value: ${JSON.stringify(shown)}${why}` }]
  })
}

function checkNetwork(network: NodeNetwork, path: string): readonly FieldError[] {
  const names = (field: 'name' | 'dnsDomain') =>
    network.subnets.map((subnet, at) => ({
      path: `${path}.subnets[${at}].${field}`,
      text: subnet[field],
    }))
  return [
    ...checkDomain(network.dnsDomain, `${path}.dnsDomain`),
    ...repeated(folded(names('name'))),
    ...repeated(names('dnsDomain')),
    ...network.subnets.flatMap((subnet, at) => checkSubnet(subnet, `${path}.subnets[${at}]`)),
    ...network.subnets.flatMap(({ name }, at) => checkLabel(name, `${path}.subnets[${at}].name`)),
  ]
}

/** Reservations carry the names of networks and subnets in their labels. */
const mostInLabel = 63

const checkLabel = (name: string, path: string): readonly FieldError[] =>
  name.length <= mostInLabel
    ? []
    : [invalid(path, name, `must have at most ${mostInLabel} characters`)]

const domain = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,}$/

const checkDomain = (text: string, path: string): readonly FieldError[] =>
  text === '' || domain.test(text)
    ? []
    : [invalid(path, text, 'must be a domain with a dot, such as internalapi.example.com')]

function checkSubnet(subnet: NodeSubnet, path: string): readonly FieldError[] {
  const single = [
    { at: 'gateway', ip: subnet.gateway },
    ...subnet.excluded.map((ip, at) => ({ at: `excludeAddresses[${at}]`, ip })),
    ...subnet.routes.map(({ nextHop }, at) => ({ at: `routes[${at}].nexthop`, ip: nextHop })),
  ]
  return [
    ...checkDomain(subnet.dnsDomain, `${path}.dnsDomain`),
    ...single.flatMap(({ at, ip }) => checkInside(subnet, ip, `${path}.${at}`)),
    ...subnet.allocation.flatMap(({ start, end }, at) => {
      const range = `${path}.allocationRanges[${at}]`
      return [
        ...checkInside(subnet, start, `${range}.start`),
        ...checkInside(subnet, end, `${range}.end`),
        ...checkOrder({ start, end }, range),
      ]
    }),
  ]
}

/** Unreadable values are reported elsewhere. */
function checkInside(subnet: NodeSubnet, ip: Ip | undefined, path: string): readonly FieldError[] {
  const { cidr, cidrText } = subnet
  if (ip === undefined || cidr === undefined || liesIn(subnet, ip)) return []
  const why =
    familyOf(ip) === cidr.family
      ? `not in the CIDR ${cidrText} of the subnet`
      : `${familyOf(ip)} in a subnet of ${cidr.family}`
  return [invalid(path, ip, why)]
}

function checkOrder(
  { start, end }: NodeSubnet['allocation'][number],
  path: string,
): readonly FieldError[] {
  if (start === undefined || end === undefined || familyOf(start) !== familyOf(end)) return []
  if (toBigInt(start) < toBigInt(end)) return []
  return [invalid(`${path}.start`, start, `must be lower than the end ${end}`)]
}

/** While hosts have addresses from it, what these lie in stays. */
function checkUnchanged(
  world: ReadonlyWorld,
  config: NetConfig,
  before: NetConfig,
): readonly FieldError[] {
  if (world.nodes.ipSetsIn(config.namespace).size === 0) return []
  const because = 'while there are IPSets in the namespace'
  const places = new Map(config.networks.map(({ name }, at) => [name, at]))
  for (const network of before.networks) {
    const at = places.get(network.name) ?? -1
    const after = config.networks[at]
    if (after === undefined) {
      return [forbidden('spec.networks', `network ${network.name} cannot go ${because}`)]
    }
    const indexes = new Map(after.subnets.map(({ name }, index) => [name, index]))
    for (const subnet of network.subnets) {
      const index = indexes.get(subnet.name) ?? -1
      const kept = after.subnets[index]
      const path = `spec.networks[${at}].subnets`
      if (kept === undefined) {
        return [forbidden(path, `subnet ${subnet.name} cannot go ${because}`)]
      }
      const errors = changesOf(subnet, kept).map((field) =>
        forbidden(`${path}[${index}].${field}`, `cannot change ${because}`),
      )
      if (errors.length > 0) return errors
    }
  }
  return []
}

const changesOf = (before: NodeSubnet, after: NodeSubnet): readonly string[] => [
  ...(before.cidrText === after.cidrText ? [] : ['cidr']),
  ...(before.vlan === after.vlan ? [] : ['vlan']),
]
