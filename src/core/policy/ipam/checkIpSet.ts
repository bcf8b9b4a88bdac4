// May an IPSet be as it is written (O1.4)? What could never be given is refused, and what hosts
// rely on does not change.
import type { FieldError } from '../../model/admission.ts'
import { forbidden, invalid } from '../../model/fieldError.ts'
import type { IpSet, NetworkRequest } from '../../model/ipam/ipSet.ts'
import { type NodeSubnet, networkIn, subnetIn } from '../../model/ipam/nodePlan.ts'
import { liesIn } from '../../model/ipam/subnetLedger.ts'
import { isSame } from '../../model/sameView.ts'
import type { NetConfig } from '../../model/wires.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { familyOf } from '../../net/ip.ts'
import { folded, repeated } from './checkNetConfig.ts'

export function checkIpSet(
  world: ReadonlyWorld,
  ipSet: IpSet,
  before: IpSet | undefined,
): readonly FieldError[] {
  const isChanged = before !== undefined && !isSame(before.requests, ipSet.requests)
  if (before?.isImmutable === true && isChanged) {
    return [forbidden('spec.networks', 'cannot change while immutable is true')]
  }
  if (ipSet.isGoing) return []
  const configs = world.nodes.configsIn(ipSet.namespace)
  const [config] = configs
  if (config === undefined || configs.length > 1) {
    const found = config === undefined ? 'no NetConfig' : `${configs.length} NetConfigs`
    return [forbidden('', `namespace ${ipSet.namespace} has ${found}: one is needed`)]
  }
  return [
    ...ipSet.unread,
    ...ipSet.requests.flatMap((request, at) =>
      checkRequest(config, request, `spec.networks[${at}]`),
    ),
    ...checkOnce(ipSet),
    ...checkDefaultRoutes(config, ipSet),
    ...(before === undefined ? [] : checkKept(ipSet, before)),
  ]
}

/** Names are matched regardless of case: a second spelling could get nothing. */
const checkOnce = ({ requests }: IpSet): readonly FieldError[] =>
  repeated(
    folded(requests.map(({ name }, at) => ({ path: `spec.networks[${at}].name`, text: name }))),
  )

const placeOf = (config: NetConfig, { name, subnetName }: NetworkRequest) => {
  const network = networkIn(config, name)
  return network === undefined ? undefined : subnetIn(network, subnetName)
}

function checkRequest(
  config: NetConfig,
  request: NetworkRequest,
  path: string,
): readonly FieldError[] {
  const { name, subnetName } = request
  const network = networkIn(config, name)
  if (network === undefined) {
    return [invalid(`${path}.name`, name, `not a network of NetConfig ${config.name}`)]
  }
  const subnet = subnetIn(network, subnetName)
  if (subnet === undefined) {
    return [invalid(`${path}.subnetName`, subnetName, `not a subnet of network ${network.name}`)]
  }
  return [...checkFixed(subnet, request, path), ...checkGateway(subnet, request, path)]
}

function checkFixed(
  subnet: NodeSubnet,
  { fixedIP: ip, fixedText }: NetworkRequest,
  path: string,
): readonly FieldError[] {
  if (ip === undefined || subnet.cidr === undefined || liesIn(subnet, ip)) return []
  const why =
    familyOf(ip) === subnet.cidr.family
      ? `not in the CIDR ${subnet.cidrText} of subnet ${subnet.name}`
      : `${familyOf(ip)} in a subnet of ${subnet.cidr.family}`
  return [invalid(`${path}.fixedIP`, fixedText, why)]
}

function checkGateway(
  { name, gatewayText }: NodeSubnet,
  { defaultRoute }: NetworkRequest,
  path: string,
): readonly FieldError[] {
  if (defaultRoute !== true || gatewayText !== '') return []
  return [forbidden(`${path}.defaultRoute`, `subnet ${name} has no gateway`)]
}

function checkDefaultRoutes(config: NetConfig, { requests }: IpSet): readonly FieldError[] {
  const families = new Set<string>()
  return requests.flatMap((request, at) => {
    const family = placeOf(config, request)?.cidr?.family
    if (request.defaultRoute !== true || family === undefined) return []
    const isSecond = families.has(family)
    families.add(family)
    const path = `spec.networks[${at}].defaultRoute`
    return isSecond ? [forbidden(path, `a second default route for ${family}`)] : []
  })
}

/** Networks may be added and reordered. */
function checkKept({ requests }: IpSet, before: IpSet): readonly FieldError[] {
  return before.requests.flatMap((was) => {
    const at = requests.findIndex(({ name }) => name === was.name)
    const is = requests[at]
    if (is === undefined) return [forbidden('spec.networks', `network ${was.name} cannot go`)]
    const path = `spec.networks[${at}]`
    const changed = [
      ...(is.subnetName === was.subnetName ? [] : ['subnetName']),
      ...(is.fixedText === was.fixedText ? [] : ['fixedIP']),
      ...(is.defaultRoute === was.defaultRoute ? [] : ['defaultRoute']),
    ]
    return changed.map((field) => forbidden(`${path}.${field}`, 'cannot change'))
  })
}
