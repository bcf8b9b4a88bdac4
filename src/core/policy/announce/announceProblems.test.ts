import { expect, test } from 'vitest'
import {
  bfdProfile,
  bgp,
  endpoints,
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
import type { View } from '../../model/view.ts'
import { announceProblems } from './announceProblems.ts'

const nodes = ['a', 'b', 'c'].map((name) => node(name))
const p = pool('p', ['10.20.30.0/24', '2001:db8:30::/120'])
const webAt = endpoints('web', ['a'])
const web = [service('web', ['10.20.30.1']), webAt]
const local = [service('web', ['10.20.30.1'], { isLocal: true }), webAt]
const on = (...names: string[]) => ({ nodeSelectors: names.map(onNode) })
const nginx = service('web', ['10.20.30.1'], { labels: { app: 'nginx' } })
const sharing = { isLocal: true, sharingKey: 'k', hasSharingAnnotation: true }

/** Half of them large. */
const many = (count: number) =>
  [...Array(count).keys()].map((at) => (at % 2 === 0 ? `64512:${at}` : `large:64512:0:${at}`))

type Case = { what: string; views: readonly View[]; problems: readonly string[] }
const cases: Case[] = [
  { what: 'nothing is wrong', views: [...nodes, p, ...web, l2('l2')], problems: [] },
  {
    what: 'a pool in use that no advertisement covers',
    views: [...nodes, p, ...web, l2('l2', { pools: ['q'] }), pool('q', ['10.20.40.0/24'])],
    problems: ['warning never-announced IPAddressPool/metallb-system/p'],
  },
  { what: 'a pool that nobody uses', views: [...nodes, p], problems: [] },
  {
    what: 'selectors that match no node',
    views: [...nodes, l2('l2', on('x')), bgp('bgp', on('x')), peer('tor', on('x'))],
    problems: [
      'error no-node-selected BGPAdvertisement/metallb-system/bgp',
      'error no-node-selected BGPPeer/metallb-system/tor',
      'error no-node-selected L2Advertisement/metallb-system/l2',
    ],
  },
  {
    what: 'no Nodes are given, so nothing is known of them',
    views: [l2('l2', on('x')), bgp('bgp', on('x')), peer('tor', on('y')), { ...p, split: 'safe' }],
    problems: [],
  },
  {
    what: 'peers and advertisement have no node in common',
    views: [...nodes, bgp('bgp', on('a')), peer('tor-b', on('b')), peer('tor-c', on('c'))],
    problems: ['error no-common-node BGPAdvertisement/metallb-system/bgp'],
  },
  {
    what: 'routes that outlive a dead node, unless BFD misses it',
    views: [
      ...[...nodes, peer('tor', { enableGracefulRestart: true })],
      ...[bfdProfile('fast'), peer('bfd', { enableGracefulRestart: true, bfdProfile: 'fast' })],
    ],
    problems: ['warning restart-without-bfd BGPPeer/metallb-system/tor'],
  },
  {
    what: 'more communities than a route can have',
    views: [
      ...nodes,
      p,
      bgp('bgp', { communities: many(64) }),
      bgp('b', { communities: many(63) }),
    ],
    problems: ['error too-many-communities BGPAdvertisement/metallb-system/bgp'],
  },
  {
    what: 'one of the peers has a node in common',
    views: [...nodes, bgp('bgp', on('a')), peer('tor-b', on('b')), peer('tor', on('a', 'c'))],
    problems: [],
  },
  {
    what: 'the listed peer has no node in common, though another has',
    views: [...nodes, bgp('bgp', { ...on('a'), peers: ['b'] }), peer('b', on('b')), peer('tor')],
    problems: ['error no-common-node BGPAdvertisement/metallb-system/bgp'],
  },
  {
    what: 'local endpoints where no advertisement applies',
    views: [...nodes, p, ...local, l2('l2', on('b'))],
    problems: ['error local-endpoints-excluded Service/default/web'],
  },
  {
    what: 'local endpoints that one of the protocols reaches',
    views: [...nodes, p, ...local, l2('l2', on('b')), bgp('bgp'), peer('tor')],
    problems: [],
  },
  {
    what: 'a conflict is told once of each advertisement, however many Services',
    views: [
      ...[...nodes, p, nginx, service('shop', ['10.20.30.2'], { labels: { app: 'nginx' } })],
      bgp('x', { localPref: 100 }),
      bgp('y', { localPref: 200, serviceSelectors: [labelled({ app: 'nginx' })] }),
    ],
    problems: [
      'error localpref-conflict BGPAdvertisement/metallb-system/x',
      'error localpref-conflict BGPAdvertisement/metallb-system/y',
      'error localpref-conflict Service/default/shop',
      'error localpref-conflict Service/default/web',
    ],
  },
  {
    what: 'sharers without a node in common',
    views: [
      ...[...nodes, p, l2('l2')],
      ...[service('one', ['10.20.30.1'], sharing), endpoints('one', ['a'])],
      ...[service('two', ['10.20.30.1'], sharing), endpoints('two', ['b'])],
    ],
    problems: ['error shared-no-common-node Service/default/two'],
  },
  {
    what: 'a safe split of two',
    views: [node('a'), node('b'), { ...p, split: 'safe' }],
    problems: ['error split-needs-three IPAddressPool/metallb-system/p'],
  },
  { what: 'a safe split of three', views: [...nodes, { ...p, split: 'safe' }], problems: [] },
  {
    what: 'a split that is neither',
    views: [...nodes, { ...p, split: 'Safe' }],
    problems: ['error bad-annotation IPAddressPool/metallb-system/p'],
  },
  {
    what: 'references that lead nowhere',
    views: [
      peer('tor', { passwordSecret: 'bgp', bfdProfile: 'usual' }),
      bgp('bgp', { communities: ['nowhere'], pools: ['q'], peers: ['nobody'] }),
      l2('l2', { pools: ['q'] }),
    ],
    problems: [
      'error unresolved-reference BGPAdvertisement/metallb-system/bgp',
      'warning unresolved-reference BGPAdvertisement/metallb-system/bgp',
      'warning unresolved-reference BGPAdvertisement/metallb-system/bgp',
      'error unresolved-reference BGPPeer/metallb-system/tor',
      'error unresolved-reference BGPPeer/metallb-system/tor',
      'warning unresolved-reference L2Advertisement/metallb-system/l2',
    ],
  },
]

test.each(cases)('[R7] $what: $problems', ({ views, problems }) => {
  for (const order of [views, views.toReversed()]) {
    const world = worldOf(...order)
    const found = announceProblems(world, speakersOf(world))
    const texts = found.map(({ severity, code, object }) => `${severity} ${code} ${object}`)
    expect(texts).toEqual(problems)
  }
})
