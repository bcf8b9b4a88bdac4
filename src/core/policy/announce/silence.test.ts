import { expect, test } from 'vitest'
import {
  bgp,
  endpoints,
  l2,
  node,
  nodeInterfaces,
  onNode,
  peer,
  pool,
  service,
  speakersOf,
  worldOf,
} from '../../../../test/build/announcing.ts'
import type { View } from '../../model/view.ts'
import { silencesIn } from './silence.ts'

const lan = pool('lan', ['10.0.0.0/24'])
const nodes = ['a', 'b', 'c', 'd', 'e'].map((name) => node(name))
const web = [service('web', ['10.0.0.1']), endpoints('web', ['a'])]

type Row = {
  readonly title: string
  readonly views: readonly View[]
  readonly down?: readonly string[]
  readonly why: readonly string[]
}
const noBgp = 'noMatchingAdvertisement: no L2Advertisement or BGPAdvertisement covers pool lan'
const rows: readonly Row[] = [
  { title: 'announced', views: [...nodes, ...web, l2('lan')], why: [] },
  { title: 'without an address', views: [...nodes, service('web', []), l2('lan')], why: [] },
  { title: 'of a pool that nothing covers', views: [...nodes, ...web], why: [noBgp] },
  { title: 'of such a pool, even if no node is known', views: web, why: [noBgp] },
  { title: 'of nodes that nobody knows', views: [...web, l2('lan')], why: [] },
  {
    title: 'without endpoints: once, though two protocols say it of five nodes',
    views: [...nodes, service('web', ['10.0.0.1']), l2('lan'), bgp('routes'), peer('tor')],
    why: ['noEndpoints: no endpoint is usable'],
  },
  {
    title: 'by a protocol that is meant; nobody asks why the other does not',
    views: [...nodes, ...web, bgp('routes')],
    why: ['bgp noPeer on every node: no peer of the BGPAdvertisements is served by it'],
  },
  {
    title: 'for one reason on some nodes and another on the others',
    views: [...nodes, ...web, l2('lan', { nodeSelectors: [onNode('a')] })],
    down: ['a'],
    why: [
      'layer2 speakerDown on a: its speaker is not seen; ' +
        'layer2 noMatchingAdvertisement on b, c, d and 1 more node: no L2Advertisement selects this node',
    ],
  },
  {
    title: 'by the node that is elected and has none of the interfaces',
    views: [
      ...[node('a'), nodeInterfaces('a', ['eth1']), ...web],
      l2('lan', { interfaces: ['eth0'] }),
    ],
    why: [
      'layer2 announceFailed on a: it has none of the interfaces that the L2Advertisements list',
    ],
  },
]

test.each(rows)('why nobody announces a Service: $title', ({ views, down = [], why }) => {
  const world = worldOf(lan, ...views)
  const { silences } = silencesIn(world, speakersOf(world, down))
  expect(silences.map((one) => one.why)).toEqual(why)
})

test('without a Node, who announces is unknown, but not of what nothing covers', () => {
  const covered = worldOf(lan, ...web, l2('lan'))
  expect(silencesIn(covered, speakersOf(covered)).isUnknown).toBe(true)
  const bare = worldOf(lan, ...web)
  expect(silencesIn(bare, speakersOf(bare)).isUnknown).toBe(false)
})
