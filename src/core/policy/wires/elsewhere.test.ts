import { expect, test } from 'vitest'
import { ip, node, pool, service, worldOf } from '../../../../test/build/announcing.ts'
import {
  attachment,
  netConfig,
  nodePolicy,
  onInterface,
  reported,
  reservation,
  tenant,
} from '../../../../test/build/wires.ts'
import { elsewhereKinds, elsewhereOf } from '../../model/elsewhere.ts'
import type { View } from '../../model/view.ts'
import { addressesElsewhere } from './elsewhere.ts'

const views: readonly View[] = [
  node('worker-0', {
    addresses: [ip('192.168.122.10'), ip('fd00::10')],
    annotated: [onInterface('enp6s0.20=172.17.0.5/24'), onInterface('enp6s0=192.168.122.10/24')],
  }),
  node('worker-1', { addresses: [ip('172.17.0.5')] }),
  reported('worker-1', ['enp6s0.20=172.17.0.6/24']),
  netConfig('openstack', {
    cidr: '172.17.0.0/24',
    gateway: '172.17.0.1',
    nextHops: ['172.17.0.2', '172.17.0.1'],
    ranges: ['172.17.0.100-172.17.0.250'],
  }),
  tenant(
    'north',
    { cidrs: ['172.17.0.0/24'], gateway: '172.17.0.1' },
    { cidrs: ['172.18.0.0/24'] },
  ),
  reservation('openstack/edpm-compute-0', ['172.17.0.100']),
]

test('[R5] names the first object that holds an address', () => {
  expect([...addressesElsewhere(worldOf(...views))].sort()).toEqual([
    ['172.17.0.1', 'NetConfig/openstack/netconfig'],
    ['172.17.0.100', 'Reservation/openstack/edpm-compute-0'],
    ['172.17.0.2', 'NetConfig/openstack/netconfig'],
    ['172.17.0.5', 'Node/worker-0'],
    ['172.17.0.6', 'Node/worker-1'],
    ['192.168.122.10', 'Node/worker-0'],
    ['fd00::10', 'Node/worker-0'],
  ])
})

test('[R5] does not depend on the order in which objects came', () => {
  const backwards = addressesElsewhere(worldOf(...views.toReversed()))
  expect(new Map([...backwards].sort())).toEqual(
    new Map([...addressesElsewhere(worldOf(...views))].sort()),
  )
})

test('each address once for one object', () => {
  expect(views.map((view) => elsewhereOf(view).length)).toEqual([3, 1, 1, 2, 1, 1])
})

const others: readonly View[] = [
  pool('p', ['172.17.0.80/32']),
  service('web', ['172.17.0.80']),
  attachment('openstack/internalapi', { master: 'enp6s0.20', gateway: '172.17.0.1' }),
  nodePolicy('worker-0', [{ name: 'enp6s0', addresses: ['192.168.122.10/24'] }], ['192.168.122.1']),
]
test.each(others)('[R5] $kind keeps no address back', (view) => {
  expect(elsewhereOf(view)).toEqual([])
  expect(elsewhereKinds).not.toContain(view.kind)
})
