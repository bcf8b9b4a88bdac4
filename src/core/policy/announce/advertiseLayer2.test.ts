import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  endpoints,
  ip,
  l2,
  labelled,
  node,
  nodeInterfaces,
  onNode,
  pool,
  service,
  speakersOf,
  worldOf,
} from '../../../../test/build/announcing.ts'
import { excludeLabel } from '../../model/node.ts'
import type { ServiceView } from '../../model/service.ts'
import type { View } from '../../model/view.ts'
import type { World } from '../../model/world.ts'
import { type Advertising, advertise } from './advertise.ts'
import type { Refusal } from './subject.ts'

const nodes = [node('node-a'), node('node-b'), node('node-c')]
const usual = [...nodes, pool('p', ['10.20.30.0/24', '2001:db8:30::/120'])]
const everywhere = ['node-a', 'node-b', 'node-c']
// For this address the order is node-b, node-c, node-a (M12.4).
const address = '10.20.30.1'

const layer2Of = ({ announcements, refusals }: Advertising) => ({
  nodes: [...new Set(announcements.map((one) => one.node))],
  refusals: refusals.filter(({ protocol }) => protocol !== 'bgp'),
})
const reasonsOf = (refusals: readonly Refusal[]) =>
  refusals.map(({ node, reason }) => (node === undefined ? reason : `${node} ${reason}`))

const web = (given: Partial<ServiceView> = {}, at: readonly string[] = ['node-a']): View[] => [
  service('web', [address], given),
  endpoints('web', at),
]

type Case = {
  rule: string
  what: string
  views: readonly View[]
  down?: readonly string[]
  by?: string
  refusals?: readonly string[]
}
const all = l2('all')
const cases: Case[] = [
  {
    rule: 'M5.3',
    what: 'the first by hash announces',
    views: [all, ...web()],
    by: 'node-b',
    refusals: ['node-a notOwner', 'node-c notOwner'],
  },
  {
    rule: 'M5.3',
    what: 'no usable endpoint',
    views: [all, ...web({}, [])],
    refusals: ['noEndpoints'],
  },
  {
    rule: 'M5.3',
    what: 'no advertisement of the pool',
    views: [l2('other', { pools: ['q'] }), ...web()],
    refusals: ['noMatchingAdvertisement'],
  },
  {
    rule: 'M1.2',
    what: 'pool selectors that match nothing mean no pool',
    views: [l2('none', { poolSelectors: [labelled({ zone: 'x' })] }), ...web()],
    refusals: ['noMatchingAdvertisement'],
  },
  {
    rule: 'M1.2',
    what: 'names and pool selectors add up',
    views: [l2('one', { pools: ['p'], poolSelectors: [labelled({ zone: 'x' })] }), ...web()],
    by: 'node-b',
  },
  {
    rule: 'M5.3',
    what: 'the advertisement selects a node',
    views: [l2('on-a', { nodeSelectors: [onNode('node-a')] }), ...web()],
    by: 'node-a',
    refusals: ['node-b noMatchingAdvertisement', 'node-c noMatchingAdvertisement'],
  },
  {
    rule: 'M5.3',
    what: 'the advertisement selects other Services',
    views: [l2('sel', { serviceSelectors: [labelled({ app: 'mail' })] }), ...web()],
    refusals: ['noMatchingAdvertisement'],
  },
  {
    rule: 'M5.3',
    what: 'Service selectors and a sharing annotation exclude one another',
    views: [
      l2('sel', { serviceSelectors: [labelled({ app: 'web' })] }),
      all,
      ...web({ labels: { app: 'web' }, hasSharingAnnotation: true }),
    ],
    refusals: ['sharedIPWithServiceSelector'],
  },
  {
    rule: 'M5.3',
    what: 'Service selectors that do not match leave sharers alone',
    views: [
      l2('sel', { serviceSelectors: [labelled({ app: 'mail' })] }),
      all,
      ...web({ labels: { app: 'web' }, hasSharingAnnotation: true }),
    ],
    by: 'node-b',
  },
  {
    rule: 'M5.3',
    what: 'policy Local',
    views: [all, ...web({ isLocal: true }, ['node-a'])],
    by: 'node-a',
    refusals: ['node-b noLocalEndpoints', 'node-c noLocalEndpoints'],
  },
  {
    rule: 'M5.3',
    what: 'policy Local and an endpoint without a node',
    views: [all, ...web({ isLocal: true }, [''])],
    refusals: everywhere.map((name) => `${name} noLocalEndpoints`),
  },
  {
    rule: 'M5.3',
    what: 'a network that is unavailable',
    views: [all, node('node-b', { isNetworkUnavailable: true }), ...web()],
    by: 'node-c',
    refusals: ['node-b nodeNetworkUnavailable', 'node-a notOwner'],
  },
  {
    rule: 'R8.4',
    what: 'the exclusion label, whatever its value',
    views: [all, node('node-b', { labels: { [excludeLabel]: 'false' } }), ...web()],
    by: 'node-c',
    refusals: ['node-b nodeLabeledExcludeBalancers', 'node-a notOwner'],
  },
  {
    rule: 'M5.3',
    what: 'a speaker that is not seen',
    views: [all, ...web()],
    down: ['node-b', 'node-c'],
    by: 'node-a',
    refusals: ['node-b speakerDown', 'node-c speakerDown'],
  },
]

describe('who announces', () => {
  test.each(cases)('[$rule] $what: $by', ({ views, down, by, refusals }) => {
    const world = worldOf(...usual, ...views)
    const answer = layer2Of(advertise(world, speakersOf(world, down), 'default/web'))
    expect(answer.nodes).toEqual(by === undefined ? [] : [by])
    if (refusals) expect(reasonsOf(answer.refusals)).toEqual(refusals)
  })

  test('[M5.3] preferences add up over advertisements, only among the nodes each selects', () => {
    const prefers = (name: string, weight: number) => [{ weight, preference: onNode(name) }]
    const world = worldOf(
      ...usual,
      ...web(),
      l2('one', { preferred: prefers('node-a', 40) }),
      l2('two', { preferred: prefers('node-a', 40) }),
      l2('three', { preferred: prefers('node-c', 70) }),
      l2('four', { preferred: prefers('node-c', 100), nodeSelectors: [onNode('node-b')] }),
      l2('five', { preferred: prefers('node-c', 100), pools: ['q'] }),
    )
    const speakers = speakersOf(world)
    expect(layer2Of(advertise(world, speakers, 'default/web')).nodes).toEqual(['node-a'])
    world.apply({ type: 'delete', kind: 'L2Advertisement', key: 'two' })
    expect(layer2Of(advertise(world, speakers, 'default/web')).nodes).toEqual(['node-c'])
  })
})

type Wires = { what: string; has?: readonly string[]; lists: readonly string[][]; on?: string[] }
const wires: Wires[] = [
  { what: 'all that the node has', has: ['eth1', 'eth0'], lists: [[]], on: ['eth0', 'eth1'] },
  { what: 'the listed ones', has: ['eth0', 'eth1'], lists: [['eth1', 'eth9']], on: ['eth1'] },
  { what: 'lists add up', has: ['a', 'b', 'c'], lists: [['c'], ['a']], on: ['a', 'c'] },
  { what: 'no list means all', has: ['a', 'b'], lists: [['a'], []], on: ['a', 'b'] },
  { what: 'none that exists', has: ['eth0'], lists: [['eth9']] },
  { what: 'unknown, listed', lists: [['eth1', 'eth0']], on: ['eth0', 'eth1'] },
  { what: 'unknown, all', lists: [[]], on: [] },
]

describe('on which interfaces', () => {
  test.each(wires)('[M5.4] $what: $on', ({ has, lists, on }) => {
    const world = worldOf(...usual, ...web())
    const known = has ? [nodeInterfaces('node-b', has)] : []
    const listing = lists.map((interfaces, at) => l2(`ad-${at}`, { interfaces }))
    const elsewhere = l2('elsewhere', { interfaces: ['b'], nodeSelectors: [onNode('node-a')] })
    for (const view of [...known, ...listing, elsewhere]) world.apply({ type: 'upsert', view })
    const { announcements, refusals } = advertise(world, speakersOf(world), 'default/web')
    const common = { protocol: 'layer2', service: 'default/web', address, node: 'node-b' }
    expect(announcements).toEqual(on ? [{ ...common, interfaces: on }] : [])
    // The election does not look at interfaces: no other node steps in.
    const failed = refusals.filter(({ reason }) => reason === 'announceFailed')
    expect(reasonsOf(failed)).toEqual(on ? [] : ['node-b announceFailed'])
  })
})

describe('a pool that is split safely', () => {
  const split = (value: string, names: readonly string[]) => [
    ...names.map((name) => node(name)),
    pool('p', ['10.20.30.0/24'], { split: value }),
    all,
    ...web(),
  ]
  test.each([
    { value: 'safe', names: everywhere, down: ['node-b'], by: ['node-c'] },
    { value: 'safe', names: everywhere, down: ['node-b', 'node-c'], by: [] },
    { value: 'available', names: everywhere, down: ['node-b', 'node-c'], by: ['node-a'] },
    { value: 'bogus', names: everywhere, down: ['node-b', 'node-c'], by: ['node-a'] },
    { value: 'safe', names: [...everywhere, 'node-d'], down: ['node-b', 'node-d'], by: [] },
    { value: 'safe', names: ['node-a', 'node-b'], down: ['node-b'], by: ['node-a'] },
  ])('[R8.3] $value, $down of $names down: $by', ({ value, names, down, by }) => {
    const world = worldOf(...split(value, names))
    const answer = layer2Of(advertise(world, speakersOf(world, down), 'default/web'))
    expect(answer.nodes).toEqual(by)
    if (by.length === 0) expect(reasonsOf(answer.refusals)).toEqual(['noMajority'])
  })
})

const six = '2001:db8:30::1'
const sharing = { sharingKey: 'k', hasSharingAnnotation: true }

function ownersIn(world: World, down: readonly string[] = []): Record<string, string[]> {
  const owners: Record<string, string[]> = {}
  const speakers = speakersOf(world, down)
  for (const key of [...world.services.keys()].sort()) {
    owners[key] = layer2Of(advertise(world, speakers, key)).nodes
  }
  return owners
}

describe('Services that share an address', () => {
  const both = service('a-both', [address, six], sharing)
  const only = service('b-six', [six], sharing)
  const shared = [...usual, all, both, only]

  test('[R8.1] elect as one, by the first address of the first', () => {
    const at = [endpoints('a-both', ['node-a']), endpoints('b-six', ['node-a'])]
    const world = worldOf(...shared, ...at)
    expect(ownersIn(world)).toEqual({ 'default/a-both': ['node-b'], 'default/b-six': ['node-b'] })
    world.apply({ type: 'delete', kind: 'Service', key: 'default/a-both' })
    expect(ownersIn(world)).toEqual({ 'default/b-six': ['node-a'] })
  })

  test('[R8.1] one without an endpoint is not announced and plays no part', () => {
    const world = worldOf(...shared, endpoints('b-six', ['node-a']))
    expect(ownersIn(world)).toEqual({ 'default/a-both': [], 'default/b-six': ['node-a'] })
  })

  test('[R8.1] nobody is linked through one that plays no part', () => {
    const four = service('c-four', [address], sharing)
    const at = [endpoints('c-four', ['node-a']), endpoints('b-six', ['node-a'])]
    const world = worldOf(...shared, four, ...at)
    const [links, none] = [endpoints('a-both', ['node-c']), endpoints('a-both', [])]
    expect(ownersIn(world)).toMatchObject({
      'default/b-six': ['node-a'],
      'default/c-four': ['node-b'],
    })
    world.apply({ type: 'upsert', view: links })
    expect(ownersIn(world)).toMatchObject({
      'default/b-six': ['node-b'],
      'default/c-four': ['node-b'],
    })
    world.apply({ type: 'upsert', view: none })
    expect(ownersIn(world)).toMatchObject({
      'default/b-six': ['node-a'],
      'default/c-four': ['node-b'],
    })
  })

  test('[R8.1] the candidates are those of all', () => {
    const local = [service('a-both', [address, six], { ...sharing, isLocal: true }), only]
    const at = [endpoints('a-both', ['node-a', 'node-c']), endpoints('b-six', ['node-a'])]
    const world = worldOf(...shared, ...local, ...at)
    expect(ownersIn(world)).toEqual({ 'default/a-both': ['node-c'], 'default/b-six': ['node-c'] })
  })

  test('[R8.1] without a common candidate the others go with the first, and say so', () => {
    const local = [both, only].map((view) => ({ ...view, isLocal: true }))
    const at = [endpoints('a-both', ['node-a']), endpoints('b-six', ['node-c'])]
    const world = worldOf(...shared, ...local, ...at)
    expect(ownersIn(world)).toEqual({ 'default/a-both': ['node-a'], 'default/b-six': ['node-a'] })
    const follower = advertise(world, speakersOf(world), 'default/b-six')
    expect(follower.problems).toMatchObject([
      { code: 'shared-no-common-node', object: 'Service/default/b-six' },
    ])
    expect(reasonsOf(layer2Of(follower).refusals)).toEqual([
      'node-b noLocalEndpoints',
      'node-c notOwner',
    ])
    expect(advertise(world, speakersOf(world), 'default/a-both').problems).toEqual([])
  })

  test('[R8.1] a holder that does not show the address yet is not linked', () => {
    const late = service('b-six', [], sharing)
    const at = [endpoints('a-both', ['node-a']), endpoints('b-six', ['node-a'])]
    const world = worldOf(...shared, late, ...at)
    world.apply({
      type: 'intent',
      intent: { service: 'default/b-six', ips: [ip(six)], wait: undefined },
    })
    expect(ownersIn(world)).toEqual({ 'default/a-both': ['node-b'], 'default/b-six': [] })
  })
})

const names = ['node-a', 'node-b', 'node-c', 'node-d']
const someNodes = fc.subarray(names)
const someService = fc.record({
  ingress: fc.subarray(['10.20.30.1', '10.20.30.2', six, '2001:db8:30::2'], { minLength: 1 }),
  isLocal: fc.boolean(),
  at: someNodes,
})
const someWorld = fc.record({
  services: fc.array(someService, { maxLength: 6 }),
  advertisements: fc.array(fc.subarray(names), { maxLength: 3 }),
  preferred: fc.constantFrom(...names),
  down: someNodes,
})

function viewsOf({ services, advertisements, preferred }: Some): View[] {
  return [
    pool('p', ['10.20.30.0/24', '2001:db8:30::/120']),
    ...names.map((name) => node(name)),
    ...advertisements.map((selected, at) => {
      const preference = [{ weight: 10, preference: onNode(preferred) }]
      return l2(`ad-${at}`, { nodeSelectors: selected.map(onNode), preferred: preference })
    }),
    ...services.flatMap(({ ingress, isLocal, at }, index) => [
      service(`s-${index}`, ingress, { ...sharing, isLocal }),
      endpoints(`s-${index}`, at),
    ]),
  ]
}
type Some = typeof someWorld extends fc.Arbitrary<infer T> ? T : never

test('[R8.1] no address has two owners, and all addresses of a Service have one', () => {
  const property = fc.property(someWorld, (some) => {
    const world = worldOf(...viewsOf(some))
    const owners = new Map<string, Set<string>>()
    for (const key of world.services.keys()) {
      const { announcements } = advertise(world, speakersOf(world, some.down), key)
      expect(new Set(announcements.map((one) => one.node)).size).toBeLessThanOrEqual(1)
      for (const one of announcements) {
        if (one.protocol !== 'layer2') continue
        owners.set(one.address, (owners.get(one.address) ?? new Set()).add(one.node))
        expect(some.down).not.toContain(one.node)
      }
    }
    for (const nodes of owners.values()) expect(nodes.size).toBe(1)
  })
  fc.assert(property, { numRuns: 300 })
})

test('no announcement depends on the order in which objects came', () => {
  const property = fc.property(someWorld, fc.func(fc.integer()), (some, rank) => {
    const views = viewsOf(some)
    const shuffled = views
      .map((view, at) => ({ view, rank: rank(at) }))
      .sort((one, other) => one.rank - other.rank)
    const worlds = [worldOf(...views), worldOf(...shuffled.map(({ view }) => view))]
    const [answer, other] = worlds.map((world) => {
      const keys = [...world.services.keys()].sort()
      return keys.map((key) => advertise(world, speakersOf(world, some.down), key))
    })
    expect(other).toEqual(answer)
  })
  fc.assert(property, { numRuns: 100 })
})
