import { expect, test } from 'vitest'
import { addressRecord } from '../../../../test/build/addressRecord.ts'
import {
  bgp,
  endpoints,
  ip,
  l2,
  node,
  nodeInterfaces,
  peer,
  pool,
  service,
  speakersOf,
  worldOf,
} from '../../../../test/build/announcing.ts'
import { reported } from '../../../../test/build/wires.ts'
import type { View } from '../../model/view.ts'
import { decideService } from '../decideService.ts'
import { type AddressExplanation, explainAddress } from './explainAddress.ts'

const lan = pool('lan', ['10.0.0.0/24'], { avoidBuggyIPs: true })
const explain = (text: string, ...views: readonly View[]) => {
  const world = worldOf(...views)
  for (let key = world.queue.pop(); key !== undefined; key = world.queue.pop()) {
    world.apply({ type: 'intent', intent: decideService(world, key).intent })
  }
  return explainAddress(world, speakersOf(world), ip(text))
}
const kept = (text: string, reservedFor?: string) =>
  addressRecord(text, { isOurs: false, reservedFor, note: 'for the old front end' })

type Case = {
  readonly rule: string
  readonly what: string
  readonly address?: string
  readonly views?: readonly View[]
  readonly says: Partial<AddressExplanation>
}
const cases: Case[] = [
  {
    rule: 'R3',
    what: 'free',
    says: { isFound: true, pool: 'lan', object: '10.0.0.9', holders: [] },
  },
  {
    rule: 'M1.1',
    what: 'left out',
    address: '10.0.0.255',
    says: { isFound: true, pool: 'lan', isAvoided: true },
  },
  {
    rule: 'R3.11',
    what: 'held, with the terms of each holder',
    views: [
      service('b', ['10.0.0.9'], { sharingKey: 'k' }),
      service('a', ['10.0.0.9'], { sharingKey: 'k' }),
    ],
    says: {
      holders: ['a', 'b'].map((name) => ({
        service: `default/${name}`,
        ports: [`TCP/${name}`],
        sharingKey: 'k',
        backend: '',
        tenant: '',
      })),
    },
  },
  {
    rule: 'R3.2',
    what: 'reserved',
    views: [kept('10.0.0.9', 'shop/web')],
    says: { reservation: { reservedFor: 'shop/web', note: 'for the old front end' } },
  },
  {
    rule: 'R3.3',
    what: 'kept free outside every pool',
    address: '10.5.0.1',
    views: [kept('10.5.0.1')],
    says: { isFound: true, reservation: { note: 'for the old front end' } },
  },
  {
    rule: 'R5',
    what: 'a node has it, told once however often it is known',
    views: [node('n1', { addresses: [ip('10.0.0.9')] }), reported('n1', ['eth0=10.0.0.9/24'])],
    says: { elsewhere: ['Node/n1'] },
  },
  {
    rule: 'R2.3',
    what: 'waited for, oldest first',
    views: [
      service('holder', ['10.0.0.9']),
      service('late', [], { asksByField: '10.0.0.9', createdAt: '2026-01-03T00:00:00Z' }),
      service('early', [], { asksByField: '10.0.0.9', createdAt: '2026-01-02T00:00:00Z' }),
    ],
    says: {
      waiters: [
        ['early', '2026-01-02T00:00:00Z'],
        ['late', '2026-01-03T00:00:00Z'],
      ].map(([name, createdAt = '']) => ({
        service: `default/${name}`,
        createdAt,
        reason: 'address-taken',
        message: '10.0.0.9 is held by default/holder',
      })),
    },
  },
  {
    rule: 'R3',
    what: 'nowhere: the nearest pools of its family',
    address: '10.0.2.1',
    views: [pool('far', ['10.9.0.0/24', 'fd00::/64']), pool('six', ['fd01::/64'])],
    says: {
      isFound: false,
      near: [
        { pool: 'lan', range: '10.0.0.0-10.0.0.255' },
        { pool: 'far', range: '10.9.0.0-10.9.0.255' },
      ],
    },
  },
  {
    rule: 'R3',
    what: 'IPv6 has its object under a name without colons',
    address: 'fd00::9',
    says: { isFound: false, object: 'fd00-0-0-0-0-0-0-9', near: [] },
  },
]
test.each(cases)('[$rule] $what', ({ address = '10.0.0.9', views = [], says }) => {
  expect(explain(address, lan, ...views)).toMatchObject(says)
})

test('[M6.2] announced by layer 2, and by a route that it lies in', () => {
  const { announcements } = explain(
    '10.0.0.9',
    lan,
    service('web', ['10.0.0.9']),
    endpoints('web', ['n1']),
    node('n1'),
    nodeInterfaces('n1', ['eth0']),
    l2('lan'),
    bgp('lan', { aggregationLength: 24 }),
    peer('tor'),
  )
  expect(announcements).toMatchObject([
    { protocol: 'layer2', node: 'n1', address: '10.0.0.9' },
    { protocol: 'bgp', node: 'n1', prefix: '10.0.0.0/24', peer: 'tor' },
  ])
})

test('[P8] held, and nobody announces it: why not, for each holder', () => {
  const held = service('web', ['10.0.0.9'])
  const explained = explain('10.0.0.9', lan, held, endpoints('web', ['n1']), node('n1'))
  expect(explained).toMatchObject({
    announcements: [],
    silence: [
      {
        service: 'default/web',
        why: 'noMatchingAdvertisement: no L2Advertisement or BGPAdvertisement covers pool lan',
      },
    ],
  })
  const told = explain('10.0.0.9', lan, held, node('n1'), nodeInterfaces('n1', ['eth0']), l2('lan'))
  expect(told.silence.map(({ reason }) => reason)).toContain('noEndpoints')
})
