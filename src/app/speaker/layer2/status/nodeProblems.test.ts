// Proves what counts as a problem on a node, and what does not.
import { expect, test } from 'vitest'
import {
  ip,
  l2,
  node,
  onNode,
  pool,
  service,
  worldOf,
} from '../../../../../test/build/announcing.ts'
import { hostLink } from '../../../../../test/build/hostLink.ts'
import type { Mac } from '../../../../core/net/mac.ts'
import { type NodeView, problemsOn } from './nodeProblems.ts'

const mac = '02:00:00:00:00:01' as Mac
const link = (name: string, ...texts: readonly string[]) => {
  const addresses = texts.map((text) => ({ address: ip(text), prefixLength: 24 }))
  return hostLink(2, name, { addresses })
}

const world = worldOf(
  pool('lan', ['192.0.2.0/24']),
  node('a'),
  node('b'),
  service('web', ['192.0.2.1']),
  l2('some', { interfaces: ['eth0', 'eth7'] }),
  l2('elsewhere', { interfaces: ['eth9'], nodeSelectors: [onNode('b')] }),
)
const view = (given: Partial<NodeView> = {}): NodeView => ({
  world,
  node: 'a',
  links: [link('eth0', '192.0.2.200')],
  hasIpvs: false,
  isArpStrict: undefined,
  foreign: [],
  ...given,
})
const sighting = { kind: 'foreign-owner', address: ip('192.0.2.1'), interface: 'eth0' } as const

test.each<{ of: string; given: Partial<NodeView>; codes: readonly string[] }>([
  { of: 'one of the listed interfaces exists', given: {}, codes: [] },
  { of: 'none of them exists', given: { links: [link('wan0')] }, codes: ['interface-missing'] },
  { of: 'none exists on the selected node', given: { node: 'b' }, codes: ['interface-missing'] },
  {
    of: 'IPVS without strict ARP',
    given: { hasIpvs: true, isArpStrict: false },
    codes: ['strict-arp-off'],
  },
  { of: 'IPVS and strict ARP', given: { hasIpvs: true, isArpStrict: true }, codes: [] },
  { of: 'no strict ARP, without IPVS', given: { isArpStrict: false }, codes: [] },
  { of: 'IPVS, and strict ARP cannot be read', given: { hasIpvs: true }, codes: [] },
  {
    of: 'an address of a Service on an interface',
    given: { links: [link('eth0', '192.0.2.1')] },
    codes: ['vip-on-interface'],
  },
  {
    of: 'another machine has a Service address',
    given: { foreign: [{ ...sighting, mac, isAnnounced: true }] },
    codes: ['foreign-owner'],
  },
])('$of: $codes', ({ given, codes }) => {
  expect(problemsOn(view(given)).map(({ code }) => code)).toEqual(codes)
})

test('each problem names its object and what was found', () => {
  const foreign = [{ ...sighting, mac, isAnnounced: true }]
  expect(problemsOn(view({ links: [link('wan0')], foreign }))).toEqual([
    {
      code: 'interface-missing',
      object: 'L2Advertisement/metallb-system/some',
      message: 'this node has no eth0, eth7; it has wan0',
    },
    {
      code: 'foreign-owner',
      object: 'Service/default/web',
      message: `192.0.2.1 is at ${mac} on eth0`,
    },
  ])
})

test('many foreign owners are named up to a limit, and the rest counted', () => {
  const foreign = Array.from({ length: 70 }, (_, at) => {
    return { ...sighting, address: ip(`192.0.2.${at + 1}`), mac, isAnnounced: true }
  })
  const problems = problemsOn(view({ foreign }))
  expect(problems).toHaveLength(65)
  expect(problems.at(-1)).toEqual({
    code: 'foreign-owner',
    object: 'Node/a',
    message: 'and 6 more',
  })
})
