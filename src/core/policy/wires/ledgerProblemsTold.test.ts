// How is a conflict told: in which words, of which objects, how gravely, and how many times?
import { expect, test } from 'vitest'
import { l2, pool, worldOf } from '../../../../test/build/announcing.ts'
import { attachment, netConfig, reservation, tenant } from '../../../../test/build/wires.ts'
import type { View } from '../../model/view.ts'
import { ledgerProblems } from './ledgerProblems.ts'

const found = (views: readonly View[]): string[] =>
  ledgerProblems(worldOf(...views)).map(({ code, object }) => `${code} ${object}`)

const thePool = 'IPAddressPool/metallb-system/internalapi'
const theNetConfig = 'NetConfig/openstack/netconfig'
const theAttachment = 'NetworkAttachmentDefinition/openstack/internalapi'
const theOther = 'NetworkAttachmentDefinition/openstack2/internalapi'
const mine = attachment('openstack/internalapi', { master: 'enp6s0.20' })

test('[R4.22] two tenants may have one subnet on two VLANs: a warning', () => {
  const network = { cidrs: ['172.17.0.0/24'], vlan: 20, interface: 'enp6s0' }
  const range = ['172.17.0.30-172.17.0.70']
  const views = [
    tenant('north', { ...network, attachments: range, nodes: ['172.17.0.100-172.17.0.250'] }),
    tenant('south', { ...network, vlan: 21, attachments: range, nodes: ['172.17.0.100/30'] }),
  ]
  const problems = ledgerProblems(worldOf(...views))
  expect(problems.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    'warning one-subnet-two-vlans',
    'warning one-subnet-two-vlans',
  ])
})

test('[R5] each problem names both objects, the addresses and the field', () => {
  const problems = ledgerProblems(
    worldOf(
      pool('internalapi', ['172.17.0.80-172.17.0.90', '172.18.0.80-172.18.0.90']),
      netConfig(
        'openstack',
        { cidr: '172.17.0.0/24', vlan: 20, ranges: ['172.17.0.90-172.17.0.250'] },
        { network: 'Storage', cidr: '172.18.0.0/24', vlan: 30, ranges: ['172.18.0.85/32'] },
      ),
    ),
  )
  const message =
    'IPAddressPool/metallb-system/internalapi and NetConfig/openstack/netconfig both have ' +
    '172.17.0.90 (nodes of InternalApi), 172.18.0.85 (nodes of Storage)'
  const code = 'overlap-vip-node'
  expect(problems).toEqual([
    { code, severity: 'error', object: thePool, field: 'spec.addresses', message },
    { code, severity: 'error', object: theNetConfig, field: 'spec.networks', message },
  ])
})

const messages: { title: string; views: readonly View[]; message: string }[] = [
  {
    title: 'one subnet on two VLANs',
    views: [netConfig('openstack', { cidr: '172.17.0.0/24', vlan: 30 }), mine],
    message:
      `${theNetConfig} and ${theAttachment} put one subnet on two VLANs: ` +
      '172.17.0.0/24 (VLAN 30, VLAN 20)',
  },
  {
    title: 'two subnets on one VLAN',
    views: [
      mine,
      attachment('openstack2/internalapi', {
        master: 'enp6s0.20',
        subnet: '172.27.0.0/24',
        given: '172.27.0.30',
      }),
    ],
    message:
      `${theAttachment} and ${theOther} put two subnets on one VLAN: ` +
      'enp6s0.20 (172.17.0.0/24, 172.27.0.0/24)',
  },
  {
    title: 'an object with itself',
    views: [attachment('openstack/internalapi', { master: 'enp6s0.20', gateway: '172.17.0.30' })],
    message: `two parts of ${theAttachment} both have 172.17.0.30 (gateway)`,
  },
  {
    title: 'more than five',
    views: [
      pool('internalapi', ['172.17.0.0/24']),
      reservation(
        'openstack/many',
        [1, 2, 3, 4, 5, 6, 7].map((last) => `172.17.0.${last}`),
      ),
    ],
    message:
      `${thePool} and Reservation/openstack/many both have ` +
      '172.17.0.1, 172.17.0.2, 172.17.0.3, 172.17.0.4, 172.17.0.5 and 2 more',
  },
]
test.each(messages)('[R5] in words: $title', ({ views, message }) => {
  expect(new Set(ledgerProblems(worldOf(...views)).map((problem) => problem.message))).toEqual(
    new Set([message]),
  )
})

test('[R5] a hundred namespaces with one range are told of one partner each', () => {
  const views = Array.from({ length: 100 }, (_, index) =>
    attachment(`ns-${index}/internalapi`, { master: 'enp6s0.20' }),
  )
  const problems = found(views)
  expect(new Set(problems).size).toBe(100)
  expect(problems.length).toBe(198)
})

test('[R5] a VLAN with a hundred subnets is told once for each', () => {
  const views = Array.from({ length: 100 }, (_, index) =>
    attachment(`ns/n${index}`, {
      master: 'enp6s0.20',
      subnet: `10.0.${index}.0/24`,
      given: `10.0.${index}.9`,
    }),
  )
  const problems = found(views)
  expect(new Set(problems).size).toBe(100)
  expect(problems.length).toBe(198)
})

test('[R5] thousands of pools and attachments are compared in one walk', () => {
  const views = Array.from({ length: 2000 }, (_, index) => {
    const net = `10.${index >> 8}.${index & 255}`
    const clash = index % 100 === 0 ? 80 : 70
    return [
      pool(`p${index}`, [`${net}.80-${net}.90`]),
      l2(`l${index}`, { pools: [`p${index}`], interfaces: [`enp6s0.${1 + (index % 4000)}`] }),
      attachment(`ns-${index}/pods`, {
        master: `enp6s0.${1 + (index % 4000)}`,
        subnet: `${net}.0/24`,
        given: `${net}.30-${net}.${clash}`,
      }),
    ]
  })
  const problems = found(views.flat())
  expect(problems.length).toBe(40)
})
