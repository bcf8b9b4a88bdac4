// Views for tests of the ledger: who else gives out addresses, each stated in one line.
import type { NodeInterfaces } from '../../src/core/model/node.ts'
import type { NodePolicy } from '../../src/core/model/nodePolicy.ts'
import type { Network, Tenant } from '../../src/core/model/tenant.ts'
import type {
  Attachment,
  AttachmentRange,
  NetConfig,
  NetConfigSubnet,
  Reservation,
} from '../../src/core/model/wires.ts'
import { type Prefix, parsePrefix, parseRange, type Range } from '../../src/core/net/range.ts'
import { ip } from './announcing.ts'

/** A single address is a range too. */
export function range(text: string): Range {
  const found = parseRange(/[-/]/.test(text) ? text : `${text}-${text}`)
  if (!found.ok) throw new Error(found.why)
  return found.value
}

export function prefix(text: string): Prefix {
  const found = parsePrefix(text)
  if (!found.ok) throw new Error(found.why)
  return found.value
}

/** enp6s0.20=172.17.0.5/24 */
export function onInterface(text: string) {
  const [name = '', host = ''] = text.split('=')
  const [address = '', length = ''] = host.split('/')
  return { interface: name, address: ip(address), prefixLength: Number(length) }
}

export const reported = (name: string, texts: readonly string[]): NodeInterfaces => ({
  kind: 'NodeInterfaces',
  name,
  occupied: texts.map((text) => onInterface(text).address),
  interfaces: texts.map((text) => {
    const { interface: name, ...address } = onInterface(text)
    return { name, mac: '', hasCarrier: true, addresses: [address] }
  }),
})

type Subnet = {
  readonly network?: string
  readonly cidr: string
  readonly vlan?: number
  readonly gateway?: string
  readonly nextHops?: readonly string[]
  readonly ranges?: readonly string[]
}
const subnet = (given: Subnet): NetConfigSubnet => ({
  network: given.network ?? 'InternalApi',
  name: 'subnet1',
  cidr: prefix(given.cidr),
  vlan: given.vlan,
  gateway: given.gateway === undefined ? undefined : ip(given.gateway),
  nextHops: (given.nextHops ?? []).map(ip),
  ranges: (given.ranges ?? []).map(range),
  sticky: [],
})

export const netConfig = (namespace: string, ...subnets: readonly Subnet[]): NetConfig => ({
  kind: 'NetConfig',
  key: `${namespace}/netconfig`,
  name: 'netconfig',
  namespace,
  createdAt: '',
  networks: [],
  unread: [],
  wire: '',
  skipsAsUpstream: false,
  keep: '',
  subnets: subnets.map(subnet),
  occupied: subnets.flatMap(({ gateway, nextHops = [] }) =>
    (gateway === undefined ? nextHops : [gateway, ...nextHops]).map(ip),
  ),
})

type Given = {
  readonly master: string
  readonly vlan?: number
  readonly networkName?: string
  readonly subnet?: string
  readonly given?: string
  readonly excluded?: readonly string[]
  readonly gateway?: string
}
/** key is namespace/name; the subnet is 172.17.0.0/24 where nothing else is said. */
export function attachment(key: string, given: Given): Attachment {
  const [namespace = '', name = ''] = key.split('/')
  const subnet = prefix(given.subnet ?? '172.17.0.0/24')
  const only: AttachmentRange = {
    subnet,
    given: range(given.given ?? '172.17.0.30-172.17.0.70'),
    excluded: (given.excluded ?? []).map(range),
    gateway: given.gateway === undefined ? undefined : ip(given.gateway),
  }
  return {
    kind: 'NetworkAttachmentDefinition',
    key,
    name,
    namespace,
    master: given.master,
    vlan: given.vlan,
    networkName: given.networkName ?? '',
    ranges: [only],
    network: name,
    takesIps: false,
    hasIpam: true,
    gatewayText: '',
  }
}

type Link = {
  readonly name: string
  readonly base?: string
  readonly vlan?: number
  readonly addresses?: readonly string[]
}
export const nodePolicy = (
  name: string,
  links: readonly Link[],
  nextHops: readonly string[] = [],
): NodePolicy => ({
  kind: 'NodeNetworkConfigurationPolicy',
  name,
  interfaces: links.map(({ name, base = '', vlan, addresses = [] }) => ({
    name,
    base,
    vlan,
    addresses: addresses.map((text) => {
      const { address, prefixLength } = onInterface(`${name}=${text}`)
      return { address, prefixLength }
    }),
  })),
  nextHops: nextHops.map(ip),
})

export const reservation = (key: string, addresses: readonly string[]): Reservation => {
  const [namespace = '', name = ''] = key.split('/')
  const entries = addresses.map((text, at) => {
    return { network: `net${at}`, subnet: 'subnet1', text, address: ip(text) }
  })
  return {
    kind: 'Reservation',
    key,
    name,
    namespace,
    uid: '',
    resourceVersion: '',
    ownerUid: '',
    isGoing: false,
    finalizers: [],
    subnetLabels: {},
    entries,
    occupied: addresses.map(ip),
  }
}

type Ranges = Partial<Record<'loadBalancer' | 'attachments' | 'nodes' | 'hosts', readonly string[]>>
type GivenNetwork = Ranges & {
  readonly name?: string
  readonly cidrs: readonly string[]
  readonly vlan?: number
  readonly interface?: string
  readonly gateway?: string
  readonly announce?: string
  readonly mtu?: number
}
const network = (given: GivenNetwork): Network => ({
  name: given.name ?? 'internalapi',
  cidrs: given.cidrs.map(prefix),
  translateFrom: [],
  vlan: given.vlan,
  interface: given.interface ?? '',
  gateway: given.gateway === undefined ? undefined : ip(given.gateway),
  mtu: given.mtu,
  loadBalancer: (given.loadBalancer ?? []).map(range),
  loadBalancerTexts: given.loadBalancer ?? [],
  attachments: (given.attachments ?? []).map(range),
  nodes: (given.nodes ?? []).map(range),
  hosts: (given.hosts ?? []).map(range),
  announce: given.announce ?? 'Layer2',
  autoAssign: true,
})

/** Of the namespace that has its name. */
export const tenant = (name: string, ...networks: readonly GivenNetwork[]): Tenant => ({
  kind: 'Tenant',
  name,
  uid: `uid-of-${name}`,
  createdAt: '2026-01-01T00:00:00Z',
  namespaces: [name],
  selector: undefined,
  services: [],
  requestedAddresses: 'Strict',
  openPools: false,
  quota: undefined,
  networks: networks.map(network),
  occupied: networks.flatMap(({ gateway }) => (gateway === undefined ? [] : ip(gateway))),
  generate: ['Pools'],
  bgp: { myASN: 0, peers: [] },
  mayBeDeleted: false,
})
