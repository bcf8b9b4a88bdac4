import { describe, expect, test } from 'vitest'
import {
  bfdProfile,
  bgp,
  community,
  endpoints,
  labelled,
  node,
  onNode,
  peer,
  pool,
  secret,
  service,
  speakersOf,
  worldOf,
} from '../../../../test/build/announcing.ts'
import { excludeLabel } from '../../model/node.ts'
import type { ServiceView } from '../../model/service.ts'
import type { View } from '../../model/view.ts'
import { advertise } from './advertise.ts'

const usual = [
  node('alder'),
  node('birch'),
  pool('p', ['10.20.30.0/24', '2001:db8:30::/64'], { labels: { zone: 'one' } }),
  peer('tor'),
]
const web = (given: Partial<ServiceView> = {}, at: readonly string[] = ['birch']): View[] => [
  service('web', ['10.20.30.1'], given),
  endpoints('web', at),
]

/** node peer prefix localPref communities, one text a route. */
function routesIn(views: readonly View[], down: readonly string[] = []): string[] {
  const world = worldOf(...usual, ...views)
  const { announcements } = advertise(world, speakersOf(world, down), 'default/web')
  return announcements.map((one) => {
    if (one.protocol === 'layer2') return `layer2 ${one.node}`
    const rest = [one.localPref ?? 'none', ...one.communities]
    return [one.node, one.peer, one.prefix, ...rest].join(' ')
  })
}

function reasonsIn(views: readonly View[], down: readonly string[] = []): string[] {
  const world = worldOf(...usual, ...views)
  const { refusals } = advertise(world, speakersOf(world, down), 'default/web')
  return refusals
    .filter(({ protocol }) => protocol === 'bgp')
    .map(({ node, reason }) => (node === undefined ? reason : `${node} ${reason}`))
}

const all = bgp('all')
const onAlder = 'alder tor 10.20.30.1/32 none'
const onBirch = 'birch tor 10.20.30.1/32 none'
const nginx = { labels: { app: 'nginx' } }
const forNginx = { serviceSelectors: [labelled({ app: 'nginx' })] }

type Case = {
  rule: string
  what: string
  views: readonly View[]
  down?: readonly string[]
  routes: readonly string[]
  reasons?: readonly string[]
}
const cases: Case[] = [
  { rule: 'M6.1', what: 'every node', views: [all, ...web()], routes: [onAlder, onBirch] },
  {
    rule: 'M6.1',
    what: 'no advertisement of the pool',
    views: [bgp('other', { pools: ['q'] }), ...web()],
    routes: [],
    reasons: ['noMatchingAdvertisement'],
  },
  {
    rule: 'M6.1',
    what: 'the advertisement selects one node',
    views: [bgp('some', { nodeSelectors: [onNode('birch')] }), ...web()],
    routes: [onBirch],
    reasons: ['alder notOwner'],
  },
  {
    rule: 'M6.1',
    what: 'the advertisement selects other Services',
    views: [bgp('some', forNginx), ...web()],
    routes: [],
    reasons: ['alder noMatchingAdvertisement', 'birch noMatchingAdvertisement'],
  },
  {
    rule: 'M6.1',
    what: 'Service selectors do not mind a sharing annotation',
    views: [bgp('some', forNginx), ...web({ ...nginx, hasSharingAnnotation: true })],
    routes: [onAlder, onBirch],
  },
  {
    rule: 'M6.1',
    what: 'a network that is unavailable',
    views: [all, node('alder', { isNetworkUnavailable: true }), ...web()],
    routes: [onBirch],
    reasons: ['alder nodeNetworkUnavailable'],
  },
  {
    rule: 'R8.4',
    what: 'an excluded node',
    views: [all, node('alder', { labels: { [excludeLabel]: 'berth-drain' } }), ...web()],
    routes: [onBirch],
    reasons: ['alder nodeLabeledExcludeBalancers'],
  },
  {
    rule: 'M6.1',
    what: 'policy Local',
    views: [all, ...web({ isLocal: true })],
    routes: [onBirch],
    reasons: ['alder noLocalEndpoints'],
  },
  {
    rule: 'M6.1',
    what: 'no usable endpoint',
    views: [all, ...web({}, [])],
    routes: [],
    reasons: ['alder noEndpoints', 'birch noEndpoints'],
  },
  {
    rule: 'M6.1',
    what: 'a speaker that is not seen',
    views: [all, ...web()],
    down: ['alder'],
    routes: [onBirch],
    reasons: ['alder speakerDown'],
  },
  {
    rule: 'M6.2',
    what: 'peers serve the nodes that they select',
    views: [all, peer('tor', { nodeSelectors: [onNode('alder')] }), ...web()],
    routes: [onAlder],
    reasons: ['birch noPeer'],
  },
  {
    rule: 'M6.2',
    what: 'the advertisement lists its peers; unknown ones are passed over',
    views: [bgp('some', { peers: ['tor-b', 'nobody'] }), peer('tor-b'), ...web()],
    routes: ['alder tor-b 10.20.30.1/32 none', 'birch tor-b 10.20.30.1/32 none'],
  },
  {
    rule: 'M6.2',
    what: 'aggregation, local preference and communities',
    views: [
      bgp('host', { localPref: 100, communities: ['64500:2', '64500:1'] }),
      bgp('net', { localPref: 1000, aggregationLength: 24 }),
      ...web({}, ['birch']),
      node('birch', { isNetworkUnavailable: true }),
    ],
    routes: ['alder tor 10.20.30.0/24 1000', 'alder tor 10.20.30.1/32 100 64500:1 64500:2'],
  },
  {
    rule: 'M6.2',
    what: 'each family has its length',
    views: [
      bgp('net', { aggregationLength: 28, aggregationLengthV6: 64 }),
      service('web', ['10.20.30.17', '2001:db8:30::1']),
      endpoints('web', ['birch']),
    ],
    down: ['birch'],
    routes: ['alder tor 10.20.30.16/28 none', 'alder tor 2001:db8:30::/64 none'],
  },
  {
    rule: 'M6.2',
    what: 'communities of one route add up',
    views: [
      bgp('a', { communities: ['64500:2', 'web'] }),
      bgp('b', { communities: ['64500:2', '64500:1'], nodeSelectors: [onNode('alder')] }),
      community('c', { web: '64512:9' }),
      ...web(),
    ],
    routes: [`${onAlder} 64500:1 64500:2 64512:9`, `${onBirch} 64500:2 64512:9`],
  },
]

test.each(cases)('[$rule] $what: $routes', ({ views, down, routes, reasons }) => {
  expect(routesIn(views, down)).toEqual(routes)
  if (reasons) expect(reasonsIn(views, down)).toEqual(reasons)
})

describe('two local preferences of one route', () => {
  const plain = (given = {}) => bgp('plain', { localPref: 100, ...given })
  const extra = (given = {}) => bgp('extra', { localPref: 200, ...forNginx, ...given })
  const silent = ['alder conflictingAdvertisements', 'birch conflictingAdvertisements']
  const six = service('web', ['2001:db8:30::1'], nginx)

  test.each([
    { what: 'both for all', views: [plain(), extra()], reasons: silent },
    { what: 'none against 200', views: [plain({ localPref: 0 }), extra()], reasons: silent },
    { what: 'equal', views: [plain(), extra({ localPref: 100 })], reasons: [] },
    { what: 'a common peer', views: [plain({ peers: ['tor'] }), extra()], reasons: silent },
    {
      what: 'peers apart',
      views: [plain({ peers: ['tor'] }), extra({ peers: ['b'] })],
      reasons: [],
    },
    { what: 'other routes', views: [plain({ aggregationLength: 24 }), extra()], reasons: [] },
    {
      what: 'other routes, but not in the family of the Service',
      views: [plain({ aggregationLength: 24 }), extra(), six],
      reasons: silent,
    },
    {
      what: 'one node in common',
      views: [plain({ nodeSelectors: [onNode('alder')] }), extra()],
      reasons: ['alder conflictingAdvertisements'],
    },
    {
      what: 'not a Service of both',
      views: [plain(), extra({ serviceSelectors: [labelled({ app: 'apache' })] })],
      reasons: [],
    },
  ])('[M6.1] $what: $reasons', ({ views, reasons }) => {
    expect(reasonsIn([...web(nginx), ...views])).toEqual(reasons)
    const quiet = reasons.map((reason) => reason.split(' ')[0])
    const speaking = routesIn([...web(nginx), ...views]).map((route) => route.split(' ')[0])
    for (const node of quiet) expect(speaking).not.toContain(node)
  })

  test('[M12.2] the problem names both advertisements and the Service, and nobody else', () => {
    const world = worldOf(...usual, ...web(nginx), plain(), extra())
    const { problems } = advertise(world, speakersOf(world), 'default/web')
    expect(problems.map(({ code, object }) => `${code} ${object}`)).toEqual([
      'localpref-conflict Service/default/web',
      'localpref-conflict BGPAdvertisement/metallb-system/extra',
      'localpref-conflict BGPAdvertisement/metallb-system/plain',
    ])
  })
})

describe('references that lead nowhere', () => {
  const withSecret = peer('tor', { passwordSecret: 'bgp' })
  const basic = 'kubernetes.io/basic-auth'
  test.each([
    { what: 'secret missing', views: [withSecret], acts: false },
    { what: 'secret of another type', views: [withSecret, secret('bgp', 'Opaque', ['password'])] },
    { what: 'secret without the key', views: [withSecret, secret('bgp', basic, ['username'])] },
    { what: 'secret', views: [withSecret, secret('bgp', basic, ['password'])], acts: true },
    { what: 'BFD profile missing', views: [peer('tor', { bfdProfile: 'usual' })] },
    {
      what: 'BFD profile',
      views: [peer('tor', { bfdProfile: 'usual' }), bfdProfile('usual')],
      acts: true,
    },
    { what: 'alias unknown', views: [bgp('all', { communities: ['nowhere', '1:1'] })] },
    {
      what: '64 communities',
      views: [bgp('all', { communities: [...Array(64).keys()].map((at) => `1:${at}`) })],
    },
    {
      what: 'alias',
      views: [bgp('all', { communities: ['here'] }), community('c', { here: '1:1' })],
      acts: true,
    },
  ])('[M8.1] $what: acts $acts', ({ views, acts = false }) => {
    const given = [all, ...web(), ...views]
    expect(routesIn(given).length).toBe(acts ? 2 : 0)
    expect(reasonsIn(given).includes('unresolvedReference')).toBe(!acts)
  })

  test('[P6] an inert advertisement or peer takes nothing from the others', () => {
    const inert = bgp('inert', { communities: ['nowhere'], localPref: 300 })
    expect(routesIn([all, inert, withSecret, peer('tor-b'), ...web()])).toEqual([
      'alder tor-b 10.20.30.1/32 none',
      'birch tor-b 10.20.30.1/32 none',
    ])
  })
})
