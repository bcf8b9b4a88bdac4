// Which ranges meet on one wire? Every pair of kinds, and what is no conflict.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ip, l2, node, pool, service, worldOf } from '../../../../test/build/announcing.ts'
import {
  attachment,
  netConfig,
  nodePolicy,
  onInterface,
  reported,
  reservation,
  tenant,
} from '../../../../test/build/wires.ts'
import type { Labels } from '../../model/selector.ts'
import { keyOf, type View } from '../../model/view.ts'
import { ledgerProblems } from './ledgerProblems.ts'

const found = (views: readonly View[]): string[] =>
  ledgerProblems(worldOf(...views)).map(({ code, object }) => `${code} ${object}`)
/** Reported on each of the objects. */
const on = (code: string, ...objects: readonly string[]): string[] =>
  objects.map((object) => `${code} ${object}`)

const vips = pool('internalapi', ['172.17.0.80-172.17.0.90'])
const vlan20 = l2('internalapi', { pools: ['internalapi'], interfaces: ['enp6s0.20'] })
const nodesFrom = (first: string, vlan?: number) =>
  netConfig('openstack', {
    cidr: '172.17.0.0/24',
    ranges: [`${first}-172.17.0.250`],
    ...(vlan === undefined ? {} : { vlan }),
  })
const pods = (last: string, master = 'enp6s0.20') =>
  attachment('openstack/internalapi', { master, given: `172.17.0.30-${last}` })

const thePool = 'IPAddressPool/metallb-system/internalapi'
const theNetConfig = 'NetConfig/openstack/netconfig'
const theAttachment = 'NetworkAttachmentDefinition/openstack/internalapi'

type Case = { title: string; views: readonly View[]; problems: readonly string[] }

const vipCases: Case[] = [
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
test.each(vipCases)('[R5] $title', ({ views, problems }) => expect(found(views)).toEqual(problems))

const nodeCases: Case[] = [
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
test.each(nodeCases)('[R5] $title', ({ views, problems }) => expect(found(views)).toEqual(problems))

const hostsOf = (namespace: string, first: string, vlan = 20) =>
  netConfig(namespace, { cidr: '172.17.0.0/24', vlan, ranges: [`${first}-172.17.0.250`] })
const otherNetConfig = 'NetConfig/openstack2/netconfig'
const [low, high] = [hostsOf('openstack', '172.17.0.100'), hostsOf('openstack2', '172.17.0.200')]

const twoCloudCases: Case[] = [
  {
    title: 'one range and VLAN in the NetConfigs of two namespaces',
    views: [low, high],
    problems: on('overlap-nodes', theNetConfig, otherNetConfig),
  },
  {
    title: 'two NetConfigs that name one wire share what they give',
    views: [
      { ...low, wire: 'rack1' },
      { ...high, wire: 'rack1' },
    ],
    problems: [],
  },
  {
    title: 'two NetConfigs on two wires',
    views: [low, hostsOf('openstack2', '172.17.0.200', 30)],
    problems: on('one-subnet-two-vlans', theNetConfig, otherNetConfig),
  },
]

const octavia = attachment('openstack/octavia', { master: 'octbr' })
const octaviaVips = [
  pool('lan', ['172.17.0.118-172.17.0.140']),
  l2('lan', { interfaces: ['octbr'] }),
]
const controlPlane = (takers: Labels): View => {
  const [name, namespace] = ['controlplane', 'openstack']
  const key = `${namespace}/${name}`
  return { kind: 'OpenStackControlPlane', key, name, namespace, services: [], takers }
}
const lanPool = 'IPAddressPool/metallb-system/lan'
const ofOctavia = 'NetworkAttachmentDefinition/openstack/octavia'

const behindCases: Case[] = [
  {
    title: 'an attachment called octavia, behind whose range the operator takes 50 addresses',
    views: [octavia, ...octaviaVips],
    problems: on('overlap-vip-attachment', lanPool, ofOctavia),
  },
  {
    title: 'the control plane enables octavia on another attachment',
    views: [
      { ...octavia, key: 'openstack/amphora', name: 'amphora' },
      controlPlane({ octavia: 'amphora' }),
      ...octaviaVips,
    ],
    problems: on(
      'overlap-vip-attachment',
      lanPool,
      'NetworkAttachmentDefinition/openstack/amphora',
    ),
  },
  {
    title: 'a control plane without octavia takes nothing',
    views: [octavia, controlPlane({}), ...octaviaVips],
    problems: [],
  },
]
test.each([...twoCloudCases, ...behindCases])('[R5] $title', ({ views, problems }) =>
  expect(found(views)).toEqual(problems),
)

const gatewayCases: Case[] = [
  {
    title: 'a gateway and a next hop in a pool are one problem of the two objects',
    views: [
      pool('internalapi', ['172.17.0.1-172.17.0.3']),
      netConfig('openstack', {
        cidr: '172.17.0.0/24',
        gateway: '172.17.0.1',
        nextHops: ['172.17.0.1', '172.17.0.2'],
      }),
    ],
    problems: on('overlap-gateway', thePool, theNetConfig),
  },
  {
    title: 'a next hop in the very range of its subnet is reported once',
    views: [
      netConfig('openstack', {
        cidr: '10.0.0.0/24',
        nextHops: ['10.0.0.100'],
        ranges: ['10.0.0.10-10.0.0.250'],
      }),
    ],
    problems: on('overlap-gateway', theNetConfig),
  },
  {
    title: 'a gateway that whereabouts would give to a pod',
    views: [attachment('openstack/internalapi', { master: 'enp6s0.20', gateway: '172.17.0.30' })],
    problems: on('overlap-gateway', theAttachment),
  },
  {
    title: 'a next hop of the nodes is on the interface whose subnet it lies in',
    views: [
      nodePolicy('osp', [{ name: 'enp6s0.21', addresses: ['172.17.0.5/24'] }], ['172.17.0.30']),
      pods('172.17.0.70', 'enp6s0.21'),
    ],
    problems: on('overlap-gateway', theAttachment, 'NodeNetworkConfigurationPolicy/osp'),
  },
  {
    title: 'a next hop on another interface',
    views: [
      nodePolicy('osp', [{ name: 'enp6s0.21', addresses: ['172.17.0.5/24'] }], ['172.17.0.30']),
      pods('172.17.0.70', 'enp7s0.21'),
    ],
    problems: [],
  },
  {
    title: 'a node may be a next hop',
    views: [
      node('router', { addresses: [ip('172.17.0.2')] }),
      netConfig('openstack', { cidr: '172.17.0.0/24', nextHops: ['172.17.0.2'] }),
    ],
    problems: [],
  },
]
test.each(gatewayCases)('[R5] $title', ({ views, problems }) =>
  expect(found(views)).toEqual(problems),
)

const mine = attachment('openstack/internalapi', { master: 'enp6s0.20' })
const theirs = (given: Partial<Parameters<typeof attachment>[1]>) =>
  attachment('openstack2/internalapi', { master: 'enp6s0.20', ...given })
const theOther = 'NetworkAttachmentDefinition/openstack2/internalapi'

const attachmentCases: Case[] = [
  {
    title: 'pods of two namespaces on one wire',
    views: [mine, theirs({ subnet: '172.17.0.64/26', given: '172.17.0.65-172.17.0.90' })],
    problems: on('overlap-attachments', theAttachment, theOther),
  },
  {
    title: 'pods of one namespace',
    views: [mine, attachment('openstack/second', { master: 'enp6s0.20' })],
    problems: [],
  },
  {
    title: 'one network_name for both',
    views: [{ ...mine, networkName: 'api' }, theirs({ networkName: 'api' })],
    problems: [],
  },
  {
    title: 'a network_name each',
    views: [{ ...mine, networkName: 'api' }, theirs({ networkName: 'api2' })],
    problems: on('overlap-attachments', theAttachment, theOther),
  },
  {
    title: 'pods on two VLANs',
    views: [mine, theirs({ master: 'enp6s0', vlan: 21 })],
    problems: on('one-subnet-two-vlans', theAttachment, theOther),
  },
  {
    title: 'two subnets on one VLAN',
    views: [mine, theirs({ subnet: '172.27.0.0/24', given: '172.27.0.30-172.27.0.70' })],
    problems: on('one-vlan-two-subnets', theAttachment, theOther),
  },
  {
    title: 'two subnets on one untagged interface',
    views: [
      { ...mine, master: 'enp6s0' },
      theirs({ master: 'enp6s0', subnet: '172.27.0.0/24', given: '172.27.0.30' }),
    ],
    problems: [],
  },
  {
    title: 'two families on one VLAN',
    views: [mine, theirs({ subnet: 'fd00::/64', given: 'fd00::30-fd00::70' })],
    problems: [],
  },
  {
    title: 'one VLAN id of two interfaces',
    views: [mine, theirs({ master: 'enp7s0.20', subnet: '172.27.0.0/24', given: '172.27.0.30' })],
    problems: [],
  },
  {
    title: 'two subnets of one object',
    views: [
      nodePolicy('osp', [{ name: 'enp6s0.20', addresses: ['172.17.0.5/24', '172.27.0.5/24'] }]),
    ],
    problems: [],
  },
]
test.each(attachmentCases)('[R5] $title', ({ views, problems }) =>
  expect(found(views)).toEqual(problems),
)

const network = { cidrs: ['172.17.0.0/24'], vlan: 20, interface: 'enp6s0' }
const tenantCases: Case[] = [
  {
    title: 'what was made from a tenant is reported on the tenant',
    views: [
      tenant('openstack2', { ...network, loadBalancer: ['172.17.0.80-172.17.0.90'] }),
      nodesFrom('172.17.0.90', 20),
    ],
    problems: on('overlap-vip-node', theNetConfig, 'Tenant/openstack2'),
  },
  {
    title: 'a pool and the hosts of a tenant',
    views: [vips, vlan20, tenant('openstack2', { ...network, hosts: ['172.17.0.85-172.17.0.99'] })],
    problems: on('overlap-vip-node', thePool, 'Tenant/openstack2'),
  },
  {
    title: 'a tenant and the attachment of its own namespace',
    views: [mine, tenant('openstack', { ...network, attachments: ['172.17.0.30-172.17.0.70'] })],
    problems: [],
  },
  {
    title: 'a tenant and the attachment of another namespace',
    views: [mine, tenant('north', { ...network, attachments: ['172.17.0.70-172.17.0.79'] })],
    problems: on('overlap-attachments', theAttachment, 'Tenant/north'),
  },
  {
    title: 'nodes of one tenant and pods of another',
    views: [
      tenant('north', { ...network, nodes: ['172.17.0.70-172.17.0.79'] }),
      tenant('south', { ...network, attachments: ['172.17.0.79-172.17.0.80'] }),
    ],
    problems: on('overlap-node-attachment', 'Tenant/north', 'Tenant/south'),
  },
  {
    title: 'two networks of one tenant, once',
    views: [
      tenant(
        'north',
        { ...network, nodes: ['172.17.0.70-172.17.0.79'] },
        { ...network, name: 'second', gateway: '172.17.0.70' },
      ),
    ],
    problems: on('overlap-gateway', 'Tenant/north'),
  },
]
test.each(tenantCases)('[R5] $title', ({ views, problems }) =>
  expect(found(views)).toEqual(problems),
)

test('[R4.19] the tenant alone speaks for what was made from it', () => {
  const madeIn = (namespace: string) => ({ ...mine, namespace, maker: 'Tenant/north' })
  const views = [
    tenant('north', { ...network, attachments: ['172.17.0.30-172.17.0.70'] }),
    madeIn('north'),
    madeIn('north-cell'),
    nodesFrom('172.17.0.70', 20),
  ]
  expect(found(views)).toEqual(on('overlap-node-attachment', theNetConfig, 'Tenant/north'))
})

/** The published guides, as in examples/seed-conflicts. */
const guides: readonly View[] = [
  pool('openstack2-ctlplane', ['192.168.122.100-192.168.122.110']),
  l2('ctlplane', { pools: ['openstack2-ctlplane'], interfaces: ['ospbr'] }),
  vips,
  vlan20,
  netConfig(
    'openstack',
    {
      network: 'CtlPlane',
      cidr: '192.168.122.0/24',
      gateway: '192.168.122.1',
      ranges: ['192.168.122.100-192.168.122.120', '192.168.122.150-192.168.122.200'],
    },
    { cidr: '172.17.0.0/24', vlan: 20, ranges: ['172.17.0.10-172.17.0.250'] },
    { network: 'Storage', cidr: '172.18.0.0/24', vlan: 30, ranges: ['172.18.0.10-172.18.0.250'] },
    {
      network: 'StorageMgmt',
      cidr: '172.19.0.0/24',
      vlan: 40,
      ranges: ['172.19.0.10-172.19.0.250'],
    },
  ),
  mine,
  ...['storage', 'tenant'].map((name, index) =>
    attachment(`openstack/${name}`, {
      master: `enp6s0.${21 + index}`,
      subnet: `172.${18 + index}.0.0/24`,
      given: `172.${18 + index}.0.30-172.${18 + index}.0.70`,
    }),
  ),
  nodePolicy('osp', [
    ...[20, 21, 22].map((vlan) => ({ name: `enp6s0.${vlan}`, base: 'enp6s0', vlan })),
    { name: 'enp6s0', addresses: ['192.168.122.10/24'] },
  ]),
]
const inGuides = {
  S1: on('overlap-vip-node', 'IPAddressPool/metallb-system/openstack2-ctlplane', theNetConfig),
  S2: [
    ...on('overlap-node-attachment', theAttachment, theNetConfig),
    ...on('overlap-vip-node', thePool, theNetConfig),
  ],
  S3: on('one-subnet-two-vlans', 'NetworkAttachmentDefinition/openstack/storage', theNetConfig),
  S4: on('one-subnet-two-vlans', 'NetworkAttachmentDefinition/openstack/tenant', theNetConfig),
}
test('[R5] finds the conflicts of the published guides, and nothing else', () => {
  expect(found(guides).sort()).toEqual(Object.values(inGuides).flat().sort())
})

const everything: readonly View[] = [
  ...guides,
  ...[vipCases, nodeCases, gatewayCases, attachmentCases, tenantCases]
    .flat()
    .flatMap(({ views }) => views)
    .filter(({ kind }) => kind !== 'Service'),
]
test('[R5] no result depends on the order of the objects, and none comes twice', () => {
  const latest = new Map(everything.map((view) => [`${view.kind} ${keyOf(view)}`, view]))
  const views = [...latest.values()]
  const expected = ledgerProblems(worldOf(...views))
  expect(new Set(expected.map((problem) => JSON.stringify(problem))).size).toBe(expected.length)
  const shuffled = fc.shuffledSubarray(views, { minLength: views.length })
  fc.assert(
    fc.property(shuffled, (order) => {
      expect(ledgerProblems(worldOf(...order))).toEqual(expected)
    }),
    { numRuns: 30 },
  )
})
