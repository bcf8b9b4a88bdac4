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
import { bgpSession } from '../../../../test/build/bgpSession.ts'
import type { View } from '../../model/view.ts'
import { electionOrder } from '../announce/elect.ts'
import { explainAnnouncing } from './explainAnnouncing.ts'

const names = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7']
const nodes = names.map((name) => node(name))
const lan = pool('lan', ['10.0.0.0/24'])
const explain = (views: readonly View[], down: readonly string[] = []) => {
  const world = worldOf(lan, service('web', ['10.0.0.1']), endpoints('web', ['n1']), ...views)
  return explainAnnouncing(world, speakersOf(world, down), 'default/web')
}

test('[M5.3] the election goes as the formula says, the first five places', () => {
  const [ip] = service('web', ['10.0.0.1']).ingress
  if (ip === undefined) throw new Error('it has an address')
  const order = electionOrder({ ip, nodes: names, scoreOf: () => 0 })
  expect(explain([...nodes, l2('lan')]).election).toEqual(order.slice(0, 5))
  const [owner = ''] = order
  expect(explain([...nodes, l2('lan')], [owner]).election).toEqual(order.slice(1, 6))
})

test('[M5.4] a node that is elected without any of the interfaces is in the order', () => {
  const views = [node('n1'), nodeInterfaces('n1', ['eth1']), l2('lan', { interfaces: ['eth0'] })]
  const { election, nodes } = explain(views)
  expect(election).toEqual(['n1'])
  expect(nodes).toMatchObject([{ node: 'n1', refusals: [{ reason: 'announceFailed' }] }])
})

test('[M6.1] every node announces or says why not, by name', () => {
  const views = [
    node('n2'),
    node('n1'),
    bgp('routes', { pools: ['lan'], nodeSelectors: [onNode('n1')] }),
    peer('tor'),
  ]
  const { nodes, refusals, election } = explain(views)
  expect(nodes).toMatchObject([
    { node: 'n1', announces: [{ prefix: '10.0.0.1/32', peer: 'tor' }], refusals: [] },
    { node: 'n2', announces: [], refusals: [{ protocol: 'bgp', reason: 'notOwner' }] },
  ])
  expect(refusals).toMatchObject([{ protocol: 'layer2', reason: 'noMatchingAdvertisement' }])
  expect(election).toEqual([])
})

test('[R8.10] a route is told with the session that carries it', () => {
  const lastError = { message: 'refused', endedBy: 'connection' }
  const session = bgpSession({ node: 'n1', bgpStatus: 'Active', lastError })
  const { nodes } = explain([node('n1'), node('n2'), bgp('routes'), peer('tor'), session])
  expect(nodes.flatMap(({ announces }) => announces)).toMatchObject([
    { node: 'n1', session: { bgpStatus: 'Active', since: session.since, lastError } },
    { node: 'n2' },
  ])
  expect(nodes[1]?.announces[0]).not.toHaveProperty('session')
})

test('[M5.2] without an address there is one reason, for all', () => {
  const world = worldOf(lan, service('web', []), node('n1'), l2('lan'))
  expect(explainAnnouncing(world, speakersOf(world), 'default/web')).toEqual({
    election: [],
    nodes: [],
    refusals: [{ reason: 'noIPAllocated', message: 'it has no address' }],
    isUnknown: false,
  })
})
