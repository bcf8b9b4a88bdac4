import { expect, test } from 'vitest'
import {
  bfdProfile,
  bgp,
  labelled,
  node,
  onNode,
  peer,
  pool,
  worldOf,
} from '../../../../test/build/announcing.ts'
import { tenant } from '../../../../test/build/wires.ts'
import type { BgpAdvertisement } from '../../model/announcing.ts'
import type { View } from '../../model/view.ts'
import { check } from './check.ts'

const nodes = [node('n1'), node('n2')]
const refusals = (there: readonly View[], view: View) =>
  check(worldOf(...there), { view, before: undefined, bgpMode: 'native' }).map(
    ({ path, message }) => `${path}: ${message}`,
  )

test.each([
  ['10.0.0.0/24', 16, '24'],
  ['10.0.0.0/24', 24, ''],
  ['10.0.0.10-10.0.0.20', 29, '30'],
  ['10.0.0.10-10.0.0.20', 30, ''],
  ['203.0.113.2-203.0.113.254', 26, ''],
])('[M8.1 rule 24] %s by /%i: at least %j', (range, aggregationLength, least) => {
  const [there, view] = [pool('p', [range]), bgp('a', { aggregationLength })]
  for (const errors of [refusals([there], view), refusals([view], there)]) {
    expect(errors).toHaveLength(least === '' ? 0 : 1)
    if (least !== '') expect(errors[0]).toContain(`at least ${least}`)
  }
})

test('[M8.1 rule 24] each family has its own length', () => {
  const dual = pool('p', ['10.0.0.0/24', '2001:db8::/64'])
  expect(refusals([dual], bgp('a', { aggregationLength: 24, aggregationLengthV6: 64 }))).toEqual([])
  const [error] = refusals([dual], bgp('a', { aggregationLengthV6: 48 }))
  expect(error).toContain('spec.aggregationLengthV6: Forbidden: aggregationLengthV6 48 of')
  expect(error).toContain('2001:db8::/64 of IPAddressPool/metallb-system/p')
})

test('[M8.1 rule 24] pools that are not advertised do not count', () => {
  const narrow = pool('narrow', ['10.0.0.0/28'])
  expect(refusals([narrow], bgp('a', { pools: ['wide'], aggregationLength: 24 }))).toEqual([])
})

test('[M8.1 rule 24] a tenant whose pool could not be made is refused', () => {
  const view = tenant('t', { cidrs: ['172.27.0.0/24'], loadBalancer: ['172.27.0.80/30'] })
  const [error] = refusals([bgp('a', { aggregationLength: 24 })], view)
  expect(error).toContain('spec.networks[0].loadBalancer: Forbidden: aggregationLength 24')
})

type Given = Partial<BgpAdvertisement>
const apart: readonly [string, Given, Given][] = [
  ['one localPref', {}, { localPref: 100 }],
  ['other routes', { aggregationLength: 24 }, {}],
  ['other peers', { peers: ['a', 'b'] }, { peers: ['c'] }],
  ['other nodes', { nodeSelectors: [onNode('n1')] }, { nodeSelectors: [onNode('n2')] }],
  ['other pools', { pools: ['p'] }, { pools: ['q'] }],
  ['Services of its own', { serviceSelectors: [labelled({ app: 'web' })] }, {}],
]
test.each(apart)('[M8.1 rule 25] %s: no conflict', (_, one, two) => {
  const there = [...nodes, pool('p', ['10.0.0.0/24']), bgp('one', { localPref: 100, ...one })]
  expect(refusals(there, bgp('two', { localPref: 200, ...two }))).toEqual([])
})

const together: readonly [string, Given, Given][] = [
  ['the same routes', {}, {}],
  ['a common peer', { peers: ['a'] }, { peers: ['b', 'a'] }],
  ['no list, which means all peers', { peers: ['a'] }, {}],
  ['a common node', { nodeSelectors: [onNode('n1')] }, {}],
  ['IPv6 lengths that an IPv4 pool has no use for', { aggregationLengthV6: 64 }, {}],
]
test.each(together)('[M8.1 rule 25] %s: whichever comes last is refused', (_, one, two) => {
  const [first, second] = [
    bgp('one', { localPref: 100, ...one }),
    bgp('two', { localPref: 200, ...two }),
  ]
  const fresh = pool('p', ['10.0.0.0/24'])
  const [late] = refusals([...nodes, fresh, first], second)
  expect(late).toContain('spec.localPref: Forbidden: BGPAdvertisement/metallb-system/one')
  const [poolLast] = refusals([...nodes, first, second], fresh)
  expect(poolLast).toContain('BGPAdvertisement/metallb-system/two')
})

test('[M8.1 rule 25] in a pool of both families one common length is enough', () => {
  const there = [
    ...nodes,
    pool('p', ['10.0.0.0/24', '2001:db8::/64']),
    bgp('one', { localPref: 1 }),
  ]
  expect(refusals(there, bgp('two', { aggregationLength: 24 }))).toHaveLength(1)
  const other = bgp('two', { aggregationLength: 24, aggregationLengthV6: 64 })
  expect(refusals(there, other)).toEqual([])
})

const six = pool('six', ['2001:db8::/64'])
const echo = { ...bfdProfile('echo'), echoMode: true }
const tor = peer('tor', { bfdProfile: 'echo' })
const all = [six, echo, tor, bgp('a')]
test.each(all)('[M8.1 rule 27] IPv6 by a peer with BFD echo; $kind comes last', (last) => {
  const errors = refusals(
    all.filter((view) => view !== last),
    last,
  )
  expect(errors).toHaveLength(1)
  expect(errors[0]).toContain('BGPPeer/metallb-system/tor')
  expect(errors[0]).toContain('IPAddressPool/metallb-system/six')
})

test.each<[string, readonly View[], View]>([
  ['IPv4', [echo, tor, bgp('a')], pool('p', ['10.0.0.0/24'])],
  ['a profile without echo', [six, bgp('a'), bfdProfile('echo')], tor],
  ['a profile that is not there', [six, bgp('a')], tor],
  ['another peer', [six, echo, tor], bgp('a', { peers: ['other'] })],
  ['another pool', [six, echo, tor], bgp('a', { pools: ['p'] })],
])('[M8.1 rule 27] %s: no conflict', (_, there, last) => {
  expect(refusals(there, last)).toEqual([])
})
