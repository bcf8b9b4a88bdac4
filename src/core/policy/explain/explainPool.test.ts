import { expect, test } from 'vitest'
import { addressRecord } from '../../../../test/build/addressRecord.ts'
import {
  bgp,
  l2,
  labelled,
  node,
  onNode,
  peer,
  pool,
  service,
  speakersOf,
  worldOf,
} from '../../../../test/build/announcing.ts'
import { reservation, tenant } from '../../../../test/build/wires.ts'
import type { View } from '../../model/view.ts'
import { decideService } from '../decideService.ts'
import { explainPool } from './explainPool.ts'

const explain = (name: string, ...views: readonly View[]) => {
  const world = worldOf(...views)
  for (let key = world.queue.pop(); key !== undefined; key = world.queue.pop()) {
    world.apply({ type: 'intent', intent: decideService(world, key).intent })
  }
  return explainPool(world, speakersOf(world), name)
}
const lan = pool('lan', ['10.0.0.0/30', 'fd00::/64'])
const keptFree = addressRecord('10.0.0.2', { isOurs: false })

test('its definition, with the names it answers to', () => {
  const scoped = pool('scoped', ['10.1.0.1/32'], {
    serves: ['net'],
    autoAssign: false,
    whenFull: 'often',
    allocation: {
      priority: 2,
      namespaces: ['shop'],
      namespaceSelectors: [labelled({ team: 'red' })],
      serviceSelectors: [],
    },
  })
  expect(explain('scoped', scoped)).toMatchObject({
    ranges: ['10.1.0.1'],
    autoAssign: false,
    avoidBuggyIPs: false,
    priority: 2,
    scope: { namespaces: ['shop'], namespaceSelectors: ['team=red'], serviceSelectors: [] },
    answersTo: ['scoped', 'net'],
    tenant: '',
    whenFull: 'wait',
  })
})

test('[R4.14] a pool that is made from a tenant is there before its object is', () => {
  const network = { cidrs: ['172.27.0.0/24'], loadBalancer: ['172.27.0.80-172.27.0.90'] }
  expect(explain('mine-internalapi', tenant('mine', network))).toMatchObject({
    tenant: 'mine',
    madeFrom: 'mine',
    answersTo: ['mine-internalapi', 'internalapi'],
    whenFull: 'wait',
  })
})

test('[M1.1] how full it is: held, reserved and in use elsewhere, each address once', () => {
  const explained = explain(
    'lan',
    lan,
    service('b', ['10.0.0.1'], { sharingKey: 'k' }),
    service('a', ['10.0.0.1'], { sharingKey: 'k' }),
    service('six', ['fd00::1'], { clusterFamilies: ['IPv6'] }),
    keptFree,
    reservation('shop/n', ['10.0.0.1', '10.0.0.2', '10.0.0.3']),
  )
  expect(explained?.use).toEqual([
    { family: 'IPv4', capacity: 4n, held: 1, reserved: 1, elsewhere: 1, free: 1n },
    {
      family: 'IPv6',
      capacity: 2n ** 64n,
      held: 1,
      reserved: 0,
      elsewhere: 0,
      free: 2n ** 64n - 1n,
    },
  ])
  expect(explained?.holdings).toEqual([
    { address: '10.0.0.1', services: ['default/a', 'default/b'] },
    { address: 'fd00::1', services: ['default/six'] },
  ])
})

const full = [pool('one', ['10.1.0.1/32']), service('holder', ['10.1.0.1'])]
test.each([
  { what: 'one that chose it', given: {}, reason: 'pool-full' },
  { what: 'one that asks for its name', given: { asksPool: 'one' }, reason: 'pool-full' },
  {
    what: 'one that asks for its address',
    given: { asksByField: '10.1.0.1' },
    reason: 'address-taken',
  },
  {
    what: 'one that asks for its name and another family',
    given: { asksPool: 'one', clusterFamilies: ['IPv6' as const] },
    reason: 'family-not-in-pool',
  },
  { what: 'not one that asks for another', given: { asksPool: 'two' }, reason: undefined },
  {
    what: 'not one that asks for another address',
    given: { asksByField: '10.2.0.1' },
    reason: undefined,
  },
])('[R2.3] who waits for it: $what', ({ given, reason }) => {
  const explained = explain('one', ...full, service('late', [], given))
  expect(explained?.waiters.map((waiter) => waiter.reason)).toEqual(reason ? [reason] : [])
})

test('[R1.2] who may not use it waits for it all the same, having asked for its name', () => {
  const fenced = pool('theirs', ['10.1.0.1/32'], { tenant: 'other', serves: ['net'] })
  const asking = service('web', [], { asksPool: 'net' })
  const explained = explain('theirs', fenced, tenant('other'), asking)
  expect(explained?.waiters).toMatchObject([{ reason: 'pool-of-another-tenant' }])
})

test('what announces it, from where, by what; and what is wrong with those', () => {
  const explained = explain(
    'lan',
    lan,
    node('n1'),
    node('n2'),
    l2('z', { pools: ['lan'], interfaces: ['eth0'], nodeSelectors: [onNode('n1')] }),
    l2('a', { serviceSelectors: [labelled({ app: 'web' })] }),
    l2('other', { pools: ['wan'] }),
    bgp('routes', { communities: ['unknown'], peers: ['tor'] }),
    peer('tor'),
    peer('spine'),
  )
  expect(explained?.coverage).toEqual({
    layer2: [
      {
        object: 'L2Advertisement/metallb-system/a',
        name: 'a',
        nodes: ['n1', 'n2'],
        isChoosy: true,
        interfaces: [],
      },
      {
        object: 'L2Advertisement/metallb-system/z',
        name: 'z',
        nodes: ['n1'],
        isChoosy: false,
        interfaces: ['eth0'],
      },
    ],
    bgp: [
      {
        object: 'BGPAdvertisement/metallb-system/routes',
        name: 'routes',
        nodes: ['n1', 'n2'],
        isChoosy: false,
        peers: ['tor'],
        inert: ['no Community defines the alias unknown'],
      },
    ],
  })
  expect(explained?.problems).toMatchObject([
    { code: 'unresolved-reference', object: 'BGPAdvertisement/metallb-system/routes' },
  ])
})

test('problems of the pool itself, with their remedy', () => {
  const explained = explain('a', pool('a', ['10.1.0.1/32'], { tenant: 'ghost' }), lan)
  expect(explained?.problems).toMatchObject([
    {
      code: 'unknown-tenant',
      object: 'IPAddressPool/metallb-system/a',
      remedy: 'create the tenant, or remove the label berth.dev/tenant',
    },
  ])
})

test('there is nothing to say of a pool that is not there', () => {
  expect(explain('wan', lan)).toBeUndefined()
})
