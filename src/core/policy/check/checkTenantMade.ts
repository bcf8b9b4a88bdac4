// Can everything be made that a tenant asks for (R4.24, R4.26)? What could never work is refused
// while somebody is there to correct it.
import type { FieldError } from '../../model/admission.ts'
import { forbidden, invalid, required } from '../../model/fieldError.ts'
import { linkOf, type Network, poolNameOf, type Tenant } from '../../model/tenant.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { rangeText } from '../../net/intervals.ts'
import { prefixText } from '../../net/range.ts'
import { repeated } from '../ipam/checkNetConfig.ts'
import { isByBgp } from '../made/madeBgpPeer.ts'
import { pooledNetworks } from '../made/madePool.ts'
import { othersOf } from './checkTenantRanges.ts'

/** Linux has no longer names for interfaces. */
const mostInName = 15

export const checkTenantMade = (world: ReadonlyWorld, tenant: Tenant): readonly FieldError[] => [
  ...tenant.networks.flatMap((network, index) => linkCanBe(tenant, network, index)),
  ...tenant.networks.flatMap((network, index) => nodesCanBe(tenant, network, index)),
  ...subnetsAreApart(tenant),
  ...routersAreApart(world, tenant),
  ...namesAreApart(world, tenant),
]

function linkCanBe({ generate }: Tenant, network: Network, index: number): readonly FieldError[] {
  const path = `spec.networks[${index}].interface`
  const [link, hasHosts] = [linkOf(network), network.hosts.length > 0]
  if (link === '' && hasHosts && generate.includes('HostNetworks')) {
    return [required(path, 'HostNetworks puts the addresses of `hosts` on it')]
  }
  if (link.length <= mostInName) return []
  const why =
    `an interface has at most ${mostInName} letters, and ${link} has ${link.length}: give the ` +
    'VLAN interface itself a shorter name, and name that one here, without vlan'
  return [invalid(path, network.interface, why)]
}

/** The definition of NetConfigs, which is infra-operator's, asks for two letters and addresses. */
function nodesCanBe({ generate }: Tenant, network: Network, index: number): readonly FieldError[] {
  const { name, nodes } = network
  if (nodes.length === 0 || !generate.includes('NetConfig')) return []
  const path = `spec.networks[${index}]`
  const short = 'a network of a NetConfig has a name of at least two letters'
  const single = 'a range of a NetConfig has at least two addresses'
  return [
    ...(name.length > 1 ? [] : [invalid(`${path}.name`, name, short)]),
    ...nodes.flatMap((one, at) =>
      one.first < one.last ? [] : [invalid(`${path}.nodes[${at}]`, rangeText(one), single)],
    ),
  ]
}

function subnetsAreApart({ generate, networks }: Tenant): readonly FieldError[] {
  if (!generate.includes('NetConfig')) return []
  const cidrs = networks.flatMap(({ cidrs, nodes }, at) =>
    cidrs
      .map((cidr, index) => ({
        path: `spec.networks[${at}].cidrs[${index}]`,
        text: prefixText(cidr),
      }))
      .filter(() => nodes.length > 0),
  )
  const why = 'two networks of a NetConfig cannot have one CIDR'
  return repeated(cidrs).map(({ path, message }) => ({ path, message: `${message}: ${why}` }))
}

/** A router takes one session from a node, so that two tenants cannot ask it for different ones. */
function routersAreApart(world: ReadonlyWorld, tenant: Tenant): readonly FieldError[] {
  if (!isByBgp(tenant)) return []
  const { myASN, peers } = tenant.bgp
  const terms = (asn: number, own: number, secret: string) => `${own} ${asn} ${secret}`
  const others = othersOf(world, tenant).filter(isByBgp)
  return peers.flatMap(({ address, asn, passwordSecret }, index) => {
    const path = `spec.bgp.peers[${index}].address`
    if (peers.findIndex((one) => one.address === address) < index) {
      return [invalid(path, address, 'the router is listed twice')]
    }
    const wanted = terms(asn, myASN, passwordSecret)
    const other = others.find(({ bgp }) =>
      bgp.peers.some(
        (one) =>
          one.address === address && terms(one.asn, bgp.myASN, one.passwordSecret) !== wanted,
      ),
    )
    if (other === undefined) return []
    const why =
      `Tenant/${other.name} names this router with other AS numbers or another passwordSecret, ` +
      'and a router takes one session from a node: name it alike in both'
    return [forbidden(path, `${address}: ${why}`)]
  })
}

/** `a-b` with the network `c` and `a` with the network `b-c` would both make the pool `a-b-c`. */
function namesAreApart(world: ReadonlyWorld, tenant: Tenant): readonly FieldError[] {
  const theirs = new Map(
    othersOf(world, tenant).flatMap((other) =>
      namesOf(other).map(({ name }) => [name, other.name]),
    ),
  )
  return namesOf(tenant).flatMap(({ name, path }) => {
    const other = theirs.get(name)
    return other === undefined ? [] : [forbidden(path, `Tenant/${other} makes ${name} too`)]
  })
}

function namesOf(tenant: Tenant) {
  return pooledNetworks(tenant).flatMap((network) => {
    const path = `spec.networks[${tenant.networks.indexOf(network)}].name`
    const pool = { path, name: `IPAddressPool/${poolNameOf(tenant.name, network.name)}` }
    const advertisement = { path, name: `L2Advertisement/${network.name}-${tenant.name}` }
    return network.announce === 'Layer2' ? [pool, advertisement] : [pool]
  })
}
