// Which Tenant do the variables of install_yamls describe? Its address plan, with what a file
// changes of it. Without a namespace: plain pools for everybody, as one control plane has them
// (R4.31).
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import { parseIp } from '../../net/ip.ts'
import { prefixAround, prefixText } from '../../net/range.ts'
import { type Environment, namespaceIn, wrongIn } from './wrongInEnvironment.ts'

type FromEnvironment = {
  readonly objects: readonly JsonObject[]
  /** Each with variable and reason. */
  readonly unplaced: readonly string[]
  /** False where a default stands for what could not be read, or nothing is proposed. */
  readonly isWhole: boolean
}
type Beside = {
  /** What the file sets to something that only a shell could tell. */
  readonly unread: ReadonlySet<string>
  /** What it sets to something that a later line may have changed. */
  readonly doubtful: ReadonlySet<string>
  /** Whether it has lines that could set anything. */
  readonly hasCommands: boolean
  readonly ownNamespace: string
}

type Planned = {
  readonly name: string
  readonly variable: string
  readonly prefix: string
  /** How many VLANs after the first. */
  readonly step: number
  /** Made even if the file does not name it. */
  readonly isUsual?: true
  readonly hasPool?: true
}

const plan: readonly Planned[] = [
  ...(
    [
      ['internalapi', 'INTERNALAPI', '172.17.0', 0],
      ['storage', 'STORAGE', '172.18.0', 1],
      ['tenant', 'TENANT', '172.19.0', 2],
    ] as const
  ).map(([name, word, prefix, step]) => ({
    ...{ name, prefix, step, variable: `NETWORK_${word}_ADDRESS_PREFIX` },
    ...{ isUsual: true as const, hasPool: true as const },
  })),
  {
    ...{ name: 'storagemgmt', prefix: '172.20.0', step: 3 },
    variable: 'NETWORK_STORAGEMGMT_ADDRESS_PREFIX',
  },
  {
    ...{ name: 'designate', prefix: '172.28.0', step: 5 },
    variable: 'NETWORK_DESIGNATE_ADDRESS_PREFIX',
  },
  {
    ...{ name: 'designateext', prefix: '172.50.0', step: 6, hasPool: true },
    variable: 'NETWORK_DESIGNATE_EXT_ADDRESS_PREFIX',
  },
]

const understood: ReadonlySet<string> = new Set([
  ...plan.map(({ variable }) => variable),
  ...['OPENSTACK_NAMESPACE', 'NAMESPACE', 'NETWORK_VLAN_START', 'NETWORK_VLAN_STEP', 'NETWORK_MTU'],
  ...['NNCP_INTERFACE', 'NNCP_BRIDGE', 'NNCP_CTLPLANE_IP_ADDRESS_PREFIX', 'METALLB_POOL'],
  ...['METALLB_IPV6_POOL', 'NETWORK_BGP', 'BGP_ASN', 'BGP_PEER_ASN', 'BGP_LEAF_1', 'BGP_LEAF_2'],
])

export function fromEnvironment(env: Environment, beside: Beside): FromEnvironment {
  const { unread, hasCommands, ownNamespace } = beside
  const unplaced = [...env.keys()]
    .filter((name) => !understood.has(name))
    .sort()
    .map((name) => `${name}: no part of a Tenant`)
  const networks = networksIn(env)
  const wrong = wrongIn(env, { prefixes: plan.map(({ variable }) => variable), networks, unread })
  const namespace = namespaceIn(env)
  const nothing = wrong.length > 0 ? wrong : whyNothing(env, beside, namespace)
  if (nothing.length > 0) {
    return { objects: [], unplaced: [...nothing, ...unplaced], isWhole: false }
  }
  const objects =
    namespace === '' ? plainPools(networks, ownNamespace) : [tenant(env, namespace, networks)]
  const bgp = [...env.keys()].filter((name) => name.startsWith('BGP_') && understood.has(name))
  if (bgp.length > 0 && !(isByBgp(env) && namespace !== '')) {
    const why = namespace === '' ? 'no namespace is named' : 'NETWORK_BGP is not true'
    unplaced.push(...bgp.sort().map((name) => `${name}: not used, since ${why}`))
  }
  const isWhole = ![...unread].some((name) => name !== 'NAMESPACE' && understood.has(name))
  return { objects, unplaced, isWhole: isWhole && !hasCommands }
}

/** Named by mistake, or with a namespace that another file sets, it is not for everybody. */
function whyNothing(
  env: Environment,
  { unread, doubtful, hasCommands }: Beside,
  namespace: string,
): readonly string[] {
  if (![...env.keys(), ...unread].some((name) => understood.has(name))) {
    const some = 'OPENSTACK_NAMESPACE or NETWORK_INTERNALAPI_ADDRESS_PREFIX'
    return [`it sets none of the variables that are read, such as ${some}: nothing is proposed`]
  }
  // It counts before NAMESPACE, wherever it is set.
  const first = 'OPENSTACK_NAMESPACE'
  const isSettled = (env.get(first) ?? '') !== '' && !doubtful.has(first)
  if (isSettled || !hasCommands) return []
  const where = 'a line that is not executed may name a namespace'
  const remedy =
    namespace === '' ? 'write the namespace itself' : `write ${first}=${namespace} after that line`
  return [`${first}: ${where}, so nothing is proposed; ${remedy}`]
}

const isByBgp = (env: Environment): boolean => env.get('NETWORK_BGP') === 'true'

type Network = JsonObject & {
  readonly name: string
  readonly vlan?: number
  readonly interface: string
  readonly loadBalancer?: readonly string[]
}

function networksIn(env: Environment): readonly Network[] {
  const start = Number(env.get('NETWORK_VLAN_START') ?? 20)
  const step = Number(env.get('NETWORK_VLAN_STEP') ?? 1)
  const mtu = env.has('NETWORK_MTU') ? { mtu: Number(env.get('NETWORK_MTU')) } : {}
  const planned = plan
    .filter(({ isUsual, variable }) => isUsual || env.has(variable))
    .map((one): Network => {
      const prefix = env.get(one.variable) ?? one.prefix
      const isMoved = prefix !== one.prefix
      return {
        name: one.name,
        cidrs: [`${prefix}.0/24`],
        // What the samples of OpenStack ask for.
        ...(isMoved && one.hasPool ? { translateFrom: [`${one.prefix}.0/24`] } : {}),
        vlan: start + one.step * step,
        interface: env.get('NNCP_INTERFACE') ?? 'enp6s0',
        ...mtu,
        ...(one.hasPool ? { loadBalancer: [`${prefix}.80-${prefix}.90`] } : {}),
        attachments: [`${prefix}.30-${prefix}.70`],
        nodes: [`${prefix}.100-${prefix}.250`],
        ...announced(env, one.hasPool),
        ...(one.name === 'designateext' ? { autoAssign: false } : {}),
      }
    })
  return [controlPlaneNetwork(env, mtu), ...planned]
}

const announced = (env: Environment, hasPool: boolean | undefined): JsonObject =>
  isByBgp(env) && hasPool === true ? { announce: 'BGP' } : {}

/** Untagged, on the bridge; the pool says where it is unless the prefix does. */
function controlPlaneNetwork(env: Environment, mtu: JsonObject): Network {
  const pool = env.get('METALLB_POOL') ?? '192.168.122.80-192.168.122.90'
  const prefix = env.get('NNCP_CTLPLANE_IP_ADDRESS_PREFIX')
  const six = env.get('METALLB_IPV6_POOL')
  const around = (range: string, length: number): string => {
    const first = parseIp(range.split(/[-/]/)[0]?.trim() ?? '')
    return first.ok ? prefixText(prefixAround(first.value, length)) : range
  }
  return {
    name: 'ctlplane',
    cidrs: [
      prefix === undefined ? around(pool, 24) : `${prefix}.0/24`,
      ...(six === undefined ? [] : [around(six, 64)]),
    ],
    interface: env.get('NNCP_BRIDGE') ?? 'ospbr',
    ...mtu,
    loadBalancer: [pool, ...(six === undefined ? [] : [six])],
    ...announced(env, true),
  }
}

function tenant(env: Environment, namespace: string, networks: readonly Network[]): JsonObject {
  const isTranslated = networks.some((network) => 'translateFrom' in network)
  const asn = Number(env.get('BGP_PEER_ASN') ?? 64999)
  const peers = ['BGP_LEAF_1', 'BGP_LEAF_2'].flatMap((name, index) => {
    const address = env.get(name) ?? ['100.65.4.1', '100.64.4.1'][index]
    return address === undefined ? [] : [{ address, asn }]
  })
  const bgp = { myASN: Number(env.get('BGP_ASN') ?? 64999), peers }
  return {
    apiVersion: apiVersionOf(apiGroups.berth),
    kind: 'Tenant',
    metadata: { name: namespace },
    spec: {
      namespaces: { names: [namespace] },
      ...(isTranslated ? { requestedAddresses: 'Translate' } : {}),
      networks,
      ...(isByBgp(env) ? { bgp } : {}),
    },
  }
}

function plainPools(networks: readonly Network[], namespace: string): readonly JsonObject[] {
  const apiVersion = apiVersionOf(apiGroups.metallb)
  const pooled = networks.filter(({ loadBalancer }) => loadBalancer !== undefined)
  return [
    ...pooled.map(({ name, loadBalancer, autoAssign }) => ({
      apiVersion,
      kind: 'IPAddressPool',
      metadata: { name, namespace },
      spec: { addresses: loadBalancer, ...(autoAssign === undefined ? {} : { autoAssign }) },
    })),
    ...pooled.map(({ name, vlan, interface: link }) => ({
      apiVersion,
      kind: 'L2Advertisement',
      metadata: { name, namespace },
      spec: {
        ipAddressPools: [name],
        interfaces: [vlan === undefined ? link : `${link}.${vlan}`],
      },
    })),
  ]
}
