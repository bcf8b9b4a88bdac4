import { expect, test } from 'vitest'
import { pool, service, worldOf } from '../../../../test/build/announcing.ts'
import { nodePolicy, prefix, range, tenant } from '../../../../test/build/wires.ts'
import type { Network, Tenant } from '../../model/tenant.ts'
import { check } from './check.ts'
import { checkTenantDelete } from './checkTenants.ts'

const cidrs = ['172.27.0.0/24']
const good = tenant('south', {
  cidrs,
  gateway: '172.27.0.1',
  loadBalancer: ['172.27.0.80-172.27.0.90'],
  attachments: ['172.27.0.30-172.27.0.70'],
  nodes: ['172.27.0.100-172.27.0.250'],
  hosts: ['172.27.0.5-172.27.0.29'],
})
const empty = worldOf()
const texts = (proposed: Tenant, world = empty) =>
  check(world, { view: proposed, before: undefined, bgpMode: 'native' }).map(
    ({ path, message }) => `${path}: ${message}`,
  )
const withNetwork = (given: Partial<Network>): Tenant => ({
  ...good,
  networks: good.networks.map((network) => ({ ...network, ...given })),
})

test('[R4.21] a good tenant is admitted', () => {
  expect(texts(good)).toEqual([])
})

type Ranges = Parameters<typeof tenant>[1]
const misfits: readonly [Ranges, string, string][] = [
  [{ cidrs, loadBalancer: ['172.27.1.80/32'] }, 'loadBalancer[0]', 'outside CIDR 172.27.0.0/24'],
  [{ cidrs, nodes: ['172.27.0.250-172.27.1.5'] }, 'nodes[0]', 'outside'],
  [{ cidrs, hosts: ['fd00::5/128'] }, 'hosts[0]', 'outside every IPv6 CIDR'],
  [
    { cidrs, loadBalancer: ['172.27.0.80/32'], attachments: ['172.27.0.70-172.27.0.80'] },
    'loadBalancer[0]',
    'overlaps',
  ],
  [{ cidrs, nodes: ['172.27.0.20/30', '172.27.0.22/32'] }, 'nodes[1]', 'overlaps'],
  [
    { cidrs, gateway: '172.27.0.85', loadBalancer: ['172.27.0.80-172.27.0.90'] },
    'loadBalancer[0]',
    '172.27.0.85, the gateway',
  ],
  [{ cidrs, nodes: ['172.27.0.200-172.27.0.255'] }, 'nodes[0]', 'the broadcast address'],
  [{ cidrs, hosts: ['172.27.0.0-172.27.0.9'] }, 'hosts[0]', 'the network address'],
  [{ cidrs: ['fd00::/64'], hosts: ['fd00::-fd00::9'] }, 'hosts[0]', 'fd00::, the network address'],
  [{ cidrs, vlan: 0 }, 'vlan', '1 to 4094'],
  [{ cidrs, vlan: 4095 }, 'vlan', '1 to 4094'],
  [{ cidrs: ['172.27.0.0/24', '172.28.0.0/24'] }, 'cidrs[1]', 'family IPv4'],
  [
    { cidrs, attachments: ['172.27.0.30/32', '172.27.0.40/32'] },
    'attachments[1]',
    'a second one of family IPv4',
  ],
  [{ cidrs, name: 'Internal_API' }, 'name', 'DNS label'],
]
test.each(misfits)('[R4.21] %j is refused: %s', (network, field, why) => {
  const [error, ...rest] = texts(tenant('south', network))
  expect(error).toContain(`spec.networks[0].${field}: `)
  expect(error).toContain(why)
  expect(rest).toEqual([])
})

test.each<[Ranges]>([
  [{ cidrs: ['172.27.0.8/31'], loadBalancer: ['172.27.0.8/31'] }],
  [{ cidrs: ['2001:db8::/64'], nodes: ['2001:db8::1-2001:db8::ffff:ffff:ffff:ffff'] }],
  [{ cidrs: ['172.27.0.0/24', 'fd00::/64'], attachments: ['172.27.0.30/32', 'fd00::30/128'] }],
  [{ cidrs, vlan: 4094 }],
])('[R4.21] %j is admitted', (network) => {
  expect(texts(tenant('south', network))).toEqual([])
})

const fields: readonly [string, Tenant][] = [
  ['spec.networks[0].translateFrom[0]', withNetwork({ translateFrom: [prefix('fd00::/64')] })],
  [
    'spec.networks[0].translateFrom[1]',
    withNetwork({ translateFrom: [prefix('10.0.0.0/24'), prefix('10.1.0.0/24')] }),
  ],
  ['spec.bgp.peers', withNetwork({ announce: 'BGP' })],
  ['spec.quota.addresses', { ...good, quota: -1 }],
  ['spec.namespaces', { ...good, namespaces: [] }],
  ['metadata.name', { ...good, name: 'open.stack' }],
  ['spec.networks[1].name', tenant('south', { cidrs }, { cidrs: ['172.28.0.0/24'] })],
]
test.each(fields)('[R4.21] a wrong %s is refused', (path, proposed) => {
  expect(texts(proposed).map((text) => text.split(':')[0])).toEqual([path])
})

test('[R4.18] a single address is no range of a NetConfig', () => {
  const single = withNetwork({ nodes: [range('172.27.0.100'), range('172.27.0.102-172.27.0.103')] })
  expect(texts({ ...single, generate: ['NetConfig'] })).toEqual([
    expect.stringMatching(/^spec\.networks\[0\]\.nodes\[0\]: .*at least two addresses/),
  ])
  expect(texts({ ...single, generate: ['Pools'] })).toEqual([])
})

test('[R4.21] a selector or a Service is claim enough, and BGP is fine with a peer', () => {
  const peers = [{ address: '192.0.2.1', asn: 1, passwordSecret: '' }]
  const selector = { matchLabels: { tenant: 'south' }, matchExpressions: [] }
  expect(texts({ ...good, namespaces: [], selector })).toEqual([])
  expect(texts({ ...good, namespaces: [], services: ['logging/south'] })).toEqual([])
  expect(texts({ ...withNetwork({ announce: 'BGP' }), bgp: { myASN: 1, peers } })).toEqual([])
})

test.each<[Partial<Tenant>, string]>([
  [{ namespaces: ['south', 'north'] }, 'spec.namespaces.names[1]'],
  [{ services: ['logging/north'] }, 'spec.services[0]'],
])('[R4.2] %j is listed by another tenant', (given, path) => {
  const world = worldOf({ ...tenant('north'), services: ['logging/north'] })
  expect(texts({ ...good, ...given }, world)).toEqual([
    expect.stringMatching(`^${path.replaceAll(/[[\]]/g, '\\$&')}: .*Tenant/north lists it as well`),
  ])
})

const north = tenant('north', {
  cidrs,
  vlan: 20,
  interface: 'enp6s0',
  loadBalancer: ['172.27.0.80-172.27.0.90'],
  attachments: ['172.27.0.30-172.27.0.70'],
})
const wire = { cidrs, vlan: 20, interface: 'enp6s0' }

test.each<[Ranges, string]>([
  [{ ...wire, loadBalancer: ['172.27.0.90-172.27.0.99'] }, 'Tenant/north network internalapi'],
  [{ cidrs, vlan: 30, loadBalancer: ['172.27.0.85/32'] }, 'Tenant/north network internalapi'],
  [{ cidrs, loadBalancer: ['172.27.0.200/32'] }, 'IPAddressPool/metallb-system/legacy'],
  [{ ...wire, attachments: ['172.27.0.60-172.27.0.75'] }, 'Tenant/north'],
  [{ ...wire, nodes: ['172.27.0.60-172.27.0.75'] }, 'Tenant/north'],
  [{ cidrs, vlan: 20, hosts: ['172.27.0.60-172.27.0.75'] }, 'Tenant/north'],
  [{ cidrs, interface: 'enp6s0.20', hosts: ['172.27.0.60-172.27.0.75'] }, 'Tenant/north'],
])('[R4.22] beside another tenant and a pool, %j is refused: %s', (network, other) => {
  const world = worldOf(north, pool('legacy', ['172.27.0.200/32']))
  const [error, ...rest] = texts(tenant('south', network), world)
  expect(error).toContain('Tenant/south network internalapi')
  expect(error).toContain(other)
  expect(rest).toEqual([])
})

test.each<[Ranges]>([
  [{ ...wire, loadBalancer: ['172.27.0.91-172.27.0.99'], nodes: ['172.27.0.71/32'] }],
  [{ ...wire, vlan: 30, attachments: ['172.27.0.30-172.27.0.70'] }],
  [{ ...wire, interface: 'enp7s0', attachments: ['172.27.0.30-172.27.0.70'] }],
  [{ cidrs, interface: 'enp6s0', attachments: ['172.27.0.30-172.27.0.70'] }],
])('[R4.22] %j is admitted', (network) => {
  expect(texts(tenant('south', network), worldOf(north))).toEqual([])
})

test('[R4.22] an interface is what the node policies say it is', () => {
  const policy = nodePolicy('p', [{ name: 'internal', base: 'enp6s0', vlan: 20 }])
  const south = tenant('south', {
    cidrs,
    interface: 'internal',
    attachments: ['172.27.0.30-172.27.0.70'],
  })
  expect(texts(south, worldOf(north, policy))).toHaveLength(1)
})

test('[R4.22] a tenant is not in its own way, its networks are', () => {
  expect(texts(good, worldOf(good))).toEqual([])
  const [first, second] = ['172.27.0.80-172.27.0.90', '172.27.0.90-172.27.0.99']
  const two = tenant(
    'south',
    { name: 'one', cidrs, loadBalancer: [first ?? ''] },
    { name: 'two', cidrs, vlan: 21, loadBalancer: [second ?? ''] },
  )
  const [error] = texts(two)
  expect(error).toContain('spec.networks[1].loadBalancer[0]')
  expect(error).toContain('Tenant/south network one')
})

test('[R4.20] a tenant whose Services hold addresses stays', () => {
  const held = service('web', ['172.27.0.80'], { key: 'south/web', namespace: 'south' })
  const world = worldOf(good, held)
  expect(checkTenantDelete(world, good)).toEqual([
    { path: '', message: expect.stringContaining('tenant-in-use: south/web') },
  ])
  expect(checkTenantDelete(world, { ...good, mayBeDeleted: true })).toEqual([])
  expect(checkTenantDelete(worldOf(good), good)).toEqual([])
  expect(checkTenantDelete(world, north)).toEqual([])
})
