// What does lint find in a NetConfig that a cluster accepts (R12.11)?
import { expect, test } from 'vitest'
import { lint } from '../../../../test/build/linting.ts'

type Subnet = {
  readonly cidr?: string
  readonly vlan?: number
  readonly gateway?: string
  readonly ranges?: readonly string[]
}

const netConfig = (networks: Readonly<Record<string, object>>): string =>
  JSON.stringify({
    apiVersion: 'network.openstack.org/v1beta1',
    kind: 'NetConfig',
    metadata: { name: 'netconfig', namespace: 'openstack' },
    spec: {
      networks: Object.entries(networks).map(([name, network]) => ({ name, ...network })),
    },
  })

const on = (...subnets: readonly Subnet[]) => ({
  subnets: subnets.map(({ ranges = [], cidr = '172.17.0.0/24', ...more }, at) => ({
    name: `subnet${at}`,
    cidr,
    allocationRanges: ranges.map((text) => {
      const [start, end] = text.split('-')
      return { start, end }
    }),
    ...more,
  })),
})

const storage = '172.18.0.0/24'
const first = 'spec.networks[0].subnets[0]'
const second = 'spec.networks[1].subnets[0]'

const ordinary: readonly [string, Readonly<Record<string, object>>][] = [
  [
    'two networks',
    {
      InternalApi: on({ vlan: 20, ranges: ['172.17.0.100-172.17.0.250'] }),
      Storage: { ...on({ cidr: storage, vlan: 21 }), mtu: 9000 },
    },
  ],
  [
    'dual stack on one VLAN',
    { InternalApi: on({ vlan: 20 }), V6: on({ cidr: 'fd00::/64', vlan: 20 }) },
  ],
  [
    'leaves of one network with one VLAN id',
    { InternalApi: on({ vlan: 20 }, { cidr: storage, vlan: 20 }) },
  ],
  [
    'a network of two addresses',
    { P2p: on({ cidr: '10.0.0.0/31', ranges: ['10.0.0.0-10.0.0.1'] }) },
  ],
]
test.each(ordinary)('[R12.11] nothing in %s', async (_, networks) => {
  expect((await lint({ 'netconfig.yaml': netConfig(networks) })).findings).toEqual([])
})

const doubtful: readonly [string, Readonly<Record<string, object>>, readonly string[]][] = [
  ['an MTU below 68', { A1: { ...on({}), mtu: -5 } }, ['unlikely-value spec.networks[0].mtu']],
  [
    'an MTU too small for IPv6',
    { A1: { ...on({ cidr: 'fd00::/64' }), mtu: 1279 } },
    ['unlikely-value spec.networks[0].mtu'],
  ],
  ['a VLAN below 1', { A1: on({ vlan: -3 }) }, [`unlikely-value ${first}.vlan`]],
  [
    'a range with both ends of the prefix',
    { A1: on({ ranges: ['172.17.0.0-172.17.0.255'] }) },
    Array(2).fill(`unlikely-value ${first}.allocationRanges[0]`),
  ],
  [
    'ranges that overlap',
    { A1: on({ ranges: ['172.17.0.100-172.17.0.200', '172.17.0.150-172.17.0.250'] }) },
    [`subnets-overlap ${first}.allocationRanges[1]`],
  ],
  [
    'one prefix in two spellings',
    { A1: on({ cidr: '172.17.0.5/24' }), A2: on({}) },
    [`subnets-overlap ${second}.cidr`],
  ],
  [
    'a prefix in another one, only one of them on a VLAN',
    { A1: on({ cidr: '172.16.0.0/12', vlan: 20 }), A2: on({}) },
    [`subnets-overlap ${second}.cidr`],
  ],
  [
    'a prefix in another one that has its gateway in a range, untagged beside a VLAN,',
    {
      CtlPlane: on({ gateway: '172.17.0.120' }),
      A2: on({ cidr: '172.17.0.0/25', vlan: 20, ranges: ['172.17.0.100-172.17.0.121'] }),
    },
    ['subnets-overlap spec.networks[0].subnets[0].cidr'],
  ],
  [
    'a VLAN below 1 of two networks, which share none,',
    { A1: on({ vlan: -3 }), A2: on({ cidr: storage, vlan: -3 }) },
    [`unlikely-value ${first}.vlan`, `unlikely-value ${second}.vlan`],
  ],
  [
    'two networks on one VLAN',
    { A1: on({ vlan: 20 }), A2: on({ cidr: storage, vlan: 20 }) },
    [`one-vlan-two-subnets ${second}.vlan`],
  ],
]
test.each(doubtful)('[R12.11] %s is a warning', async (_, networks, expected) => {
  const { exit, findings } = await lint({ 'netconfig.yaml': netConfig(networks) })
  expect(findings.map(({ code, field }) => `${code} ${field}`)).toEqual(expected)
  expect(new Set(findings.map(({ severity }) => severity))).toEqual(new Set(['warning']))
  expect(exit).toBe(0)
})

test.each([
  ['MTU', { A1: { ...on({}), mtu: 20 } }, 'A1 has MTU 20; hosts need 68 to 65535'],
  [
    'VLAN id',
    { A1: on({ vlan: -3 }) },
    'A1 subnet0 has VLAN -3: a VLAN id is 1 to 4094; leave it out for an untagged network',
  ],
])('[R12.11] the warning says which %s is right', async (_, networks, message) => {
  const { findings } = await lint({ 'netconfig.yaml': netConfig(networks) })
  expect(findings.map((one) => one.message)).toEqual([message])
})

test('[R12.11] of a thousand subnets that overlap the first twenty are told', async () => {
  const spellings = Array.from({ length: 1_000 }, (_, at) => `10.0.${at >> 8}.${at & 255}/8`)
  const config = netConfig({ A1: on(...spellings.map((cidr) => ({ cidr }))) })
  const { findings } = await lint({ 'netconfig.yaml': config })
  expect(findings.filter(({ code }) => code === 'subnets-overlap')).toHaveLength(20)
})
