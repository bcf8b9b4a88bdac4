import { expect, test } from 'vitest'
import { l2, node, onNode, pool, service, worldOf } from '../../../../test/build/announcing.ts'
import { onInterface, reported, tenant } from '../../../../test/build/wires.ts'
import type { View } from '../../model/view.ts'
import { vipsOutside } from './wiresOutside.ts'

const vips = pool('internalapi', ['172.17.0.80-172.17.0.90'])
const announced = (...interfaces: string[]) => l2('l2', { pools: ['internalapi'], interfaces })
const worker = node('worker-0', {
  annotated: [onInterface('enp6s0.20=172.17.0.5/24'), onInterface('enp6s0=192.168.122.10/24')],
})
const another = node('worker-1', { annotated: [onInterface('enp6s0=172.17.0.6/24')] })
const network = { cidrs: ['172.17.0.0/24'], interface: 'enp6s0' }
const thePool = 'IPAddressPool/metallb-system/internalapi'

/** Without `outside` there is nothing to report. */
type Case = { title: string; views: readonly View[]; outside?: string }
const cases: Case[] = [
  { title: 'inside the subnet', views: [vips, announced('enp6s0.20'), worker] },
  {
    title: 'in the subnet of another interface',
    views: [vips, announced('enp6s0'), worker],
    outside: `${thePool}: 172.17.0.80-172.17.0.90 in no subnet of enp6s0`,
  },
  { title: 'on any interface', views: [vips, announced(), worker] },
  {
    title: 'partly outside',
    views: [pool('internalapi', ['172.17.0.250-172.17.1.9']), announced('enp6s0.20'), worker],
    outside: `${thePool}: 172.17.1.0-172.17.1.9 in no subnet of enp6s0.20`,
  },
  {
    title: 'one of two ranges, one of two families',
    views: [
      pool('internalapi', ['172.17.0.80/32', '172.29.0.80/32', 'fd00::80/128']),
      announced(),
      worker,
    ],
    outside: `${thePool}: 172.29.0.80, fd00::80 in no subnet of any interface`,
  },
  { title: 'without layer 2', views: [pool('internalapi', ['203.0.113.0/24']), worker] },
  { title: 'another node has the subnet', views: [vips, announced('enp6s0'), worker, another] },
  {
    title: 'another advertisement has the interface',
    views: [vips, announced('enp6s0'), l2('more', { interfaces: ['enp6s0.20'] }), worker],
  },
  {
    title: 'only a node that does not announce it has the subnet',
    views: [
      vips,
      { ...announced('enp6s0', 'ospbr'), nodeSelectors: [onNode('worker-0')] },
      worker,
      another,
    ],
    outside: `${thePool}: 172.17.0.80-172.17.0.90 in no subnet of enp6s0 or ospbr`,
  },
  {
    title: 'nobody knows the interfaces of one node',
    views: [vips, announced('enp6s0'), worker, node('worker-1')],
  },
  { title: 'there is no node', views: [vips, announced('enp6s0')] },
  {
    title: 'a host address is no subnet',
    views: [
      pool('internalapi', ['203.0.113.10/32']),
      announced(),
      node('worker-0'),
      reported('worker-0', ['enp6s0=192.168.122.10/24', 'lo=203.0.113.10/32']),
      service('web', ['203.0.113.10']),
    ],
    outside: `${thePool}: 203.0.113.10 in no subnet of any interface`,
  },
  {
    title: 'a tenant announces on the interface of its network',
    views: [tenant('north', { ...network, vlan: 21, loadBalancer: ['172.17.0.80/31'] }), worker],
    outside: 'Tenant/north: 172.17.0.80-172.17.0.81 in no subnet of enp6s0.21',
  },
  {
    title: 'a tenant announces by BGP',
    views: [
      tenant('north', { ...network, loadBalancer: ['10.0.0.9/32'], announce: 'BGP' }),
      worker,
    ],
  },
]
test.each(cases)('[R5] $title', ({ views, outside }) => {
  const found = vipsOutside(worldOf(...views)).map(({ message }) => message)
  const tail = 'on the nodes that announce it'
  expect(found).toEqual(outside === undefined ? [] : [`${outside} ${tail}`])
})

test('[R5] the problem is reported on the pool, or on the tenant that it was made from', () => {
  const problems = vipsOutside(
    worldOf(
      vips,
      announced('enp6s0'),
      tenant('north', network, { ...network, name: 'api', loadBalancer: ['172.27.0.80/32'] }),
      worker,
    ),
  )
  const code = 'vip-outside-subnet'
  expect(problems).toMatchObject([
    { code, severity: 'error', object: thePool, field: 'spec.addresses' },
    { code, severity: 'error', object: 'Tenant/north', field: 'spec.networks[1].loadBalancer' },
  ])
})
