// Which networks belong to whom? A Tenant (R4).
import { communityAnnotations } from '../../../core/model/bgpAnnotations.ts'
import type { Network, Tenant } from '../../../core/model/tenant.ts'
import { parseIp } from '../../../core/net/ip.ts'
import { parsePrefix, parseRange } from '../../../core/net/range.ts'
import { berth } from '../annotations.ts'
import { metaOf, selectorOf, specifiedAt } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

export function decodeTenant(object: Fields): Tenant {
  const { name, uid, annotations } = metaOf(object)
  const allowedCommunities = annotations[communityAnnotations.allowed]
  const spec = object.inner('spec')
  const namespaces = spec.inner('namespaces')
  const generation = object.inner('metadata').number('generation')
  const networks = spec.each('networks').map(networkOf)
  return {
    kind: 'Tenant',
    name,
    uid,
    createdAt: specifiedAt(object),
    namespaces: namespaces.texts('names'),
    selector: namespaces.has('selector') ? selectorOf(namespaces.inner('selector')) : undefined,
    services: spec
      .each('services')
      .map((service) => `${service.text('namespace')}/${service.text('name')}`),
    requestedAddresses: spec.text('requestedAddresses') || 'Strict',
    openPools: spec.flag('openPools') ?? false,
    quota: spec.inner('quota').number('addresses'),
    networks,
    occupied: networks.flatMap(({ gateway }) => gateway ?? []),
    generate: spec.has('generate') ? spec.texts('generate') : ['Pools'],
    bgp: bgpOf(spec.inner('bgp')),
    mayBeDeleted: annotations[berth.allowDelete] === 'true',
    ...(allowedCommunities !== undefined && { allowedCommunities }),
    ...(generation !== undefined && { generation }),
    ...(object.inner('metadata').has('deletionTimestamp') && { isGoing: true }),
  }
}

const bgpOf = (bgp: Fields): Tenant['bgp'] => ({
  myASN: bgp.number('myASN') ?? 0,
  peers: bgp.each('peers').map((peer) => ({
    address: peer.parseRequired('address', parseIp) ?? '',
    asn: peer.number('asn') ?? 0,
    passwordSecret: peer.text('passwordSecret'),
  })),
})

function networkOf(network: Fields): Network {
  return {
    name: network.text('name'),
    cidrs: network.parseEach('cidrs', parsePrefix),
    translateFrom: network.parseEach('translateFrom', parsePrefix),
    vlan: network.number('vlan'),
    interface: network.text('interface'),
    gateway: network.parse('gateway', parseIp),
    mtu: network.number('mtu'),
    loadBalancer: network.parseEach('loadBalancer', parseRange),
    loadBalancerTexts: network.texts('loadBalancer'),
    attachments: network.parseEach('attachments', parseRange),
    nodes: network.parseEach('nodes', parseRange),
    hosts: network.parseEach('hosts', parseRange),
    announce: network.text('announce') || 'Layer2',
    autoAssign: network.flag('autoAssign') ?? true,
  }
}
