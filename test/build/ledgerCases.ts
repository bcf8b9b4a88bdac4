// Which objects meet on one wire, and on which of them is that reported? Pools against the ranges of
// nodes and Pods, and what nodes have.
import type { View } from '../../src/core/model/view.ts'
import { ip, l2, node, pool, service } from './announcing.ts'
import { attachment, netConfig, nodePolicy, onInterface, reported, reservation } from './wires.ts'

/** Reported on each of the objects. */
export const on = (code: string, ...objects: readonly string[]): string[] =>
  objects.map((object) => `${code} ${object}`)

export const vips = pool('internalapi', ['172.17.0.80-172.17.0.90'])
export const vlan20 = l2('internalapi', { pools: ['internalapi'], interfaces: ['enp6s0.20'] })
export const nodesFrom = (first: string, vlan?: number) =>
  netConfig('openstack', {
    cidr: '172.17.0.0/24',
    ranges: [`${first}-172.17.0.250`],
    ...(vlan === undefined ? {} : { vlan }),
  })
export const pods = (last: string, master = 'enp6s0.20') =>
  attachment('openstack/internalapi', { master, given: `172.17.0.30-${last}` })

export const thePool = 'IPAddressPool/metallb-system/internalapi'
export const theNetConfig = 'NetConfig/openstack/netconfig'
export const theAttachment = 'NetworkAttachmentDefinition/openstack/internalapi'

export type Case = { title: string; views: readonly View[]; problems: readonly string[] }

export const vipCases: Case[] = [
  {
    title: 'a pool and a node range on one VLAN',
    views: [vips, vlan20, nodesFrom('172.17.0.90', 20)],
    problems: on('overlap-vip-node', thePool, theNetConfig),
  },
  {
    title: 'a pool and a node range that only touch',
    views: [vips, vlan20, nodesFrom('172.17.0.91', 20)],
    problems: [],
  },
  {
    title: 'the same addresses on another VLAN are another wire, and the subnet is on two',
    views: [vips, vlan20, nodesFrom('172.17.0.90', 21)],
    problems: on('one-subnet-two-vlans', thePool, theNetConfig),
  },
  {
    title: 'a node range of which nobody says the VLAN',
    views: [vips, vlan20, nodesFrom('172.17.0.90')],
    problems: on('overlap-vip-node', thePool, theNetConfig),
  },
  {
    title: 'a pool that is announced on all interfaces',
    views: [vips, l2('all'), nodesFrom('172.17.0.90', 20)],
    problems: on('overlap-vip-node', thePool, theNetConfig),
  },
  {
    title: 'a pool that nobody announces',
    views: [vips, nodesFrom('172.17.0.90', 20)],
    problems: on('overlap-vip-node', thePool, theNetConfig),
  },
  {
    title: 'one of several interfaces is enough',
    views: [
      vips,
      l2('two', { pools: ['internalapi'], interfaces: ['enp6s0.19', 'enp6s0.20'] }),
      nodesFrom('172.17.0.90', 20),
    ],
    problems: on('overlap-vip-node', thePool, theNetConfig),
  },
  {
    title: 'an interface whose VLAN a policy names',
    views: [
      vips,
      l2('vlan', { pools: ['internalapi'], interfaces: ['vlan20'] }),
      nodePolicy('osp', [{ name: 'vlan20', base: 'enp6s0', vlan: 20 }]),
      pods('172.17.0.80'),
    ],
    problems: on('overlap-vip-attachment', thePool, theAttachment),
  },
  {
    title: 'a pool and pods on one VLAN',
    views: [vips, vlan20, pods('172.17.0.80')],
    problems: on('overlap-vip-attachment', thePool, theAttachment),
  },
  {
    title: 'a pool and pods on another interface with that VLAN id',
    views: [vips, vlan20, pods('172.17.0.80', 'enp7s0.20')],
    problems: [],
  },
  {
    title: 'what whereabouts excludes is not given to pods',
    views: [
      vips,
      vlan20,
      attachment('openstack/internalapi', {
        master: 'enp6s0.20',
        given: '172.17.0.1-172.17.0.254',
        excluded: ['172.17.0.80/28'],
      }),
    ],
    problems: [],
  },
]

export const nodeCases: Case[] = [
  {
    title: 'addresses that nodes have, by status, annotation and report',
    views: [
      pool('internalapi', ['172.17.0.5-172.17.0.8']),
      node('worker-0', { annotated: [onInterface('enp6s0.20=172.17.0.5/24')] }),
      node('worker-1', { addresses: [ip('172.17.0.6')] }),
      node('worker-2', { addresses: [ip('172.17.0.9')] }),
      reported('worker-2', ['enp6s0.20=172.17.0.7/24']),
    ],
    problems: [
      ...on('overlap-vip-node', thePool, thePool, thePool),
      ...on('overlap-vip-node', 'Node/worker-0', 'Node/worker-1', 'Node/worker-2'),
    ],
  },
  {
    title: 'an address that a node has on another interface',
    views: [
      vips,
      vlan20,
      node('worker-0', {
        addresses: [ip('172.17.0.85')],
        annotated: [onInterface('docker0=172.17.0.85/16'), onInterface('enp6s0.20=172.17.0.5/24')],
      }),
    ],
    problems: [],
  },
  {
    title: 'an address of a Service that kube-proxy puts on every node',
    views: [
      vips,
      service('web', ['172.17.0.80']),
      reported('worker-0', ['kube-ipvs0=172.17.0.80/32']),
    ],
    problems: [],
  },
  {
    title: 'a node whose own address a Service holds',
    views: [
      vips,
      service('web', ['172.17.0.80']),
      node('worker-0', { addresses: [ip('172.17.0.80')] }),
    ],
    problems: on('overlap-vip-node', thePool, 'Node/worker-0'),
  },
  {
    title: 'an address in a node policy',
    views: [
      vips,
      vlan20,
      nodePolicy('osp', [{ name: 'v', base: 'enp6s0', vlan: 20, addresses: ['172.17.0.80/24'] }]),
    ],
    problems: on('overlap-vip-node', thePool, 'NodeNetworkConfigurationPolicy/osp'),
  },
  {
    title: 'a reservation, on the VLAN of the subnet that it came from',
    views: [
      vips,
      vlan20,
      nodesFrom('172.17.0.100', 20),
      reservation('openstack/compute-0', ['172.17.0.85']),
    ],
    problems: on('overlap-vip-node', thePool, 'Reservation/openstack/compute-0'),
  },
  {
    title: 'a reservation on another VLAN',
    views: [
      pool('other', ['172.17.0.100-172.17.0.110']),
      l2('other', { pools: ['other'], interfaces: ['enp6s0.22'] }),
      netConfig('openstack', { cidr: '172.17.0.0/24', vlan: 21 }),
      reservation('openstack/compute-0', ['172.17.0.100']),
    ],
    problems: on('one-subnet-two-vlans', 'IPAddressPool/metallb-system/other', theNetConfig),
  },
  {
    title: 'a reservation without a NetConfig',
    views: [vips, vlan20, reservation('openstack/compute-0', ['172.17.0.85'])],
    problems: on('overlap-vip-node', thePool, 'Reservation/openstack/compute-0'),
  },
  {
    title: 'a node range and pods',
    views: [nodesFrom('172.17.0.70', 20), pods('172.17.0.70')],
    problems: on('overlap-node-attachment', theNetConfig, theAttachment),
  },
  {
    title: 'node ranges of two NetConfigs',
    views: [nodesFrom('172.17.0.70', 20), { ...nodesFrom('172.17.0.70', 20), namespace: 'other' }],
    problems: [],
  },
]
