// Which ranges meet on one wire? Every pair of kinds, and what is no conflict.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ip, l2, node, pool, worldOf } from '../../../../test/build/announcing.ts'
import {
  type Case,
  nodeCases,
  nodesFrom,
  on,
  pods,
  theAttachment,
  theNetConfig,
  thePool,
  vipCases,
  vips,
  vlan20,
} from '../../../../test/build/ledgerCases.ts'
import { attachment, netConfig, nodePolicy, tenant } from '../../../../test/build/wires.ts'
import type { Labels } from '../../model/selector.ts'
import { keyOf, type View } from '../../model/view.ts'
import { ledgerProblems } from './ledgerProblems.ts'

const found = (views: readonly View[]): string[] =>
  ledgerProblems(worldOf(...views)).map(({ code, object }) => `${code} ${object}`)
test.each([...vipCases, ...nodeCases])('[R5] $title', ({ views, problems }) =>
  expect(found(views)).toEqual(problems),
)

const hostsOf = (namespace: string, first: string, vlan = 20) =>
  netConfig(namespace, { cidr: '172.17.0.0/24', vlan, ranges: [`${first}-172.17.0.250`] })
const otherNetConfig = 'NetConfig/openstack2/netconfig'
const [low, high] = [hostsOf('openstack', '172.17.0.100'), hostsOf('openstack2', '172.17.0.200')]

const onWire = (name: string): View => ({ kind: 'Namespace', name, labels: {}, wire: 'rack1' })

const twoCloudCases: Case[] = [
  {
    title: 'one range and VLAN in the NetConfigs of two namespaces',
    views: [low, high],
    problems: on('overlap-nodes', theNetConfig, otherNetConfig),
  },
  {
    title: 'two NetConfigs whose Namespaces name one wire share what they give',
    views: [low, high, onWire('openstack'), onWire('openstack2')],
    problems: [],
  },
  {
    title: 'two NetConfigs that name one wire themselves do not share',
    views: [
      { ...low, wire: 'rack1' },
      { ...high, wire: 'rack1' },
    ],
    problems: on('overlap-nodes', theNetConfig, otherNetConfig),
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
  return {
    kind: 'OpenStackControlPlane',
    key,
    name,
    namespace,
    services: [],
    overrides: [],
    isTls: true,
    takers,
  }
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
