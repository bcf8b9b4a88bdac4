import { expect, test } from 'vitest'
import { prefix, range } from '../../../../test/build/wires.ts'
import { rangeText } from '../../../core/net/intervals.ts'
import { decodeAttachment } from './decodeAttachment.ts'
import { decodeNodePolicy } from './decodeNodePolicy.ts'
import { decodeNetConfig, decodeReservation } from './decodeWires.ts'
import { Fields } from './fields.ts'

const object = (spec: object) =>
  new Fields({ metadata: { name: 'x', namespace: 'openstack' }, spec }, [])

const netConfig = (subnet: object) =>
  decodeNetConfig(object({ networks: [{ name: 'InternalApi', subnets: [subnet] }] })).subnets[0]

test('[O1.1] a subnet of a NetConfig', () => {
  const subnet = {
    name: 'subnet1',
    cidr: '172.17.0.0/24',
    vlan: 20,
    gateway: '172.17.0.1',
    allocationRanges: [{ start: '172.17.0.100', end: '172.17.0.250' }],
    routes: [{ destination: '0.0.0.0/0', nexthop: '172.17.0.2' }],
  }
  expect(netConfig(subnet)).toMatchObject({
    network: 'InternalApi',
    name: 'subnet1',
    cidr: prefix('172.17.0.0/24'),
    vlan: 20,
    gateway: '172.17.0.1',
    nextHops: ['172.17.0.2'],
    ranges: [range('172.17.0.100-172.17.0.250')],
  })
})

const ten = { start: '10.0.0.1', end: '10.0.0.10' }
test.each([
  [[ten], ['10.0.0.5'], ['10.0.0.1-10.0.0.4', '10.0.0.6-10.0.0.10']],
  [[ten], ['10.0.0.1', '10.0.0.10', '10.0.0.11', 'fd00::5'], ['10.0.0.2-10.0.0.9']],
  [[{ start: '10.0.0.1', end: '10.0.0.1' }], ['10.0.0.1'], []],
  [
    [{ start: '10.0.0.9', end: '10.0.0.1' }, { start: 'x', end: '10.0.0.1' }, ten],
    [],
    ['10.0.0.1-10.0.0.10'],
  ],
  [[{ start: '10.0.0.9', end: 'fd00::1' }], [], []],
])('[O1.1] ranges %j without %j: %j', (allocationRanges, excludeAddresses, given) => {
  const ranges = netConfig({ allocationRanges, excludeAddresses })?.ranges ?? []
  expect(ranges.map(rangeText)).toEqual(given)
})

test('[O1.3] a Reservation has the addresses of its networks, in order of name', () => {
  const reservation = {
    Storage: { network: 'Storage', address: '172.18.0.100' },
    CtlPlane: { address: '192.168.122.100' },
    Broken: { address: '' },
  }
  expect(decodeReservation(object({ reservation })).occupied).toEqual([
    '192.168.122.100',
    '172.18.0.100',
  ])
})

test('[R4.17] a node policy: interfaces, VLANs, addresses, next hops; not what it removes', () => {
  const desiredState = {
    interfaces: [
      {
        name: 'enp6s0.20',
        type: 'vlan',
        vlan: { 'base-iface': 'enp6s0', id: 20 },
        ipv4: { address: [{ ip: '172.17.0.5', 'prefix-length': 24 }] },
        ipv6: { address: [{ ip: 'fd00::5', 'prefix-length': 64 }, { ip: 'bad' }] },
      },
      { name: 'gone', state: 'absent' },
      { name: 'enp7s0', type: 'ethernet', state: 'up' },
    ],
    routes: {
      config: [
        { 'next-hop-address': '172.17.0.1' },
        { 'next-hop-address': '172.17.0.2', state: 'absent' },
      ],
    },
  }
  expect(decodeNodePolicy(object({ desiredState }))).toEqual({
    kind: 'NodeNetworkConfigurationPolicy',
    name: 'x',
    interfaces: [
      {
        name: 'enp6s0.20',
        base: 'enp6s0',
        vlan: 20,
        addresses: [
          { address: '172.17.0.5', prefixLength: 24 },
          { address: 'fd00::5', prefixLength: 64 },
        ],
      },
      { name: 'enp7s0', base: '', vlan: undefined, addresses: [] },
    ],
    nextHops: ['172.17.0.1'],
  })
})

test('a node policy may write numbers as text, as kustomize leaves them', () => {
  const vlan = { 'base-iface': 'enp6s0', id: '20' }
  const ipv4 = { address: [{ ip: '172.17.0.5', 'prefix-length': '24' }] }
  const desiredState = { interfaces: [{ name: 'internalapi', vlan, ipv4 }] }
  expect(decodeNodePolicy(object({ desiredState })).interfaces).toEqual([
    {
      name: 'internalapi',
      base: 'enp6s0',
      vlan: 20,
      addresses: [{ address: '172.17.0.5', prefixLength: 24 }],
    },
  ])
})

const attachment = (config: object | string) =>
  decodeAttachment(object({ config: typeof config === 'string' ? config : JSON.stringify(config) }))
const given = (ipam: object) =>
  attachment({ ipam: { type: 'whereabouts', ...ipam } }).ranges.map((one) => rangeText(one.given))

const bounds = { range_start: '172.17.0.30', range_end: '172.17.0.70' }
test.each([
  [{ range: '172.17.0.0/24', ...bounds }, ['172.17.0.30-172.17.0.70']],
  [{ range: '172.17.0.0/24' }, ['172.17.0.1-172.17.0.254']],
  [{ range: '172.17.0.30-172.17.0.70/24' }, ['172.17.0.30-172.17.0.70']],
  [{ range: '172.17.0.30-172.17.1.70/24' }, ['172.17.0.1-172.17.0.254']],
  [{ range: '172.17.0.0/24', range_start: '172.18.0.1' }, ['172.17.0.1-172.17.0.254']],
  [
    { range: '172.17.0.0/24', range_start: '172.17.0.70', range_end: '172.17.0.30' },
    ['172.17.0.70-172.17.0.254'],
  ],
  [{ range: 'fd00::/120' }, ['fd00::1-fd00::fe']],
  [
    { ipRanges: [{ range: '10.0.0.0/30' }, { range: 'fd00::/126' }] },
    ['10.0.0.1-10.0.0.2', 'fd00::1-fd00::2'],
  ],
  [
    { range: '10.1.0.0/30', ipRanges: [{ range: '10.0.0.0/30' }] },
    ['10.1.0.1-10.1.0.2', '10.0.0.1-10.0.0.2'],
  ],
  [{ range: 'all' }, []],
  [{}, []],
])('[O6.2] for %j, whereabouts assigns from %j', (ipam, ranges) => {
  expect(given(ipam)).toEqual(ranges)
})

test('[O6.2] exclusions, and the gateway of each family', () => {
  const ipam = {
    type: 'whereabouts',
    range: '172.17.0.0/24',
    exclude: ['172.17.0.64/26', '172.17.0.5', 'x'],
    gateway: '172.17.0.1',
    ipRanges: [{ range: 'fd00::/64' }],
    network_name: 'north',
  }
  const [four, six] = attachment({ type: 'macvlan', master: 'enp6s0.20', ipam }).ranges
  expect(four?.excluded).toEqual([range('172.17.0.64/26'), range('172.17.0.5')])
  expect([four?.gateway, six?.gateway]).toEqual(['172.17.0.1', undefined])
})

const ipam = { type: 'whereabouts', range: '10.0.0.0/24' }
test.each([
  [{ type: 'macvlan', master: 'enp6s0', ipam }, 'enp6s0', undefined, 1],
  [{ type: 'vlan', master: 'enp6s0', vlanId: 20, ipam }, 'enp6s0', 20, 1],
  [{ type: 'bridge', bridge: 'octbr', vlan: 23, ipam }, 'octbr', 23, 1],
  [
    { plugins: [{ type: 'ipvlan', master: 'eth1', ipam }, { type: 'tuning' }] },
    'eth1',
    undefined,
    1,
  ],
  [{ plugins: [{ type: 'bridge', bridge: 'br0' }] }, 'br0', undefined, 0],
  [
    { type: 'macvlan', master: 'eth1', ipam: { ...ipam, type: 'host-local' } },
    'eth1',
    undefined,
    0,
  ],
  ['not JSON', '', undefined, 0],
  ['[]', '', undefined, 0],
])('[O6.1] the wire of %j is %s', (config, master, vlan, count) => {
  const { ranges, ...rest } = attachment(config)
  expect(rest).toMatchObject({ master, vlan })
  expect(ranges).toHaveLength(count)
})
