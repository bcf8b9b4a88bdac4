import { describe, expect, test } from 'vitest'
import {
  endpoints,
  ip,
  l2,
  node,
  onNode,
  pool,
  service,
  speakersOf,
  worldOf,
} from '../../../../test/build/announcing.ts'
import type { L2Advertisement } from '../../model/announcing.ts'
import { parsePrefix } from '../../net/range.ts'
import { advertise } from './advertise.ts'
import { deadLinks, type SpeakerLink } from './links.ts'

/** `eth0 10.20.30.0/24` is up, `-eth0` is not. */
function link(text: string): SpeakerLink {
  const [named = '', ...subnets] = text.split(' ')
  return {
    name: named.replace('-', ''),
    isUp: !named.startsWith('-'),
    subnets: subnets.map((text) => {
      const prefix = parsePrefix(text)
      if (!prefix.ok) throw new Error(prefix.why)
      return prefix.value
    }),
  }
}

type Case = {
  what: string
  links: readonly string[]
  lists?: readonly (readonly string[])[]
  addresses?: readonly string[]
  dead?: readonly string[]
}
const cases: Case[] = [
  { what: 'nothing known', links: [] },
  { what: 'all up', links: ['eth0', 'eth1'] },
  { what: 'all down', links: ['-eth1', '-eth0'], dead: ['eth0', 'eth1'] },
  { what: 'one of two down, no subnet', links: ['-eth0', 'eth1'] },
  {
    what: 'the one of the subnet down',
    links: ['-eth0 10.20.30.0/24', 'eth1 192.0.2.0/24'],
    dead: ['eth0'],
  },
  { what: 'the other one down', links: ['eth0 10.20.30.0/24', '-eth1 192.0.2.0/24'] },
  { what: 'one of two in the subnet', links: ['eth0 10.20.30.0/24', '-eth1 10.20.0.0/16'] },
  {
    what: 'IPv6',
    links: ['-eth0 2001:db8::/64', 'eth1 10.20.30.0/24'],
    addresses: ['2001:db8::1'],
    dead: ['eth0'],
  },
  {
    what: 'two families on two interfaces, one of them down',
    links: ['-eth0 2001:db8::/64', 'eth1 10.20.30.0/24'],
    addresses: ['2001:db8::1', '10.20.30.1'],
    dead: ['eth0'],
  },
  {
    what: 'two families on two interfaces, both down',
    links: ['-eth1 10.20.30.0/24', '-eth0 2001:db8::/64', 'eth2 192.0.2.0/24'],
    addresses: ['2001:db8::1', '10.20.30.1'],
    dead: ['eth0', 'eth1'],
  },
  {
    what: 'two addresses on one interface, another one down',
    links: ['eth0 10.20.30.0/24 2001:db8::/64', '-eth1 192.0.2.0/24'],
    addresses: ['2001:db8::1', '10.20.30.1'],
  },
  { what: 'the listed one down', links: ['-eth0', 'eth1'], lists: [['eth0']], dead: ['eth0'] },
  {
    what: 'the listed one, whatever the subnets',
    links: ['-eth0', 'eth1 10.20.30.0/24'],
    lists: [['eth0']],
    dead: ['eth0'],
  },
  {
    what: 'of two that are listed the one of the subnet',
    links: ['-eth0 10.20.30.0/24', 'eth1 192.0.2.0/24'],
    lists: [['eth0', 'eth1']],
    dead: ['eth0'],
  },
  {
    what: 'of two that are listed the other one',
    links: ['eth0 10.20.30.0/24', '-eth1 192.0.2.0/24'],
    lists: [['eth0', 'eth1']],
  },
  { what: 'an unlisted one down', links: ['-eth0', 'eth1'], lists: [['eth1']] },
  { what: 'lists add up', links: ['-eth0', 'eth1'], lists: [['eth0'], ['eth1']] },
  { what: 'no list means all', links: ['-eth0', 'eth1'], lists: [['eth0'], []] },
  { what: 'none of the listed is there', links: ['-eth0'], lists: [['eth9']] },
]

test.each(cases)('[M5.4] $what: $dead', ({ links, lists = [[]], addresses, dead }) => {
  const advertisements = lists.map((interfaces, at) => l2(`ad-${at}`, { interfaces }))
  const ips = (addresses ?? ['10.20.30.1']).map(ip)
  expect(deadLinks(links.map(link), { advertisements, addresses: ips })).toEqual(dead)
})

describe('in the election', () => {
  // For this address the order is node-b, node-c, node-a (M12.4).
  const world = (...advertisements: readonly L2Advertisement[]) =>
    worldOf(
      ...['node-a', 'node-b', 'node-c'].map((name) => node(name)),
      pool('p', ['10.20.30.0/24']),
      service('web', ['10.20.30.1']),
      endpoints('web', ['node-a']),
      ...advertisements,
    )
  const dead = (...names: readonly string[]) =>
    new Map(names.map((name) => [name, [link('-eth0')]]))

  test('a node whose links are dead is passed over, and says why', () => {
    const its = world(l2('all'))
    const speakers = { ...speakersOf(its), links: dead('node-b') }
    const { announcements, refusals } = advertise(its, speakers, 'default/web')
    expect(announcements).toMatchObject([{ node: 'node-c' }])
    expect(refusals).toContainEqual({
      protocol: 'layer2',
      node: 'node-b',
      reason: 'linkDown',
      message: 'its eth0 cannot be reached',
    })
  })

  test('only the lists of the advertisements that select the node count', () => {
    const its = world(
      l2('here', { interfaces: ['eth1'], nodeSelectors: [onNode('node-b')] }),
      l2('there', { interfaces: ['eth0'], nodeSelectors: [onNode('node-a')] }),
    )
    const links = new Map([['node-b', [link('-eth0'), link('eth1')]]])
    const { announcements } = advertise(its, { ...speakersOf(its), links }, 'default/web')
    expect(announcements).toMatchObject([{ node: 'node-b' }])
  })

  test('[R8.3] a speaker that is seen counts for the majority though it may not announce', () => {
    const its = world(l2('all'))
    its.apply({ type: 'upsert', view: pool('p', ['10.20.30.0/24'], { split: 'safe' }) })
    const { expected } = speakersOf(its)
    const live = new Set(['node-a'])
    const announced = (seen: readonly string[]) =>
      advertise(its, { live, expected, seen: new Set(seen) }, 'default/web').announcements
    expect(announced(['node-a', 'node-b'])).toMatchObject([{ node: 'node-a' }])
    expect(announced(['node-a'])).toEqual([])
  })
})
