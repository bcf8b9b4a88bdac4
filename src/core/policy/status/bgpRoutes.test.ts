// Proves what is told of routes: what policy wants, and whether a node announces it.
import { expect, test } from 'vitest'
import {
  bgp,
  endpoints,
  node,
  peer,
  pool,
  service,
  speakersOf,
  worldOf,
} from '../../../../test/build/announcing.ts'
import { bgpSession } from '../../../../test/build/bgpSession.ts'
import { bgpAnnouncersFrom } from './bgpAnnouncers.ts'
import { bgpSessions } from './bgpPeers.ts'
import { bgpRoutes } from './bgpRoutes.ts'

const world = worldOf(
  ...[node('a'), node('b'), pool('p', ['10.0.0.0/24']), peer('spine'), peer('tor')],
  ...[bgp('all', { communities: ['65000:1'] })],
  ...['one', 'two'].flatMap((name) => [service(name, ['10.0.0.1']), endpoints(name, ['a'])]),
  ...[bgpSession({ node: 'b' }), bgpSession({ peer: 'spine', bgpStatus: 'Active' }), bgpSession()],
)
const reports = [{ node: 'a', service: 'default/one' as const, peers: ['spine', 'tor'] }]
const speakers = speakersOf(world)

const routesOf = (filter = {}) =>
  bgpRoutes(world, { speakers, reports }, { node: '', peer: '', ...filter })

test('a route says who tells it to whom, and whether that has come to pass', () => {
  const route = { prefix: '10.0.0.1/32', communities: ['65000:1'], localPref: undefined }
  const services = ['default/one', 'default/two']
  expect(routesOf()).toEqual([
    { ...route, node: 'a', peer: 'spine', state: 'session-down', services },
    { ...route, node: 'a', peer: 'tor', state: 'announced', services },
    { ...route, node: 'b', peer: 'spine', state: 'session-down', services },
    { ...route, node: 'b', peer: 'tor', state: 'not-reported', services },
  ])
})

test.each([
  { families: ['IPv6'], state: 'not-sent' },
  { families: ['IPv4'], state: 'announced' },
] as const)('[R8.8] a session that carries $families: $state', ({ families, state }) => {
  const agreed = { ...{ holdTime: '90s', keepaliveTime: '30s', peerRouterID: '' }, families }
  const lacking = worldOf(
    ...[node('a'), pool('p', ['10.0.0.0/24']), peer('tor'), bgp('all')],
    ...[service('one', ['10.0.0.1']), endpoints('one', ['a'])],
    bgpSession({ agreed: { ...agreed, capabilities: [] } }),
  )
  const read = { speakers: speakersOf(lacking), reports }
  const [route] = bgpRoutes(lacking, read, { node: '', peer: '' })
  expect(route?.state).toBe(state)
})

test.each([
  { filter: { node: 'a' }, count: 2 },
  { filter: { peer: 'tor' }, count: 2 },
  { filter: { node: 'a', peer: 'tor' }, count: 1 },
  { filter: { node: 'c' }, count: 0 },
])('$filter: $count', ({ filter, count }) => {
  expect(routesOf(filter)).toHaveLength(count)
})

test('of each node: how many Services, and which peers are up and down', () => {
  expect(bgpAnnouncersFrom(bgpSessions(world), reports)).toEqual([
    { node: 'a', services: 1, up: ['tor'], down: ['spine'] },
    { node: 'b', services: 0, up: ['tor'], down: [] },
  ])
})
